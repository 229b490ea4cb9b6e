// Bounds from below of distances from one place, for many places near it. Integers, without a division.

/// Bounds of the distances from one place.
struct DistanceBounds {
  private let place: Coordinate
  /// At most the cosine of any latitude within 2 km, with 30 fractional bits.
  private let cosine: Int64

  /// The millimetres of 1e-7 degree along a great circle, rounded down.
  private static let mmPerE7: Int64 = 11
  private static let nearE7: Int64 = 200_000

  init(from place: Coordinate) {
    self.place = place
    let furthestE7 = min(900_000_000, abs(Int64(place.latE7)) + Self.nearE7)
    cosine = max(0, Cosine.ofLatitude(latE7: furthestE7) - 1)
  }

  /// At most the square of the distance to a place up to 2 km to the north or south, in mm².
  func atLeastMm2(to other: Coordinate) -> Int64 {
    let northMm = Self.mmPerE7 * abs(Int64(place.latE7) - Int64(other.latE7))
    let eastMm = (Self.mmPerE7 * Geodesy.longitudeDeltaE7(place, other) * cosine) >> 30
    guard northMm <= Geodesy.farMm, eastMm <= Geodesy.farMm else { return .max }
    return northMm * northMm + eastMm * eastMm
  }
}
