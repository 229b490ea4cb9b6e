// Networks of addresses in CIDR notation, as an operator writes them in settings.
//
// A value. IPv4 and IPv6 are separate: `::/0` is every IPv6 address and no IPv4 one, though addresses of both are kept
// in one form.

/// All addresses that begin with the same bits.
package struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
  private let first: IPAddress
  /// The length of the prefix in the IPv6 form of an address, where IPv4 begins behind 96 bits.
  private let prefixBits: Int

  /// Reads `10.0.0.0/8`, `2001:db8::/32` or a single address. Bits behind the prefix are dropped: `10.1.2.3/8` is
  /// `10.0.0.0/8`.
  ///
  /// - Parameter text: the network alone, without blanks.
  /// - Throws: `NetError` that quotes the text and says what a network looks like.
  package init(_ text: String) throws(NetError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(Substring(parts[0])),
      let bits = Self.prefixBits(
        parts.count == 1 ? nil : parts[1],
        writtenLikeV4: !parts[0].contains(UInt8(ascii: ":"))
      )
    else {
      throw NetError("\"\(text)\" is no address or network; one looks like 192.0.2.1, 10.0.0.0/8 or 2001:db8::/32")
    }
    prefixBits = bits
    first = address.masked(toPrefixBits: bits)
  }

  /// The number of one to three digits without a leading zero, at most the address's number of bits; nil for anything
  /// else.
  private static func prefixBits(_ digits: Substring.UTF8View?, writtenLikeV4: Bool) -> Int? {
    guard let digits else { return 128 }
    guard let bits = DecimalDigits.value(of: digits, max: writtenLikeV4 ? 32 : 128) else { return nil }
    return writtenLikeV4 ? 96 + bits : bits
  }

  package func contains(_ address: IPAddress) -> Bool {
    address.isV4 == first.isV4 && address.masked(toPrefixBits: prefixBits) == first
  }

  package var description: String { "\(first)/\(first.isV4 ? prefixBits - 96 : prefixBits)" }
}
