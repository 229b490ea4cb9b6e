// Networks in CIDR notation: their addresses, and texts that are no networks.
import Net
import Testing

@Suite struct IPNetworkTests {
  @Test(
    "A network contains its first and last address and none outside them",
    arguments: [
      ("10.0.0.0/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
      ("192.0.2.64/26", "192.0.2.64", "192.0.2.127", "192.0.2.63", "192.0.2.128"),
      ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.0", "192.0.2.2"),
      ("192.0.2.1/32", "192.0.2.1", "192.0.2.1", "192.0.2.0", "192.0.2.2"),
      ("192.0.2.0/31", "192.0.2.0", "192.0.2.1", "192.0.1.255", "192.0.2.2"),
      ("128.0.0.0/1", "128.0.0.0", "255.255.255.255", "127.255.255.255", "::1:0:0:0"),
      ("2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff::", "2001:db9::"),
      ("2001:db8::/64", "2001:db8::", "2001:db8::ffff:ffff:ffff:ffff", "2001:db7::", "2001:db8:0:1::"),
      ("2001:db8::/65", "2001:db8::", "2001:db8::7fff:ffff:ffff:ffff", "2001:db7::", "2001:db8::8000:0:0:0"),
      ("2001:db8::/63", "2001:db8::", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db7::", "2001:db8:0:2::"),
      ("::1", "::1", "::1", "::", "::2"),
      ("::1/128", "::1", "::1", "::", "::2"),
    ]
  )
  func bounds(text: String, first: String, last: String, below: String, above: String) throws {
    let network = try IPNetwork(text)
    #expect(network.contains(try #require(IPAddress(first))))
    #expect(network.contains(try #require(IPAddress(last))))
    #expect(!network.contains(try #require(IPAddress(below))))
    #expect(!network.contains(try #require(IPAddress(above))))
  }

  @Test("Bits behind the prefix are dropped")
  func hostBits() throws {
    #expect(try IPNetwork("10.1.2.3/8") == IPNetwork("10.0.0.0/8"))
    #expect(try IPNetwork("2001:db8::1/32") == IPNetwork("2001:db8::/32"))
    #expect(try IPNetwork("10.0.0.0/8") != IPNetwork("10.0.0.0/9"))
    #expect(try IPNetwork("10.1.2.3/8").description == "10.0.0.0/8")
    #expect(try IPNetwork("2001:DB8::1").description == "2001:db8::1/128")
    #expect(try IPNetwork("192.0.2.1").description == "192.0.2.1/32")
  }

  @Test("A network of one whole family contains no address of the other")
  func families() throws {
    let v4 = try #require(IPAddress("192.0.2.1"))
    let v6 = try #require(IPAddress("2001:db8::1"))
    let everyV4 = try IPNetwork("0.0.0.0/0")
    let everyV6 = try IPNetwork("::/0")
    #expect(everyV4.contains(v4))
    #expect(!everyV4.contains(v6))
    #expect(everyV6.contains(v6))
    #expect(!everyV6.contains(v4))
  }

  @Test("A network in the mapped form equals the plain one")
  func mapped() throws {
    #expect(try IPNetwork("::ffff:10.0.0.0/104") == IPNetwork("10.0.0.0/8"))
    #expect(try IPNetwork("::ffff:10.0.0.1") == IPNetwork("10.0.0.1"))
  }

  @Test(
    "Text that is no network is refused with an error that quotes it",
    arguments: [
      "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8/8",
      "10.0.0.0/ 8",
      "10.0.0.0 /8", "10.0.0.0/8 ", "10/8", "10.0.0.0/255.0.0.0", "10.0.0.0/99999999999999999999", "::/129", "::1/x",
      "[::1]/128", "example.org", "10.0.0.0-10.0.0.9", "10.0.0.*", "1.2.3.4,5.6.7.8",
    ]
  )
  func refused(text: String) {
    #expect {
      _ = try IPNetwork(text)
    } throws: { "\($0)".contains("\"\(text)\"") && "\($0)".contains("10.0.0.0/8") }
  }
}
