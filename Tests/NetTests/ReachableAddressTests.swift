// The address that join links name for a listener on all addresses.
import Net
import Testing

@Suite("Reachable addresses")
struct ReachableAddressTests {
  @Test("An address of one interface stays as it is", arguments: ["127.0.0.1", "192.0.2.7", "2001:db8::7", "::1"])
  func one(_ text: String) throws {
    let address = SocketAddress(ip: try #require(IPAddress(text)), port: 8_080)
    #expect(address.reachable == address)
  }

  @Test("For all addresses it is one that the machine has, with the same port", arguments: ["0.0.0.0", "::"])
  func all(_ text: String) throws {
    let address = SocketAddress(ip: try #require(IPAddress(text)), port: 8_080)
    let reachable = address.reachable
    #expect(reachable.port == 8_080)
    // A machine without a default route has none.
    guard reachable != address else { return }
    let own = try ListeningSocket(ResolvedAddress(host: "\(reachable.ip)", port: 0), limits: NetLimits())
    #expect(own.address.ip == reachable.ip && !reachable.ip.isLoopback)
  }
}
