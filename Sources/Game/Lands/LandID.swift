// The identifier of a land: drawn from what the land is, so that the same land has the same one wherever it is imported.

/// A land, for ever: 128 bits, written as 32 lower-case hexadecimal digits.
package struct LandID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }

  /// Reads what `description` writes; nil for anything else.
  package init?(_ description: String) {
    guard let value = UInt128(hexDigits: description) else { return nil }
    self.value = value
  }

  package var description: String { value.hexDigits }

  package static func < (left: LandID, right: LandID) -> Bool {
    left.value < right.value
  }
}
