// Over TLS every answer tells browsers to come back by TLS alone (RFC 6797), and without TLS none does.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("Strict transport security")
struct TransportSecurityTests {
  private static let field = "\r\nStrict-Transport-Security: max-age=31536000\r\n"
  private static let upgradeOfNothing = String(decoding: TestPeer.upgradeRequest(path: "/no"), as: UTF8.self)

  @Test(
    "Pages, delayed answers, refused upgrades and bad requests have the header, once",
    arguments: [
      ("GET /page HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 200),
      ("GET /later/page HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 200), (upgradeOfNothing, 403),
      ("POST / HTTP/1.1\r\nHost: h\r\n\r\n", 405), ("nonsense\r\n\r\n", 400),
    ]
  )
  func answers(request: String, status: Int) throws {
    let certificate = try TestCertificate()
    let pair = try TLSCertificate(certificate: certificate.certificateFile, key: certificate.keyFile)
    for isTLS in [true, false] {
      let shards = try TestShards(listener: isTLS ? ListenerConfiguration(certificate: pair) : ListenerConfiguration())
      let stream: any ByteStream = try isTLS ? TestTLSSocket(port: shards.address.port) : shards.socket()
      try stream.send(Array(request.utf8))
      var bytes: [UInt8] = []
      while true {
        let more = try stream.receive()
        if more.isEmpty { break }
        bytes += more
      }
      let response = String(decoding: bytes, as: UTF8.self)
      #expect(response.hasPrefix("HTTP/1.1 \(status) "))
      #expect(response.split(separator: Self.field, omittingEmptySubsequences: false).count == (isTLS ? 2 : 1))
    }
  }
}
