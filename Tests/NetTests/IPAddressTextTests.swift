// Addresses read from text, and the unit by which limits count.
import Net
import SeededRandom
import Testing

@Suite struct IPAddressTextTests {
  @Test(
    "An address is read in every usual form",
    arguments: [
      ("127.0.0.1", IPAddress(v4: 0x7F00_0001)),
      ("0.0.0.0", IPAddress(v4: 0)),
      ("255.255.255.255", IPAddress(v4: .max)),
      ("::1", IPAddress(high: 0, low: 1)),
      ("::", IPAddress(high: 0, low: 0)),
      ("2001:db8::42", IPAddress(high: 0x2001_0DB8_0000_0000, low: 0x42)),
      ("2001:0DB8:0:0:0:0:0:0042", IPAddress(high: 0x2001_0DB8_0000_0000, low: 0x42)),
      ("fe80::123:4567:89ab:cdef", IPAddress(high: 0xFE80_0000_0000_0000, low: 0x0123_4567_89AB_CDEF)),
    ]
  )
  func read(text: String, address: IPAddress) {
    #expect(IPAddress(text) == address)
  }

  @Test(
    "A mapped IPv4 address equals the plain one",
    arguments: ["::ffff:1.2.3.4", "::FFFF:102:304", "0:0:0:0:0:ffff:1.2.3.4"]
  )
  func mapped(text: String) {
    #expect(IPAddress(text) == IPAddress("1.2.3.4"))
    #expect(IPAddress(text)?.description == "1.2.3.4")
  }

  @Test(
    "Text that is no address, or has more than an address, is refused",
    arguments: [
      "", " ", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "01.2.3.4", "0x1.2.3.4", "1.2.3.4 ", " 1.2.3.4",
      "1.2.3.4\n", "1.2.3.4\0", "1.2.3.4\0.5", "::1\0", "1.2.3.4:80", "[::1]", "[::1]:80", ":", ":::", "1::2::3",
      "::12345",
      "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1.2.3", "fe80::1%lo", "::1/64", "localhost", "１.2.3.4", "1,2,3,4",
    ]
  )
  func refused(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test("A written address is read back as the same")
  func roundTrip() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<1_000 {
      // Many zeros, shortened in many ways.
      let sparse = IPAddress(
        high: generator.next() & generator.next() & generator.next(),
        low: generator.next() & generator.next() & generator.next()
      )
      let v4 = IPAddress(v4: UInt32(truncatingIfNeeded: generator.next()))
      #expect(IPAddress(sparse.description) == sparse)
      #expect(IPAddress(v4.description) == v4)
    }
  }

  @Test("Reports count by the /24 for IPv4 and by the /48 for IPv6")
  func reportNetwork() throws {
    func network(_ text: String) throws -> IPAddress { try #require(IPAddress(text)).reportNetwork }
    #expect(try network("192.0.2.1") == network("192.0.2.254") && network("192.0.2.1") != network("192.0.3.1"))
    #expect(try network("192.0.2.1") == network("::ffff:192.0.2.7"))
    #expect(try network("2001:db8:1:2::1") == network("2001:db8:1:ff::9"))
    #expect(try network("2001:db8:1::1") != network("2001:db8:2::1"))
  }

  @Test("Limits count by the whole address for IPv4 and by its /64 for IPv6")
  func subscriberNetwork() throws {
    func network(_ text: String) throws -> IPAddress { try #require(IPAddress(text)).subscriberNetwork }
    #expect(try network("192.0.2.1") == IPAddress("192.0.2.1"))
    #expect(try network("192.0.2.1") != network("192.0.2.2"))
    #expect(try network("::ffff:192.0.2.1") == network("192.0.2.1"))
    #expect(try network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff:ffff:ffff:ffff"))
    #expect(try network("2001:db8:1:2::1") != network("2001:db8:1:3::1"))
  }
}
