// Addresses that the server may connect to. A pure value.
//
// The author of a URL could otherwise have the server ask machines that only it can reach: databases, routers, the
// metadata service of a cloud. The policy judges the address of a socket at the moment of its connection, so a name
// that changes its address gains nothing.
// Special addresses are those of IANA's registries (RFC 6890).

package enum AddressPolicy: Hashable, Sendable {
  /// Only addresses that anybody can reach.
  case publicOnly
  /// Also those of the own machine and of private networks: 10/8, 100.64/10, 127/8, 172.16/12, 192.168/16, ::1 and
  /// fc00::/7. Link-local addresses stay refused, since clouds keep credentials there.
  case privateAllowed

  /// Whether the IPv4 address may be connected to; its first byte is the highest.
  package func allows(v4 address: UInt32) -> Bool {
    if Self.privateV4.contains(where: { $0.contains(address) }) { return self == .privateAllowed }
    return !Self.specialV4.contains { $0.contains(address) }
  }

  /// Whether the IPv6 address may be connected to; `high` has its first eight bytes. An address with an IPv4 address in
  /// it is judged as that one.
  package func allows(v6High high: UInt64, low: UInt64) -> Bool {
    if let inner = Self.innerV4(high, low) { return allows(v4: inner) }
    if (high == 0 && low == 1) || high >> 57 == 0xFC >> 1 { return self == .privateAllowed }
    // Only 2000::/3 is given to anybody. The rest has link-local, site-local, multicast and discard addresses, ::, and
    // the local prefix of translators.
    return high >> 61 == 1 && !Self.specialV6.contains { $0.contains(high) }
  }

  /// The IPv4 address that a packet to the IPv6 address reaches.
  private static func innerV4(_ high: UInt64, _ low: UInt64) -> UInt32? {
    // ::ffff:0:0/96, mapped.
    if high == 0 && low >> 32 == 0xFFFF { return UInt32(truncatingIfNeeded: low) }
    // 64:ff9b::/96, by a translator (RFC 6052).
    if high == 0x0064_FF9B_0000_0000 && low >> 32 == 0 { return UInt32(truncatingIfNeeded: low) }
    // 2002::/16, 6to4.
    if high >> 48 == 0x2002 { return UInt32(truncatingIfNeeded: high >> 16) }
    return nil
  }

  private struct V4Network {
    let first: UInt32
    let prefixBits: UInt32

    init(_ a: UInt32, _ b: UInt32, _ c: UInt32, bits: UInt32) {
      first = a << 24 | b << 16 | c << 8
      prefixBits = bits
    }

    func contains(_ address: UInt32) -> Bool { (address ^ first) >> (32 - prefixBits) == 0 }
  }

  private struct V6Network {
    let first: UInt64
    let prefixBits: UInt64

    func contains(_ high: UInt64) -> Bool { (high ^ first) >> (64 - prefixBits) == 0 }
  }

  private static let privateV4 = [
    V4Network(10, 0, 0, bits: 8),
    V4Network(100, 64, 0, bits: 10),
    V4Network(127, 0, 0, bits: 8),
    V4Network(172, 16, 0, bits: 12),
    V4Network(192, 168, 0, bits: 16),
  ]

  private static let specialV4 = [
    V4Network(0, 0, 0, bits: 8),
    // Link-local.
    V4Network(169, 254, 0, bits: 16),
    // Protocol assignments, and three networks for documentation.
    V4Network(192, 0, 0, bits: 24),
    V4Network(192, 0, 2, bits: 24),
    V4Network(198, 51, 100, bits: 24),
    V4Network(203, 0, 113, bits: 24),
    // Relays of 6to4.
    V4Network(192, 88, 99, bits: 24),
    // Benchmarks.
    V4Network(198, 18, 0, bits: 15),
    // Multicast, and what is reserved, with the broadcast address.
    V4Network(224, 0, 0, bits: 4),
    V4Network(240, 0, 0, bits: 4),
  ]

  private static let specialV6 = [
    // Protocol assignments, with Teredo, benchmarks and ORCHID.
    V6Network(first: 0x2001_0000_0000_0000, prefixBits: 23),
    // Documentation.
    V6Network(first: 0x2001_0DB8_0000_0000, prefixBits: 32),
    V6Network(first: 0x3FFF_0000_0000_0000, prefixBits: 20),
  ]
}
