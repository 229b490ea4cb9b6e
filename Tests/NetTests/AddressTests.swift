// Addresses as values: one form for each, for either family.
import Net
import Testing

@Suite struct AddressTests {
  @Test(
    "An address is written in its usual form",
    arguments: [
      (IPAddress(v4: 0x7F00_0001), "127.0.0.1"),
      (IPAddress(v4: 0), "0.0.0.0"),
      (IPAddress(v4: .max), "255.255.255.255"),
      (IPAddress(v4: 0xC0A8_000A), "192.168.0.10"),
      (IPAddress(high: 0, low: 0x0000_FFFF_0102_0304), "1.2.3.4"),
      (IPAddress(high: 0, low: 1), "::1"),
      (IPAddress(high: 0, low: 0), "::"),
      (IPAddress(high: 0x2001_0DB8_0000_0000, low: 0x0000_0000_0000_0042), "2001:db8::42"),
      (IPAddress(high: 0xFE80_0000_0000_0000, low: 0x0123_4567_89AB_CDEF), "fe80::123:4567:89ab:cdef"),
    ]
  )
  func text(address: IPAddress, text: String) {
    #expect(address.description == text)
  }

  @Test("An IPv4 address and its mapped form are equal")
  func mapped() {
    #expect(IPAddress(v4: 0x0102_0304) == IPAddress(high: 0, low: 0x0000_FFFF_0102_0304))
    #expect(IPAddress(v4: 0x0102_0304) != IPAddress(high: 0, low: 0x0102_0304))
  }

  @Test("All of 127.0.0.0/8 and ::1 are the loopback, and no other address is")
  func loopback() {
    for address in [0x7F00_0001, 0x7F00_0000, 0x7FFF_FFFF] as [UInt32] {
      #expect(IPAddress(v4: address).isLoopback)
    }
    #expect(IPAddress(high: 0, low: 1).isLoopback)
    for address in [0x7E00_0001, 0x8000_0001, 0, 1, 0x0A00_007F] as [UInt32] {
      #expect(!IPAddress(v4: address).isLoopback)
    }
    #expect(!IPAddress(high: 0, low: 0).isLoopback)
    #expect(!IPAddress(high: 0, low: 0x7F00_0001).isLoopback)
    #expect(!IPAddress(high: 1, low: 1).isLoopback)
    #expect(!IPAddress(high: 1, low: 0x0000_FFFF_7F00_0001).isLoopback)
  }

  @Test("A port follows its address, which is in brackets if it has colons")
  func withPort() {
    #expect(SocketAddress(ip: IPAddress(v4: 0x7F00_0001), port: 80).description == "127.0.0.1:80")
    #expect(SocketAddress(ip: IPAddress(high: 0, low: 1), port: 65_535).description == "[::1]:65535")
  }

  @Test("A listening socket reports the port chosen by the kernel")
  func chosenPort() throws {
    let shards = try TestShards()
    #expect(shards.address.port != 0)
    #expect(shards.address.ip == IPAddress(v4: 0x7F00_0001))
  }

  @Test("A failed lookup is an error that names the address")
  func unknownHost() {
    #expect {
      _ = try ResolvedAddress(host: "no such host", port: 1)
    } throws: { "\($0)".contains("no such host") }
  }
}
