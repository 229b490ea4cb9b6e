// The path of a connection's bytes: its socket, or a TLS session on it. One small interface, so that the code above
// need not ask which.
//
// Owned by one connection and used on its shard's queue.

struct Transport: Sendable {
  let socket: Socket
  var tls: TLSSession?

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Socket.Outcome {
    if let tls { tls.receive(into: buffer) } else { socket.receive(into: buffer) }
  }

  /// Whether bytes wait that readiness won't report.
  var hasPending: Bool { tls?.hasPending ?? false }

  /// Ends the outgoing direction; reading goes on.
  func endSending() {
    tls?.endSending()
    socket.endSending()
  }
}
