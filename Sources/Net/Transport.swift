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

  /// Sends as much of `first` and then `second` as is taken. TLS makes one record of both, laid end to end in `room`.
  /// The bytes not taken must come first in the next call.
  func send(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer,
    room: inout [UInt8]
  ) -> Socket.Outcome {
    guard let tls else { return socket.send(first, second) }
    guard !second.isEmpty else { return tls.send(first) }
    room.removeAll(keepingCapacity: true)
    room.append(contentsOf: first)
    room.append(contentsOf: second)
    return room.withUnsafeBytes { tls.send($0) }
  }

  /// Whether bytes wait that readiness won't report.
  var hasPending: Bool { tls?.hasPending ?? false }

  /// Ends the outgoing direction; reading goes on.
  func endSending() {
    tls?.endSending()
    socket.endSending()
  }
}
