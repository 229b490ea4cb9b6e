// What a shard does for the program above it, and what that program answers.
//
// One service stands on each shard and is called on that shard's thread only. Net knows bytes, messages and time; a
// service knows what they mean. A service must return soon: every other connection of the shard waits.
import WebSocket

/// The answer to a request for a WebSocket.
package enum Admission {
  /// - subprotocols: what this server speaks, the preferred first.
  /// - messageBytesMax: a longer message ends the connection with 1009; of a compressed one what it inflates to counts.
  /// - compresses: compression is agreed to if the client offers it.
  case webSocket(subprotocols: [String], messageBytesMax: Int, compresses: Bool)
  case refused(HTTPResponse)
}

/// The program on one shard. All calls come on the shard's thread.
package protocol ShardService: AnyObject, SendableMetatype {
  /// An HTTP request that asks for no WebSocket.
  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse

  /// Whether an HTTP request's answer takes longer than a turn: then `Connection.answer` gives it, at once or within the
  /// time that a handshake has. Else `respond` is asked.
  func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool

  /// A request for a WebSocket.
  func admit(_ head: RequestHead, on connection: Connection) -> Admission

  /// Messages may flow: the upgrade is done. `connection.subprotocol` tells which was agreed upon.
  func opened(_ connection: Connection)

  /// A whole message. `bytes` is good until this returns.
  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection)

  /// A connection that another shard let go of with `Connection.move`. Messages that came behind follow.
  func adopted(_ connection: Connection, carrying cargo: any Sendable)

  /// `connection.serviceDeadline` has passed; it is nil again.
  func deadlinePassed(_ connection: Connection)

  /// The peer of a suspended connection sends nothing any more, and has perhaps gone. Called once in each suspension. Earlier
  /// bytes are still read after `Connection.goOn`.
  func peerEnded(_ connection: Connection)

  /// No message comes or goes any more. Called once for each connection that was opened or adopted, unless it moved on.
  func closed(_ connection: Connection)

  /// A timer of the service's own.
  func timerFired(_ token: UInt64)

  /// What the kernel knows of the way to a connection's peer and back, looked at now and then: when the connection's timer
  /// fires.
  func measured(roundTripMicroseconds: Int64, on connection: Connection)

  /// A peer on the loopback speaks like a proxy (`X-Forwarded-For`, or a header of the PROXY protocol) and is none of the
  /// trusted ones: all its clients pass for the loopback, which has no limits. Called once in a process.
  func noticedUntoldProxy(address: IPAddress)

  /// All that has come in this turn has been dealt with; what is queued is sent next. Called again when connections have
  /// ended in the turn.
  func turnEnding()
}

extension ShardService {
  package func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool {
    false
  }

  package func peerEnded(_ connection: Connection) {}

  package func measured(roundTripMicroseconds: Int64, on connection: Connection) {}

  package func noticedUntoldProxy(address: IPAddress) {}

  package func turnEnding() {}
}
