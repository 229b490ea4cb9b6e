// What a connection's bytes go through: its socket, or a TLS session on it. One small interface, so that nothing above
// asks which.
//
// Owned by one connection and used on its shard's thread.

struct Transport: Sendable {
  let socket: Socket
  var tls: TLSSession?

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Socket.Outcome {
    if let tls { tls.receive(into: buffer) } else { socket.receive(into: buffer) }
  }

  /// Sends as much of `first` and then `second` as is taken. TLS makes one record of both, for which they are laid end to
  /// end in `room`; what is not taken must be the first of what is sent next.
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

  /// Bytes that readiness won't tell of.
  var hasPending: Bool { tls?.hasPending ?? false }

  /// Tells the peer that no more bytes come, and goes on reading.
  func endSending() {
    tls?.endSending()
    socket.endSending()
  }
}
