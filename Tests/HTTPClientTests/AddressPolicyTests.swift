// The policy of addresses, at both ends of each special network.
import Glibc
import HTTPClient
import Testing

@Suite("Policy of addresses")
struct AddressPolicyTests {
  private func isAllowed(_ text: String, _ policy: AddressPolicy) throws -> Bool {
    if text.contains(":") {
      var address = in6_addr()
      try #require(inet_pton(AF_INET6, text, &address) == 1, "\(text)")
      return withUnsafeBytes(of: address) {
        policy.allows(
          v6High: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
          low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
    }
    var address = in_addr()
    try #require(inet_pton(AF_INET, text, &address) == 1, "\(text)")
    return policy.allows(v4: UInt32(bigEndian: address.s_addr))
  }

  @Test(
    "Public addresses are allowed, also those beside special networks",
    arguments: [
      "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
      "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
      "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
      "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "8.8.8.8", "93.184.216.34",
      "2000::", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2606:4700::1111", "3ffe:ffff::", "3fff:1000::",
    ]
  )
  func publicOnes(address: String) throws {
    #expect(try isAllowed(address, .publicOnly))
    #expect(try isAllowed(address, .privateAllowed))
  }

  @Test(
    "Private addresses and those of the own machine are allowed only where private ones are",
    arguments: [
      "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0", "127.0.0.1", "127.255.255.255",
      "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255", "::1", "fc00::", "fd00:ec2::254",
      "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ]
  )
  func privateOnes(address: String) throws {
    #expect(try !isAllowed(address, .publicOnly))
    #expect(try isAllowed(address, .privateAllowed))
  }

  @Test(
    "Addresses of no single public or private machine are always refused",
    arguments: [
      // Unspecified, link-local with metadata services, protocols, documentation, relays, benchmarks.
      "0.0.0.0", "0.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "192.0.0.0", "192.0.0.255",
      "192.0.2.0", "192.0.2.255", "192.88.99.0", "192.88.99.255", "198.18.0.0", "198.19.255.255", "198.51.100.0",
      "198.51.100.255", "203.0.113.0", "203.0.113.255",
      // Multicast, reserved, broadcast.
      "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255",
      // Unspecified, IPv4-compatible, discard, translators' local prefix, SRv6.
      "::", "::2", "::7f00:1", "::8.8.8.8", "100::", "100::ffff", "64:ff9b:1::", "64:ff9b:1::8.8.8.8", "5f00::",
      // Link-local, site-local, multicast.
      "fe80::", "fe80::1", "febf:ffff::", "fec0::", "feff::", "ff00::", "ff02::1", "ffff::",
      // Teredo, benchmarks, ORCHID, documentation, and what is not given out.
      "2001::", "2001:0:7f00:1::", "2001:2::", "2001:10::", "2001:20::", "2001:1ff:ffff::", "2001:db8::",
      "2001:db8:ffff:ffff::", "3fff::", "3fff:fff:ffff::", "1fff::", "4000::", "8000::", "fb00::", "fe00::",
    ]
  )
  func specialOnes(address: String) throws {
    #expect(try !isAllowed(address, .publicOnly))
    #expect(try !isAllowed(address, .privateAllowed))
  }

  @Test(
    "An IPv6 address that stands for an IPv4 address is judged as that one",
    arguments: ["::ffff:", "64:ff9b::"]
  )
  func innerOnes(prefix: String) throws {
    for (address, isPublic, isPrivate) in Self.inner {
      #expect(try isAllowed(prefix + address, .publicOnly) == isPublic, "\(prefix)\(address)")
      #expect(try isAllowed(prefix + address, .privateAllowed) == (isPublic || isPrivate), "\(prefix)\(address)")
    }
  }

  @Test("So is an address of 6to4")
  func sixToFour() throws {
    for (address, isPublic, isPrivate) in Self.inner {
      let bytes = address.split(separator: ".").compactMap { UInt32($0) }
      let text = "2002:\(String(bytes[0] << 8 | bytes[1], radix: 16)):\(String(bytes[2] << 8 | bytes[3], radix: 16))::1"
      #expect(try isAllowed(text, .publicOnly) == isPublic, "\(text)")
      #expect(try isAllowed(text, .privateAllowed) == (isPublic || isPrivate), "\(text)")
    }
  }

  private static let inner = [
    ("8.8.8.8", true, false), ("127.0.0.1", false, true), ("10.1.2.3", false, true), ("169.254.169.254", false, false),
    ("0.0.0.0", false, false), ("224.0.0.1", false, false), ("255.255.255.255", false, false),
  ]
}
