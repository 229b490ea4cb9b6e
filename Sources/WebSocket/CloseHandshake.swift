// Where the closing handshake of one connection stands (RFC 6455 §7.1). A value; it sends nothing and knows no time:
// the connection asks it what to send, and ends the wait for a silent peer by its own deadline.

/// The closing handshake of one endpoint: each side sends one close frame.
package struct CloseHandshake: Sendable {
  private enum Phase {
    case open
    /// Our close frame is sent, the peer's has not come; its messages may still arrive.
    case closing
    case finished
  }

  private var phase = Phase.open

  package init() {}

  /// No close frame was sent or received: messages may be sent.
  package var isOpen: Bool { phase == .open }

  /// Both close frames are sent: the transport may be shut down, by the server first.
  package var isFinished: Bool { phase == .finished }

  /// Begins to close. True when a close frame must be sent now; false when one was sent before.
  package mutating func start() -> Bool {
    guard phase == .open else { return false }
    phase = .closing
    return true
  }

  /// Takes note of the peer's close frame. True when a close frame must be sent now as the answer.
  package mutating func receivedClose() -> Bool {
    defer { phase = .finished }
    return phase == .open
  }
}
