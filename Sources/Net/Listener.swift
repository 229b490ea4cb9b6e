// Where newcomers arrive: one listening socket in the first shard's set, whose connections go to all shards in turn.
//
// Used on the first shard's thread. Accepts a bounded number a turn. Over a limit newcomers are told and closed. When the
// process has no descriptor left, a reserve is given up to close who waits, one after the other, so that they know; then
// accepting pauses on a timer instead of spinning. Who plays plays on.
// Decisions: 003 (docs/decisions).
import Glibc
import WebSocket

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
  /// No connection has this token; the mailbox has the one above.
  static let token = UInt64.max - 1
  /// The wheel's token for the end of a pause; the highest bit is set, as no service's is.
  static let timerToken = UInt64.max - 1

  let socket: Socket
  let configuration: ListenerConfiguration
  private var nextShard = 0
  private(set) var isPaused = false
  /// A descriptor of nothing, kept to be given up when there is no other; -1 while it is.
  private var reserve: Int32

  init(_ socket: Socket, _ configuration: ListenerConfiguration) {
    self.socket = socket
    self.configuration = configuration
    reserve = Self.openReserve()
  }

  deinit {
    if reserve >= 0 { close(reserve) }
  }

  private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

  /// Accepts one who waits in the reserve's place and sends them away; false when nobody could be.
  func refuseInReserve() -> Bool {
    guard reserve >= 0 else {
      reserve = Self.openReserve()
      return false
    }
    close(reserve)
    defer { reserve = Self.openReserve() }
    guard case .connection(let socket, _) = socket.accept() else { return false }
    turnAway(socket, .serviceUnavailable(retryAfterSeconds: 10))
    return true
  }

  /// Tells a newcomer in one try, if they could read it, and closes.
  func turnAway(_ socket: Socket, _ failure: HTTPFailure) {
    if configuration.certificate == nil {
      let answer = failure.response.serialized(keepAlive: false, headOnly: false)
      _ = answer.withUnsafeBytes { socket.send($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
    socket.close()
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
  func listen(on socket: Socket, by configuration: ListenerConfiguration) {
    precondition(listener == nil, "a shard has one listener")
    let listener = Listener(socket, configuration)
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
    // Who waits to be accepted is told of again in the next turn, when the place is free.
    if limits.silentGiveWay, quota.isFull, abandonLongestSilent() { return }
    for _ in 0..<(limits.silentGiveWay ? 1 : limits.acceptsMax) {
      switch listener.socket.accept() {
      case .connection(let socket, let address):
        admit(socket, from: address, by: listener)
      case .nobody:
        return
      case .exhausted:
        return exhausted(listener)
      }
    }
  }

  /// Gives up the one that has waited longest of the connections that ask for nothing; false when there is none.
  private func abandonLongestSilent() -> Bool {
    // Who has ended in this turn leaves a place already.
    guard doomed.isEmpty else { return true }
    var longest: Connection?
    forEachConnection { connection in
      guard connection.asksForNothing, connection.phaseBegan < longest?.phaseBegan ?? .distantFuture else { return }
      longest = connection
    }
    longest?.abandon()
    return longest != nil
  }

  private func admit(_ socket: Socket, from address: SocketAddress, by listener: Listener) {
    // Of a trusted proxy's connection it is not known yet whose it is.
    let configuration = listener.configuration
    let isCounted = !configuration.trustedProxies.contains(address.ip)
    switch quota.admit(isCounted ? address.ip : nil) {
    case .admitted:
      break
    case .tooManyInAll:
      counters.connectionsOverLimit += 1
      return listener.turnAway(socket, .serviceUnavailable(retryAfterSeconds: 10))
    case .tooManyFromAddress:
      counters.connectionsOverAddressLimit += 1
      return listener.turnAway(socket, .tooManyRequests(retryAfterSeconds: 60))
    }
    let shard = listener.chooseShard(among: siblings)
    if shard.index == index {
      receive(socket, from: address, isCountedByAddress: isCounted, by: configuration)
    } else {
      shard.post { $0.core.receive(socket, from: address, isCountedByAddress: isCounted, by: configuration) }
    }
  }

  /// No descriptor is left for a newcomer.
  private func exhausted(_ listener: Listener) {
    for _ in 0..<limits.acceptsMax {
      guard listener.refuseInReserve() else { break }
      counters.connectionsWithoutDescriptor += 1
    }
    listener.pause(in: poller)
    pauseAccepting()
  }
}
