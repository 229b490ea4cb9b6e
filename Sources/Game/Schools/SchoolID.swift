// The identifier of a school: the one that its list gives it. A value without storage of its own, for tallies have one
// in each row.

/// A school, for ever: 1 to 16 ASCII letters and digits, as its list has them, behind a letter for the list where that
/// numbers its schools by itself.
package struct SchoolID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package static let bytesMax = 16

  /// The bytes of the text, the first one highest, zeros behind: its order is that of the texts.
  package let value: UInt128

  /// Reads what `description` writes; nil for anything else.
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

  /// Reads what `value` gives; nil for any other number.
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
