// Distances on Earth beyond the reach of `Geodesy`, in whole millimetres, the same on every machine: the haversine in
// whole numbers. Pure functions of coordinates on the map (±85°, ±180°).

/// Distances between coordinates up to 250 km apart, on the sphere of `Geodesy`.
///
/// With small angles the haversine needs two series: of a chord, and back from the chord to its arc. The terms that are
/// left out are below a millionth.
package enum WideGeodesy {
  /// Further north or east than this is far.
  package static let farMm: Int64 = 250_000_000
  /// 36°: a greater difference is far to the east, up to ±85° (349 km there).
  private static let lngDeltaMaxE7: Int64 = 360_000_000
  /// 2.3°: a greater difference is far to the north.
  private static let latDeltaMaxE7: Int64 = 23_000_000

  /// The distance, rounded to whole millimetres; nil when far.
  package static func distanceMm(_ a: Coordinate, _ b: Coordinate) -> Int64? {
    let latDeltaE7 = abs(Int64(a.latE7) - Int64(b.latE7))
    let lngDeltaE7 = Geodesy.longitudeDeltaE7(a, b)
    guard latDeltaE7 <= latDeltaMaxE7, lngDeltaE7 <= lngDeltaMaxE7 else { return nil }
    let cosines =
      Int128(Cosine.ofLatitude(latE7: Int64(a.latE7))) * Int128(Cosine.ofLatitude(latE7: Int64(b.latE7)))
    let northMm2 = squaredChordMm2(ofE7: latDeltaE7)
    let eastMm2 = (squaredChordMm2(ofE7: lngDeltaE7) * (cosines >> cosineBits) + half) >> cosineBits
    guard northMm2 <= squaredFarMm2, eastMm2 <= squaredFarMm2 else { return nil }
    let chordMm2 = northMm2 + eastMm2
    let arcMm2 = chordMm2 + (chordMm2 * (share(chordMm2) / 12)) >> shareBits
    return Geodesy.roundedSquareRoot(Int64(arcMm2))
  }

  private static let cosineBits = Int128(Cosine.fractionBits)
  private static let half: Int128 = 1 << (cosineBits - 1)
  private static let squaredFarMm2 = Int128(farMm) * Int128(farMm)

  /// The square of twice the sine of half an angle, times the square of the radius.
  private static func squaredChordMm2(ofE7 delta: Int64) -> Int128 {
    let arcMm = Int128(Geodesy.mm(ofE7: delta))
    let arcMm2 = arcMm * arcMm
    let share = share(arcMm2)
    return (arcMm2 * ((1 << shareBits) - share / 12 + (share * share / 360) >> shareBits)) >> shareBits
  }

  /// The share of the square of the Earth's radius, with 40 fractional bits.
  private static func share(_ squaredMm2: Int128) -> Int128 {
    (squaredMm2 * shareFactor) >> 64
  }

  private static let shareBits: Int128 = 40
  /// 2¹⁰⁴ divided by the square of 6,371,008,800 mm.
  private static let shareFactor: Int128 = (1 << 104) / (6_371_008_800 * 6_371_008_800)
}
