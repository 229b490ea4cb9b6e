// Bytes to a server and back, in the clear or through TLS: the base of a test's client.

import WebSocket

package protocol ByteStream {
  /// The TCP connection below.
  var socket: TestSocket { get }

  func send(_ bytes: some Collection<UInt8>) throws

  /// The next bytes; empty when the peer has ended or reset the connection.
  func receive() throws -> [UInt8]
}

extension ByteStream {
  /// Reads the answer to an upgrade request, and the bytes behind it. Throws when it is no 101.
  package func finishUpgrade() throws -> (head: ResponseHead, behind: [UInt8]) {
    var parser = ResponseHeadParser(limits: HeadLimits())
    var bytes: [UInt8] = []
    while true {
      let more = try receive()
      if more.isEmpty { throw TestFailure("ended before the upgrade: \(String(decoding: bytes, as: UTF8.self))") }
      bytes += more
      guard let (head, count) = try bytes.withUnsafeBytes({ try parser.parse($0) }) else { continue }
      guard head.status == 101 else { throw TestFailure("not upgraded: \(String(decoding: bytes, as: UTF8.self))") }
      return (head, Array(bytes[count...]))
    }
  }
}

extension TestSocket: ByteStream {
  package var socket: TestSocket { self }
}
