// The client's address behind proxies, from X-Forwarded-For as proxies and forgers write it.
import Net
import Testing

@Suite struct TrustedProxiesTests {
  /// 10.0.0.0/8 and fd00::/8 are our proxies, all other addresses are clients.
  private let proxies: TrustedProxies

  init() throws {
    proxies = TrustedProxies(try ["10.0.0.0/8", "fd00::/8"].map { try IPNetwork($0) })
  }

  private func client(_ values: String..., peer: String = "10.0.0.1") throws -> String {
    proxies.clientAddress(peer: try #require(IPAddress(peer)), forwardedFor: values).description
  }

  @Test("Behind one proxy the client is the last element")
  func oneProxy() throws {
    #expect(try client("192.0.2.1") == "192.0.2.1")
    #expect(try client("2001:db8::1") == "2001:db8::1")
    #expect(try client("192.0.2.1", peer: "fd00::1") == "192.0.2.1")
  }

  @Test("Trusted proxies are skipped, in one value or in several")
  func chains() throws {
    #expect(try client("192.0.2.1, 10.0.0.3, 10.0.0.2") == "192.0.2.1")
    #expect(try client("192.0.2.1", "10.0.0.3, fd00::2") == "192.0.2.1")
    #expect(try client("192.0.2.1", "10.0.0.3", "10.0.0.2") == "192.0.2.1")
  }

  @Test("Elements that a client wrote are left of its address and are ignored")
  func forged() throws {
    #expect(try client("198.51.100.7, 192.0.2.1") == "192.0.2.1")
    #expect(try client("10.0.0.9, 192.0.2.1") == "192.0.2.1")
    #expect(try client("198.51.100.7", "192.0.2.1, 10.0.0.2") == "192.0.2.1")
    #expect(try client("nonsense,,, 192.0.2.1") == "192.0.2.1")
  }

  @Test("A combining character after a comma does not hide the comma")
  func joiningLetter() throws {
    // U+0600 makes one character with what follows; U+0301 with what is before.
    #expect(try client("x\u{600}, 192.0.2.1") == "192.0.2.1")
    #expect(try client("x,\u{301} 198.51.100.7, 192.0.2.1") == "192.0.2.1")
  }

  @Test("An untrusted peer is the client, whatever its headers are")
  func untrustedPeer() throws {
    #expect(try client("198.51.100.7", peer: "192.0.2.1") == "192.0.2.1")
    #expect(try client("10.0.0.1", peer: "192.0.2.1") == "192.0.2.1")
    let nobody = TrustedProxies()
    let peer = try #require(IPAddress("10.0.0.1"))
    #expect(nobody.isEmpty)
    #expect(nobody.clientAddress(peer: peer, forwardedFor: ["192.0.2.1"]) == peer)
  }

  @Test("Without a header, or between proxies, the farthest proxy is the client")
  func noClient() throws {
    #expect(try client() == "10.0.0.1")
    #expect(try client("10.0.0.2") == "10.0.0.2")
    #expect(try client("10.0.0.3, 10.0.0.2") == "10.0.0.3")
  }

  @Test(
    "An element may carry a port, brackets and blanks",
    arguments: [
      "192.0.2.1:50000", " 192.0.2.1 ", "\t192.0.2.1:1\t", "::ffff:192.0.2.1", "[::ffff:192.0.2.1]",
      "[::ffff:192.0.2.1]:50000", "192.0.2.1:0", " [::ffff:192.0.2.1]:65535 ",
    ]
  )
  func elementForms(element: String) throws {
    #expect(try client(element) == "192.0.2.1")
    #expect(try client("\(element),10.0.0.2:80") == "192.0.2.1")
  }

  @Test(
    "An element that is no address ends the search at the last trusted proxy",
    arguments: [
      "", " ", "unknown", "_hidden", "192.0.2", "192.0.2.1:", "192.0.2.1:x", "192.0.2.1:65536", "192.0.2.1:080",
      "192.0.2.1:+80", "192.0.2.1 x", "[192.0.2.1]", "[2001:db8::1", "2001:db8::1]", "[2001:db8::1]x", "[2001:db8::1]:",
      "[2001:db8::1]80", "[]", "[", "]", ":", ":80", "2001:db8::1%eth0", "\"192.0.2.1\"", "for=192.0.2.1",
      "192.0.2.1\0",
      "192.0.2.1;",
    ]
  )
  func brokenElements(element: String) throws {
    #expect(try client(element) == "10.0.0.1")
    #expect(try client("192.0.2.1, \(element), 10.0.0.2") == "10.0.0.2")
    #expect(try client("192.0.2.1", element, "10.0.0.2") == "10.0.0.2")
  }

  @Test("At most 32 hops are accepted")
  func manyHops() throws {
    func hops(_ count: Int) -> String { (1...count).reversed().map { "10.0.1.\($0)" }.joined(separator: ",") }
    #expect(try client("192.0.2.1,\(hops(31))") == "192.0.2.1")
    #expect(try client("192.0.2.1,\(hops(32))") == "10.0.1.32")
    #expect(try client("192.0.2.1,\(hops(200))") == "10.0.1.32")
    #expect(try client("192.0.2.1", hops(20), hops(20)) == "10.0.1.12")
  }
}
