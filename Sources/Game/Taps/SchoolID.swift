// The identifier of a school, given by its list. A value without storage of its own, since each row of a tally has one.

/// The permanent identifier of a school: 1 to 16 ASCII letters and digits from its list, after a letter for the list
/// where that has a numbering of its own.
package struct SchoolID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package static let bytesMax = 16

  /// The bytes of the text, the first one highest, padded with zeros: its order is that of the texts.
  package let value: UInt128

  /// Reads the output of `description`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    var value: UInt128 = 0
    var count = 0
    for byte in text.utf8 {
      guard count < Self.bytesMax, Self.isLetterOrDigit(byte) else { return nil }
      value = value << 8 | UInt128(byte)
      count += 1
    }
    guard count > 0 else { return nil }
    self.value = value << UInt128(8 * (Self.bytesMax - count))
  }

  /// Reads a `value`; nil for any other number.
  package init?(value: UInt128) {
    self.init(String(decoding: Self.bytes(of: value), as: UTF8.self))
    guard self.value == value else { return nil }
  }

  package var description: String { String(decoding: Self.bytes(of: value), as: UTF8.self) }

  package static func < (left: SchoolID, right: SchoolID) -> Bool {
    left.value < right.value
  }

  private static func bytes(of value: UInt128) -> [UInt8] {
    let all = (0..<bytesMax).map { UInt8(truncatingIfNeeded: value >> UInt128(8 * (bytesMax - 1 - $0))) }
    return Array(all.prefix { $0 != 0 })
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
