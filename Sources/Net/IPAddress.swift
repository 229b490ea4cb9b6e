// Addresses of peers and of listeners, as comparable values, from the kernel's form and from text.
//
// A value. Reading one never looks a name up. IPv4 is kept in its IPv6-mapped form, so that a phone has one address for
// listeners of either family.
// Decisions: 006 (docs/decisions).
import Glibc

/// An IPv6 address, or an IPv4 one in its mapped form (`::ffff:a.b.c.d`).
package struct IPAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  private static let mappedPrefix: UInt64 = 0x0000_FFFF_0000_0000

  package init(v4 address: UInt32) {
    high = 0
    low = Self.mappedPrefix | UInt64(address)
  }

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads `192.0.2.1` or `2001:db8::1` and nothing around it: no port, brackets, zone or blanks. Nil for anything
  /// else.
  package init?(_ text: some StringProtocol) {
    // The C function stops at a zero byte and would accept the text before it.
    guard !text.utf8.contains(0) else { return nil }
    if text.utf8.contains(UInt8(ascii: ":")) {
      var bytes = in6_addr()
      guard text.withCString({ inet_pton(AF_INET6, $0, &bytes) }) == 1 else { return nil }
      self.init(bytes)
    } else {
      var bytes = in_addr()
      guard text.withCString({ inet_pton(AF_INET, $0, &bytes) }) == 1 else { return nil }
      self.init(v4: UInt32(bigEndian: bytes.s_addr))
    }
  }

  init(_ address: in6_addr) {
    self = withUnsafeBytes(of: address) { IPAddress(v6: $0) }
  }

  /// Reads 16 bytes in wire order.
  init(v6 bytes: UnsafeRawBufferPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  package var isV4: Bool { high == 0 && low & 0xFFFF_FFFF_0000_0000 == Self.mappedPrefix }

  /// 127.0.0.0/8 or ::1.
  package var isLoopback: Bool {
    isV4 ? UInt8(truncatingIfNeeded: low >> 24) == 127 : (high == 0 && low == 1)
  }

  /// 0.0.0.0 or ::, which stand for all addresses of the machine.
  package var isUnspecified: Bool { high == 0 && (low == 0 || low == Self.mappedPrefix) }

  /// The unit by which limits for an address count: an IPv4 address itself, an IPv6 address's /64. A /64 is the least
  /// that a subscriber is given (RFC 6177), so an owner of one IPv6 address can change among 2⁶⁴. An IPv4 address is
  /// scarce and stands for a household or a school.
  package var subscriberNetwork: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }

  /// The network by which reports of players count as different ones: of IPv4 the /24, of IPv6 the /48, which is what a
  /// household or a company is given at most.
  package var reportNetwork: IPAddress { masked(toPrefixBits: isV4 ? 96 + 24 : 48) }

  /// The address with all bits behind its first `bits` set to zero, counted in the IPv6 form: 128 keep it whole.
  func masked(toPrefixBits bits: Int) -> IPAddress {
    // Swift's shifts give zero beyond the width.
    IPAddress(high: high & ~(.max >> UInt64(bits)), low: low & ~(.max >> UInt64(max(0, bits - 64))))
  }

  package static func < (left: IPAddress, right: IPAddress) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  package var description: String {
    if isV4 {
      return (0..<4).map { String(UInt8(truncatingIfNeeded: low >> (24 - 8 * UInt64($0)))) }.joined(separator: ".")
    }
    var bytes = in6_addr()
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard let start = text.baseAddress, inet_ntop(AF_INET6, &bytes, start, socklen_t(text.count)) != nil else {
        preconditionFailure("an IPv6 address has a text form")
      }
      return String(cString: start)
    }
  }
}
