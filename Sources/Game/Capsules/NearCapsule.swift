// A capsule as a player's watch knows it. A plain value.

/// A capsule near a player: a number that stands for its identifier, and its place.
package struct NearCapsule: Hashable, Sendable {
  /// `CapsuleID.number`.
  package var number: UInt64
  package var place: Coordinate

  package init(number: UInt64, place: Coordinate) {
    self.number = number
    self.place = place
  }
}

extension CapsuleID {
  /// The upper half of the identifier: drawn at random, it is enough to tell the few capsules around one player apart.
  package var number: UInt64 { UInt64(truncatingIfNeeded: value >> 64) }

  /// The identifiers with this number.
  package static func all(with number: UInt64) -> ClosedRange<CapsuleID> {
    let first = UInt128(number) << 64
    return CapsuleID(first)...CapsuleID(first | UInt128(UInt64.max))
  }
}
