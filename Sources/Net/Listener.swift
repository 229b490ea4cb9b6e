// The entry of newcomers: one listening socket in the first shard's set, whose connections go to all shards in turn.
//
// Used on the first shard's queue. A newcomer over a limit gets an answer and is closed. When the process has no
// descriptor left, the listener gives up a reserve to answer and close the waiting newcomers, one after the other. Then
// accepting pauses on a timer instead of spinning. ShardAccepting.swift has the shard's part.
// Decisions: 003 (docs/decisions).
import Glibc
import WebSocket

/// A socket that listens already, so that its address is known before the shards are made.
package struct ListeningSocket: Sendable {
  let socket: Socket
  /// The address on which it listens, with the port that the kernel chose if port 0 was asked for.
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
  /// No connection has this token. The mailbox has the next higher one.
  static let token = UInt64.max - 1
  /// The wheel's token for the end of a pause; the highest bit is set, as no service's is.
  static let timerToken = UInt64.max - 1

  let socket: Socket
  let configuration: ListenerConfiguration
  private var nextShard = 0
  private(set) var isPaused = false
  /// An unused descriptor, given up when no other is left; -1 while it is given up.
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

  /// Accepts one waiting newcomer in the reserve's place and sends it away; false when that failed.
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

  /// Sends a newcomer the failure in one try, if the newcomer could read it, and closes.
  func turnAway(_ socket: Socket, _ failure: HTTPFailure) {
    if configuration.certificate == nil {
      let answer = failure.response.serialized(keepAlive: false, headOnly: false)
      _ = answer.withUnsafeBytes { socket.send($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
    socket.close()
  }

  /// The index of the shard that gets the next newcomer.
  func chooseShard(among count: Int) -> Int {
    nextShard = (nextShard + 1) % count
    return nextShard
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
