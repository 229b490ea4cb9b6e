// The machine's addresses, and which of all addresses another machine may dial.
import Net
import Testing

@Suite("Addresses of the machine's networks")
struct InterfaceAddressTests {
  @Test(
    "One machine's addresses beyond a single link can be dialled",
    arguments: ["192.168.0.10", "10.8.0.2", "93.184.215.14", "223.255.255.1", "2001:db8::7", "fd00::7"]
  )
  func dialable(_ text: String) throws {
    #expect(try #require(IPAddress(text)).isDialable)
  }

  @Test(
    "The loopback, all addresses, single links, many machines and reserved ones can't",
    arguments: [
      "127.0.0.1", "::1", "0.0.0.0", "::", "0.1.2.3", "169.254.7.7", "fe80::1", "febf::1", "224.0.0.251", "240.0.0.1",
      "255.255.255.255", "ff02::1",
    ]
  )
  func others(_ text: String) throws {
    #expect(try !#require(IPAddress(text)).isDialable)
  }

  @Test("Each listed address can be listened on, IPv4 comes first, and the reachable one is among them")
  func all() throws {
    let addresses = InterfaceAddress.all()
    for address in addresses {
      #expect(address.ip.isDialable && !address.interface.isEmpty)
      let own = try ListeningSocket(ResolvedAddress(host: "\(address.ip)", port: 0), limits: NetLimits())
      #expect(own.address.ip == address.ip)
    }
    let families = addresses.map(\.ip.isV4)
    #expect(families == families.filter { $0 } + families.filter { !$0 })
    let everywhere = SocketAddress(ip: try #require(IPAddress("0.0.0.0")), port: 8_080)
    guard everywhere.reachable != everywhere else { return }
    #expect(addresses.contains { $0.ip == everywhere.reachable.ip })
  }
}
