// Takes a PROXY header out of a socket, and no byte behind it: those may be for TLS.
//
// On the queue of the shard that owns the socket.

extension Socket {
  enum ProxyHeaderOutcome {
    /// The header has been taken; the source is nil where the proxy speaks for itself.
    case taken(source: SocketAddress?)
    /// The beginning of a header has come, and stays in the socket.
    case incomplete
    case nothing
    /// The bytes are no such header, or the connection is over.
    case broken
  }

  /// Reads into `buffer`, which is longer than any header.
  func takeProxyHeader(in buffer: UnsafeMutableRawBufferPointer) -> ProxyHeaderOutcome {
    let count: Int
    switch peek(into: buffer) {
    case .bytes(let peeked): count = peeked
    case .wouldBlock: return .nothing
    case .blockedByWriting, .ended, .failed: return .broken
    }
    do throws(ProxyHeaderFault) {
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      guard let header = try ProxyHeader.parse(bytes) else { return .incomplete }
      let headerBuffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<header.byteCount])
      guard case .bytes(header.byteCount) = receive(into: headerBuffer) else { return .broken }
      return .taken(source: header.source)
    } catch {
      return .broken
    }
  }
}
