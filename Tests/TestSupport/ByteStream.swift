// Bytes to a server and back, in the clear or through TLS: what a test's client stands on.

package protocol ByteStream {
  /// The TCP connection below.
  var socket: TestSocket { get }

  func send(_ bytes: some Collection<UInt8>) throws

  /// The next bytes; empty when the peer has ended or reset the connection.
  func receive() throws -> [UInt8]
}

extension TestSocket: ByteStream {
  package var socket: TestSocket { self }
}
