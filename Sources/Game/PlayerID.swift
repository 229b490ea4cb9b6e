// The identifier of a player, the same in every room, session and table. A plain value of 128 bits that any node can draw
// without asking another. It carries no meaning, and no rule may depend on its order but as the last tie-break.

/// A player: 128 bits, written as 32 lower-case hexadecimal digits.
package struct PlayerID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }

  /// Reads what `description` writes; nil for anything else, upper-case digits included, so that a player has one
  /// spelling.
  package init?(_ description: String) {
    var value: UInt128 = 0
    var digits = 0
    for byte in description.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      digits += 1
      guard digits <= Self.digitCount else { return nil }
      value = value << 4 | UInt128(digit)
    }
    guard digits == Self.digitCount else { return nil }
    self.value = value
  }

  /// The 32 lower-case hexadecimal digits, leading zeros included.
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits
  }

  package static func < (left: PlayerID, right: PlayerID) -> Bool {
    left.value < right.value
  }

  private static let digitCount = 32
}
