// Distances on Earth in whole millimetres, the same on every machine. Pure functions of coordinates on the map (±85°,
// ±180°). No floating point, and no square of a number that has not been bounded.

/// Distances between coordinates, on a sphere of radius 6,371,008.8 m.
///
/// North is the difference of latitudes, east that of longitudes times the cosine of the middle latitude: within 0.1 %
/// of the great circle up to 20 km. Two coordinates more than 23 km apart to the north or to the east are far: their
/// distance is not calculated, and exceeds every limit of the rules.
package enum Geodesy {
  /// Further north or east than this is far.
  package static let farMm: Int64 = 23_000_000

  /// The square of the distance, in mm²; nil when far. At most 2 · 23,000,000².
  package static func squaredDistanceMm2(_ a: Coordinate, _ b: Coordinate) -> Int64? {
    let latDeltaE7 = abs(Int64(a.latE7) - Int64(b.latE7))
    let lngDeltaE7 = longitudeDeltaE7(a, b)
    guard latDeltaE7 <= deltaMaxE7, lngDeltaE7 <= deltaMaxE7 else { return nil }

    let northMm = mm(ofE7: latDeltaE7)
    let eastMm = mm(ofE7: lngDeltaE7, times: Cosine.ofLatitude(latE7: (Int64(a.latE7) + Int64(b.latE7)) / 2))
    guard northMm <= farMm, eastMm <= farMm else { return nil }
    return northMm * northMm + eastMm * eastMm
  }

  /// The distance, rounded to whole millimetres; nil when far.
  package static func distanceMm(_ a: Coordinate, _ b: Coordinate) -> Int64? {
    squaredDistanceMm2(a, b).map(roundedSquareRoot)
  }

  /// The distance to the nearest of some coordinates, rounded to whole millimetres; nil when all are far.
  package static func distanceMm(_ place: Coordinate, toNearestOf others: ContiguousArray<Coordinate>) -> Int64? {
    var nearestMm2 = Int64.max
    for other in others {
      // A place too far to the north or to the south need not be measured.
      let northMm = mm(ofE7: abs(Int64(place.latE7) - Int64(other.latE7)))
      guard northMm <= farMm, northMm * northMm < nearestMm2 else { continue }
      if let squaredMm2 = squaredDistanceMm2(place, other) { nearestMm2 = min(nearestMm2, squaredMm2) }
    }
    return nearestMm2 < .max ? roundedSquareRoot(nearestMm2) : nil
  }

  /// Whether two coordinates are at most `limitMm` apart; never when far.
  package static func isWithin(_ limitMm: Int64, _ a: Coordinate, _ b: Coordinate) -> Bool {
    // A distance that is not far stays below twice the bound, so a longer limit need not be squared.
    let limitMm = min(limitMm, 2 * farMm)
    if isCertainlyWithin(limitMm, a, b) { return true }
    guard let squared = squaredDistanceMm2(a, b) else { return false }
    return squared <= limitMm * limitMm
  }

  /// Whether two coordinates would be at most `limitMm` apart on the equator too, where a degree of longitude is
  /// longest: a cheap check before the distance itself, without a cosine. `limitMm` is at most `2 * farMm`.
  package static func isCertainlyWithin(_ limitMm: Int64, _ a: Coordinate, _ b: Coordinate) -> Bool {
    let latDeltaE7 = abs(Int64(a.latE7) - Int64(b.latE7))
    let lngDeltaE7 = abs(Int64(a.lngE7) - Int64(b.lngE7))
    guard latDeltaE7 <= nearMaxE7, lngDeltaE7 <= nearMaxE7 else { return false }
    let northMm = mmAtMost(ofE7: latDeltaE7)
    let eastMm = mmAtMost(ofE7: lngDeltaE7)
    return northMm * northMm + eastMm * eastMm <= limitMm * limitMm
  }

  /// The greatest offsets in latitude and in longitude of a coordinate within `limitMm` of `center`: a cheap check
  /// before the distance itself. `limitMm` is at most `farMm`.
  package static func spanE7(of limitMm: Int64, around center: Coordinate) -> (latE7: Int64, lngE7: Int64) {
    let latSpanE7 = limitMm * million / nmPerE7 + 1
    let outermostE7 = abs(Int64(center.latE7)) + latSpanE7
    return (latSpanE7, (latSpanE7 << Int64(Cosine.fractionBits)) / Cosine.ofLatitude(latE7: outermostE7) + 1)
  }

  /// The offset of `b` to the east of `a` in longitude, the shorter way round: -1,800,000,000 to 1,800,000,000.
  static func eastE7(from a: Coordinate, to b: Coordinate) -> Int64 {
    let delta = Int64(b.lngE7) - Int64(a.lngE7)
    if delta > 1_800_000_000 { return delta - 3_600_000_000 }
    return delta < -1_800_000_000 ? delta + 3_600_000_000 : delta
  }

  /// The longitude of a number within one turn of the map: -1,800,000,000 up to, but without, 1,800,000,000.
  package static func longitudeE7(_ number: Int64) -> Int32 {
    let turnE7: Int64 = 3_600_000_000
    let shifted = (number + turnE7 / 2) % turnE7
    return Int32((shifted < 0 ? shifted + turnE7 : shifted) - turnE7 / 2)
  }

  /// The difference of two longitudes the shorter way round, 0 to 1,800,000,000.
  static func longitudeDeltaE7(_ a: Coordinate, _ b: Coordinate) -> Int64 {
    abs(eastE7(from: a, to: b))
  }

  /// An angle along a great circle, at most `deltaMaxE7` to either side, in millimetres.
  static func mm(ofE7 delta: Int64) -> Int64 {
    rounded(delta * nmPerE7, by: million)
  }

  /// At least the length of an angle along a great circle, from 0 to `nearMaxE7`, in millimetres, and hardly more:
  /// without a division.
  private static func mmAtMost(ofE7 delta: Int64) -> Int64 {
    (delta &* nmPerE7Shifted) >> 22 &+ 1
  }

  /// `nmPerE7` / 10⁶ with 22 fractional bits, rounded up.
  private static let nmPerE7Shifted: Int64 = 46_638_597

  /// An angle along a parallel with this cosine of its latitude, in millimetres.
  static func mm(ofE7 delta: Int64, times cosine: Int64) -> Int64 {
    // 10 of the cosine's 30 fractional bits are kept until the end: all 30 would overflow.
    rounded(((delta * cosine + (1 << 19)) >> 20) * nmPerE7, by: million << 10)
  }

  private static func rounded(_ dividend: Int64, by divisor: Int64) -> Int64 {
    (dividend + (dividend < 0 ? -divisor : divisor) / 2) / divisor
  }

  /// 1e-7 degree of a great circle is 11.119508 mm.
  static let nmPerE7: Int64 = 11_119_508
  private static let million: Int64 = 1_000_000
  /// 3°: a greater difference is far to the north, and to the east up to ±85° (29 km there).
  static let deltaMaxE7: Int64 = 30_000_000
  /// 22 km on the equator: a smaller difference is nowhere far.
  private static let nearMaxE7: Int64 = 2_000_000

  /// The root of a number below 2⁶², rounded, by Newton's method from above.
  static func roundedSquareRoot(_ square: Int64) -> Int64 {
    guard square > 1 else { return square }
    let bits = Int64.bitWidth - square.leadingZeroBitCount
    var root: Int64 = 1 << Int64((bits + 1) / 2)
    while true {
      let next = (root + square / root) / 2
      if next >= root { break }
      root = next
    }
    return square - root * root > root ? root + 1 : root
  }
}
