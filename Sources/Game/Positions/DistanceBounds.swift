// Bounds from below of distances from one place, for many places near it that are known by their offsets from a centre.
// Integers, without a division.

/// Bounds of the distances from one place.
struct DistanceBounds {
  /// The place's own offset from the centre.
  private let northE7: Int64
  private let eastE7: Int64
  /// At most the cosine of any latitude within 2 km, with 30 fractional bits.
  private let cosine: Int64

  /// The millimetres of 1e-7 degree along a great circle, rounded down.
  private static let mmPerE7: Int64 = 11
  private static let nearE7: Int64 = 200_000

  init(from place: Coordinate, seenFrom center: Coordinate) {
    northE7 = Int64(place.latE7) - Int64(center.latE7)
    eastE7 = Geodesy.eastE7(from: center, to: place)
    let furthestE7 = min(900_000_000, abs(Int64(place.latE7)) + Self.nearE7)
    cosine = max(0, Cosine.ofLatitude(latE7: furthestE7) - 1)
  }

  /// At most the square of the distance to a place up to 2 km to the north or south, by its offset from the centre, in
  /// mm². Of a place that is far it is the greatest number: the way of a player may end anywhere.
  func atLeastMm2(northE7 otherNorthE7: Int64, eastE7 otherEastE7: Int64) -> Int64 {
    let (latDeltaE7, lngDeltaE7) = (abs(northE7 - otherNorthE7), abs(eastE7 - otherEastE7))
    guard latDeltaE7 <= Geodesy.deltaMaxE7, lngDeltaE7 <= Geodesy.deltaMaxE7 else { return .max }
    let northMm = Self.mmPerE7 * latDeltaE7
    let eastMm = (Self.mmPerE7 * lngDeltaE7 * cosine) >> 30
    guard northMm <= Geodesy.farMm, eastMm <= Geodesy.farMm else { return .max }
    return northMm * northMm + eastMm * eastMm
  }
}
