// The code of a country. A plain value; it does not say whether there is such a country.

/// Two upper-case letters, as ISO 3166-1 has them.
package struct CountryCode: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let first: UInt8
  private let second: UInt8

  /// Reads two letters, A to Z; nil for anything else, lower-case ones included.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 2, bytes.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
      return nil
    }
    (first, second) = (bytes[0], bytes[1])
  }

  package var description: String { String(decoding: [first, second], as: UTF8.self) }

  package static func < (left: CountryCode, right: CountryCode) -> Bool {
    (left.first, left.second) < (right.first, right.second)
  }
}
