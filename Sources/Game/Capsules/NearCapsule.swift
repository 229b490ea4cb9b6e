// A capsule as a player's watch knows it. A plain value.

/// A capsule near a player: a number that stands for its identifier, and its place.
package struct NearCapsule: Hashable, Sendable {
  /// `CapsuleID.number`.
  package var number: UInt32
  package var place: Coordinate

  package init(number: UInt32, place: Coordinate) {
    self.number = number
    self.place = place
  }
}

extension CapsuleID {
  /// The bits of `number`.
  package static let numberBits = 24

  /// The upper bits of the identifier. They are drawn at random, and tell the capsules of one place apart: two equal
  /// ones are one capsule to a watch, and both are found where it is looked up.
  package var number: UInt32 { UInt32(truncatingIfNeeded: value >> UInt128(128 - Self.numberBits)) }

  /// The identifiers with this number.
  package static func all(with number: UInt32) -> ClosedRange<CapsuleID> {
    let shift = UInt128(128 - numberBits)
    let first = UInt128(number) << shift
    return CapsuleID(first)...CapsuleID(first | ((1 << shift) - 1))
  }
}
