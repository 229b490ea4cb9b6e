// Newcomers through proxies, over real sockets: the addresses of their connections and requests.
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct ListenerConfigurationTests {
  private static let loopback = "127.0.0.1"

  private func configuration(trusting networks: String..., expectsProxyHeader: Bool = false) throws
    -> ListenerConfiguration
  {
    ListenerConfiguration(
      trustedProxies: TrustedProxies(try networks.map { try IPNetwork($0) }),
      expectsProxyHeader: expectsProxyHeader
    )
  }

  /// Shards that trust the header of proxies on this machine.
  private func behindProxy(_ certificate: TLSCertificate? = nil) throws -> TestShards {
    var configuration = try configuration(trusting: Self.loopback, expectsProxyHeader: true)
    configuration.certificate = certificate
    return try TestShards(listener: configuration)
  }

  /// The server's address for a peer, over that peer's own connection.
  private func address(on stream: any ByteStream) throws -> String {
    let peer = try TestPeer(stream)
    try peer.send("address")
    guard case .text(let text) = try peer.next() else { throw TestFailure("no answer") }
    return String(text.dropFirst(2))
  }

  // The PROXY protocol's two forms, from its specification and not from the parser under test.

  private static let text = Array("PROXY TCP4 192.0.2.1 192.0.2.2 50000 443\r\n".utf8)
  private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
  private static let binary: [UInt8] =
    signature + [0x21, 0x11, 0, 12, 192, 0, 2, 1, 192, 0, 2, 2, 0xC3, 0x50, 0x01, 0xBB]
  private static let binaryLocal: [UInt8] = signature + [0x20, 0x00, 0, 0]
  private static let textUnknown = Array("PROXY UNKNOWN\r\n".utf8)

  @Test("Both versions of the PROXY header name the client", arguments: [text, binary])
  func proxyHeader(header: [UInt8]) throws {
    let shards = try behindProxy()
    let socket = try shards.socket()
    try socket.send(header)
    #expect(try address(on: socket) == "192.0.2.1:50000")
    // In one piece with the bytes behind it.
    let together = try shards.socket()
    try together.send(header + TestPeer.upgradeRequest() + TestPeer.frame("address"))
    #expect(try TestPeer(awaitingUpgradeOn: together).next() == .text("0:192.0.2.1:50000"))
  }

  @Test("A header that arrives byte by byte is read", arguments: [text, binary])
  func drippedHeader(header: [UInt8]) throws {
    let shards = try behindProxy()
    let socket = try shards.socket()
    for byte in header {
      try socket.send([byte])
      try shards.pass(milliseconds: 20)
    }
    try socket.send(TestPeer.upgradeRequest() + TestPeer.frame("address"))
    // The kernel may bring the last byte late. An incomplete header is looked at again in 10 ms.
    for _ in 0..<200 where !socket.hasInput { try shards.pass(milliseconds: 20) }
    #expect(try TestPeer(awaitingUpgradeOn: socket).next() == .text("0:192.0.2.1:50000"))
  }

  @Test("A LOCAL connection of a proxy has the proxy's own address", arguments: [binaryLocal, textUnknown])
  func local(header: [UInt8]) throws {
    let shards = try behindProxy()
    let socket = try shards.socket()
    try socket.send(header)
    #expect(try address(on: socket).hasPrefix("\(Self.loopback):"))
  }

  @Test("TLS begins after the header", arguments: [text, binary])
  func tls(header: [UInt8]) throws {
    let files = try TestCertificate()
    let shards = try behindProxy(try TLSCertificate(certificate: files.certificateFile, key: files.keyFile))
    let socket = try shards.socket()
    try socket.send(header)
    #expect(try address(on: TestTLSSocket(socket)) == "192.0.2.1:50000")
  }

  @Test(
    "A trusted proxy that begins with anything else is closed without an answer",
    arguments: [
      Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8), Array("PROXY TCP4 192.0.2.1\r\n".utf8),
      Array("PROXY TCP4 999.0.2.1 192.0.2.2 1 2\r\n".utf8), Array("PROXY \(String(repeating: "x", count: 200))".utf8),
      signature + [0x31, 0x11, 0, 12], signature + [0x21, 0x11, 0, 4, 192, 0, 2, 1],
      signature + [0x21, 0x11, 0xFF, 0xFF],
      [0x16, 0x03, 0x01, 0x02, 0x00],
    ]
  )
  func garbage(bytes: [UInt8]) throws {
    let shards = try behindProxy()
    let socket = try shards.socket()
    try socket.send(bytes)
    #expect(try socket.receiveToEnd().isEmpty)
    let good = try shards.socket()
    try good.send(Self.text)
    #expect(try address(on: good) == "192.0.2.1:50000")
    #expect(try shards.on(0) { $0.core.connectionCount } == 1)
  }

  @Test("A missing or incomplete header times out after 10 s", arguments: [[], text.dropLast()])
  func missing(beginning: [UInt8]) throws {
    let shards = try behindProxy()
    let socket = try shards.socket()
    try socket.send(beginning)
    let later = try shards.socket()
    try later.send(Self.text)
    _ = try address(on: later)
    try shards.pass(milliseconds: 9_900)
    #expect(!socket.hasInput)
    try shards.pass(milliseconds: 200)
    #expect(try socket.receiveToEnd().isEmpty)
  }

  @Test("A header from an untrusted peer is a bad request", arguments: [text, binary])
  func untrustedHeader(header: [UInt8]) throws {
    let shards = try TestShards(listener: try configuration(trusting: "192.0.2.0/24", expectsProxyHeader: true))
    let socket = try shards.socket()
    try socket.send(header + TestPeer.upgradeRequest())
    #expect(String(decoding: try socket.receiveToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
    #expect(try address(on: shards.socket()).hasPrefix("\(Self.loopback):"))
  }

  /// Values of X-Forwarded-For, each in a field of its own, and the client that they name.
  static let chains: [(values: [String], client: String)] = [
    ([], loopback),
    (["192.0.2.1"], "192.0.2.1"),
    (["192.0.2.1, 10.1.2.3"], "192.0.2.1"),
    (["192.0.2.1", "10.1.2.3, 127.0.0.1"], "192.0.2.1"),
    (["203.0.113.7, 192.0.2.1"], "192.0.2.1"),
    (["10.0.0.1"], "10.0.0.1"),
    (["[2001:db8::1]:4711"], "2001:db8::1"),
    (["nonsense"], loopback),
    (["192.0.2.1, nonsense, 10.1.2.3"], "10.1.2.3"),
    (["192.0.2.1,"], loopback),
  ]

  /// The clients that a plain request and an upgrade report.
  private func clients(_ shards: TestShards, _ values: [String]) throws -> [String] {
    let fields = values.map { "X-Forwarded-For: \($0)\r\n" }.joined()
    let plain = try shards.socket()
    try plain.send(Array("GET /address HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(fields)\r\n".utf8))
    let answer = String(decoding: try plain.receiveToEnd(), as: UTF8.self)
    let upgraded = try shards.socket()
    try upgraded.send(
      Array((String(decoding: TestPeer.upgradeRequest(), as: UTF8.self).dropLast() + fields + "\r\n").utf8)
    )
    let peer = try TestPeer(awaitingUpgradeOn: upgraded)
    try peer.send("address")
    guard case .text(let text) = try peer.next() else { throw TestFailure("no answer") }
    return [String(answer.split(separator: "\r\n\r\n").last ?? ""), String(text.dropFirst(2))]
  }

  @Test(
    "X-Forwarded-For is accepted from trusted proxies, from the right up to the first unknown address",
    arguments: chains.indices
  )
  func forwardedFor(index: Int) throws {
    let (values, client) = Self.chains[index]
    let shards = try TestShards(listener: try configuration(trusting: Self.loopback, "10.0.0.0/8"))
    let address = IPAddress(client)
    for found in try clients(shards, values) { #expect(Self.ip(of: found) == address, "\(values): \(found)") }
  }

  @Test("X-Forwarded-For from any other peer is ignored")
  func untrustedForwardedFor() throws {
    for configuration in [ListenerConfiguration(), try configuration(trusting: "10.0.0.0/8")] {
      let shards = try TestShards(listener: configuration)
      for found in try clients(shards, ["192.0.2.1"]) { #expect(Self.ip(of: found) == IPAddress(Self.loopback)) }
    }
  }

  /// The address in `192.0.2.1:80` or `[2001:db8::1]:80`.
  private static func ip(of text: String) -> IPAddress? {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    return IPAddress(text[..<colon].filter { $0 != "[" && $0 != "]" })
  }
}
