// Where newcomers arrive: one listening socket in the first shard's set, whose connections go to all shards in turn.
//
// Used on the first shard's queue. Accepts a bounded number a turn. When the process has no descriptor left, accepting
// pauses on a timer instead of spinning: who waits in the kernel's queue is taken later, and who plays plays on.

/// A socket that listens already, so that its address is known before the shards are made.
package struct ListeningSocket: Sendable {
  let socket: Socket
  /// Where it listens, with the port that the kernel chose if port 0 was asked for.
  package let address: SocketAddress

  /// - Throws: `NetError` when the address is taken or not allowed.
  package init(_ address: ResolvedAddress, limits: NetLimits = NetLimits()) throws(NetError) {
    socket = try Socket.listen(on: address, backlog: limits.backlog)
    guard let bound = socket.localAddress else {
      socket.close()
      throw NetError("can't tell the address of \(address.name)")
    }
    self.address = bound
  }
}

final class Listener {
  /// No connection has this token; the set's timer has the one above.
  static let token = UInt64.max - 1
  /// The wheel's token for the end of a pause; the highest bit is set, as no service's is.
  static let timerToken = UInt64.max - 1

  let socket: Socket
  private var nextShard = 0
  private(set) var isPaused = false

  init(_ socket: Socket) {
    self.socket = socket
  }

  /// The shard of the next newcomer.
  func chooseShard(among shards: [Shard]) -> Shard {
    nextShard = (nextShard + 1) % shards.count
    return shards[nextShard]
  }

  func pause(in poller: Poller) {
    isPaused = true
    poller.remove(socket)
  }

  func resume(in poller: Poller) {
    guard isPaused else { return }
    isPaused = !poller.add(socket, .read, token: Self.token)
  }
}

extension ShardCore {
  func listen(on socket: Socket) {
    precondition(listener == nil, "a shard has one listener")
    let listener = Listener(socket)
    self.listener = listener
    let isWatched = poller.add(socket, .read, token: Listener.token)
    precondition(isWatched, "a new set takes its listener")
  }

  func stopListening() {
    guard let listener else { return }
    if !listener.isPaused { poller.remove(listener.socket) }
    listener.socket.close()
    self.listener = nil
  }

  func acceptNewcomers() {
    guard let listener else { return }
    for _ in 0..<limits.acceptsMax {
      switch listener.socket.accept() {
      case .connection(let socket, let address):
        let shard = listener.chooseShard(among: siblings)
        if shard.index == index {
          receive(socket, from: address)
        } else {
          shard.post { $0.core.receive(socket, from: address) }
        }
      case .nobody:
        return
      case .exhausted:
        listener.pause(in: poller)
        _ = wheel.schedule(Listener.timerToken, at: now.advanced(milliseconds: limits.acceptPauseMilliseconds))
        return
      }
    }
  }
}
