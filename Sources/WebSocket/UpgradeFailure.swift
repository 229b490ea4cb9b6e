// The faults of an answer to the client's opening handshake. A value.

/// A reason why a server's answer is not a WebSocket connection.
package enum UpgradeFailure: Error, Sendable, Equatable {
  /// The answer is no HTTP/1.1 head, or too large a one, or one of its fields breaks that field's grammar.
  case malformed(String)
  /// The server answered with this status instead of 101.
  case refused(status: Int)
  /// Upgrade, Connection or Sec-WebSocket-Accept are not the required ones.
  case notWebSocket(String)
  /// The server chose an extension, its parameter or a subprotocol that was not offered.
  case notOffered(String)

  init(_ fault: HeadFault) {
    switch fault {
    case .malformed(let reason), .tooLarge(let reason): self = .malformed(reason)
    }
  }
}
