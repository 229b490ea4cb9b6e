// The program's part on a shard: the calls that it gets, and its answers.
//
// One service stands on each shard and is called on that shard's queue only. Net knows bytes, messages and time; a
// service knows their meaning. A service must return soon: every other connection of the shard waits.
import WebSocket

/// The answer to a request for a WebSocket.
package enum Admission {
  ///   - subprotocols: the server's own, the preferred first.
  ///   - messageBytesMax: a longer message ends the connection with 1009; a compressed one counts by its inflated
  ///     length.
  ///   - compresses: compression is agreed to if the client offers it.
  case webSocket(subprotocols: [String], messageBytesMax: Int, compresses: Bool)
  case refused(HTTPResponse)
}

/// The program on one shard. All calls come on the shard's queue.
package protocol ShardService: AnyObject, SendableMetatype {
  /// An HTTP request that asks for no WebSocket.
  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse

  /// Whether an HTTP request's answer takes longer than a turn. `Connection.answer` then gives it, at once or within
  /// the time of a handshake. Else `respond` is asked.
  func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool

  /// A request that brings a body. Asked only where the listener takes bodies; by default it is refused.
  func admitBody(of head: RequestHead, from address: SocketAddress, on connection: Connection) -> BodyAdmission

  /// A request for a WebSocket.
  func admit(_ head: RequestHead, on connection: Connection) -> Admission

  /// Messages may flow: the upgrade is done. `connection.subprotocol` is the agreed one.
  func opened(_ connection: Connection)

  /// A whole message. `bytes` is valid until this returns.
  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection)

  /// `connection.serviceDeadline` has passed; it is nil again.
  func deadlinePassed(_ connection: Connection)

  /// The peer of a suspended connection sends nothing any more, and has perhaps gone. Called once in each suspension.
  /// Earlier bytes are still read after `Connection.resumeMessages`.
  func peerEnded(_ connection: Connection)

  /// No message comes or goes any more. Called once for each connection that was opened or moved here, unless it moved
  /// on.
  func closed(_ connection: Connection)

  /// A timer of the service's own.
  func timerFired(_ token: UInt64)

  /// A timer comes soon, probably: hints can be given. By default nothing is done.
  func timerComes(_ token: UInt64)

  /// The kernel's measurement of the round trip to a connection's peer, read now and then: when the connection's timer
  /// fires.
  func measured(roundTripMicroseconds: Int64, on connection: Connection)

  /// A peer on the loopback speaks like a proxy (`X-Forwarded-For`, or a header of the PROXY protocol) but is not among
  /// the trusted ones: all its clients count as the loopback, which has no limits. Called once in a process.
  func noticedUndeclaredProxy(address: IPAddress)

  /// All input of this turn has been handled; queued bytes are sent next. Called again when connections have ended in
  /// the turn.
  func turnEnding()
}

extension ShardService {
  package func timerComes(_ token: UInt64) {}

  package func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool {
    false
  }

  package func admitBody(
    of head: RequestHead,
    from address: SocketAddress,
    on connection: Connection
  ) -> BodyAdmission {
    .refused(HTTPFailure.methodNotAllowed.response)
  }

  package func peerEnded(_ connection: Connection) {}

  package func measured(roundTripMicroseconds: Int64, on connection: Connection) {}

  package func noticedUndeclaredProxy(address: IPAddress) {}

  package func turnEnding() {}
}
