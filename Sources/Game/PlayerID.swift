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
    guard let value = UInt128(hexDigits: description) else { return nil }
    self.value = value
  }

  package var description: String { value.hexDigits }

  package static func < (left: PlayerID, right: PlayerID) -> Bool {
    left.value < right.value
  }
}
