// A proxy on this machine that the settings don't name is noticed, once, by the headers that it writes.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("Proxies that are not configured")
struct UndeclaredProxyTests {
  private static let plain = Array("GET /page HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
  private static let forwarded = Array("GET /page HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n".utf8)
  private static let text = Array("PROXY TCP4 192.0.2.1 192.0.2.2 50000 443\r\n".utf8)
  private static let binary: [UInt8] =
    [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    + [0x21, 0x11, 0, 12, 192, 0, 2, 1, 192, 0, 2, 2, 0xC3, 0x50, 0x01, 0xBB]

  /// The number of proxies noticed once these bytes have been handled.
  private func noticed(_ shards: TestShards, _ bytes: [UInt8]) throws -> Int {
    let socket = try shards.socket()
    try socket.send(bytes)
    _ = try socket.receive()
    return shards.log.events.filter { $0.hasSuffix("undeclared proxy 127.0.0.1") }.count
  }

  @Test(
    "A proxy's header is noticed, in either form, and only once",
    arguments: [forwarded, text + plain, binary + plain]
  )
  func once(bytes: [UInt8]) throws {
    let shards = try TestShards(2)
    #expect(try noticed(shards, Self.plain) == 0)
    for _ in 0..<4 { #expect(try noticed(shards, bytes) == 1) }
  }

  @Test("A header of the PROXY protocol is noticed in front of TLS", arguments: [text, binary])
  func inFrontOfTLS(header: [UInt8]) throws {
    let certificate = try TestCertificate()
    let pair = try TLSCertificate(certificate: certificate.certificateFile, key: certificate.keyFile)
    let shards = try TestShards(listener: ListenerConfiguration(certificate: pair))
    _ = try TestPeer(TestTLSSocket(port: shards.address.port))
    #expect(try noticed(shards, header) == 1)
  }

  @Test("A configured proxy is not reported")
  func configured() throws {
    let trusted = TrustedProxies([try IPNetwork("127.0.0.0/8")])
    let shards = try TestShards(listener: ListenerConfiguration(trustedProxies: trusted))
    #expect(try noticed(shards, Self.forwarded) == 0)
    let speaking = try TestShards(listener: ListenerConfiguration(trustedProxies: trusted, expectsProxyHeader: true))
    #expect(try noticed(speaking, Self.text + Self.forwarded) == 0)
  }
}
