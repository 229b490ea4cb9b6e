// The box around a shape, in units of 1e-7 degree. A value that may lie across the antimeridian: its width tells how
// far it reaches to the east.

/// A box on the map.
struct FenceBox: Hashable, Sendable {
  /// The latitudes, north positive; beyond the map where a shape is.
  let southE7: Int64
  let northE7: Int64
  /// -1,800,000,000 up to, but without, 1,800,000,000.
  let westE7: Int64
  /// 0 to 3,600,000,000.
  let widthE7: Int64

  private static let turnE7: Int64 = 3_600_000_000

  /// A box whose western longitude may be any number within one turn of the map.
  init(southE7: Int64, northE7: Int64, westE7: Int64, widthE7: Int64) {
    self.southE7 = southE7
    self.northE7 = northE7
    self.westE7 = (westE7 + 3 * Self.turnE7 / 2) % Self.turnE7 - Self.turnE7 / 2
    self.widthE7 = min(widthE7, Self.turnE7)
  }

  /// The box around all places within `reachMm` of a place on the map, at most 60 km.
  init(around place: Coordinate, reachMm: Int64) {
    let latSpanE7 = reachMm * 1_000_000 / Geodesy.nmPerE7 + 1
    let outermostE7 = abs(Int64(place.latE7)) + latSpanE7
    // A hundredth more: a parallel is no great circle.
    let lngSpanE7 = (latSpanE7 << Int64(Cosine.fractionBits)) / Cosine.ofLatitude(latE7: outermostE7) * 101 / 100 + 1
    self.init(
      southE7: Int64(place.latE7) - latSpanE7,
      northE7: Int64(place.latE7) + latSpanE7,
      westE7: Int64(place.lngE7) - lngSpanE7,
      widthE7: 2 * lngSpanE7
    )
  }

  /// How far a place lies outside of the box to the north or south, and to the east or west the shorter way; 0 within.
  func offsetsE7(of place: Coordinate) -> (latE7: Int64, lngE7: Int64) {
    let latE7 = Int64(place.latE7)
    let eastE7 = (Int64(place.lngE7) - westE7 + Self.turnE7) % Self.turnE7
    return (
      max(0, southE7 - latE7, latE7 - northE7),
      eastE7 <= widthE7 ? 0 : min(eastE7 - widthE7, Self.turnE7 - eastE7)
    )
  }

  /// Its parts on either side of the antimeridian, one or two, each with its eastern longitude.
  var parts: [(westE7: Int64, eastE7: Int64)] {
    let eastE7 = westE7 + widthE7
    // The antimeridian itself has two longitudes.
    guard eastE7 >= Self.turnE7 / 2 || westE7 == -Self.turnE7 / 2 else { return [(westE7, eastE7)] }
    if westE7 == -Self.turnE7 / 2 { return [(westE7, eastE7), (Self.turnE7 / 2, Self.turnE7 / 2)] }
    return [(westE7, Self.turnE7 / 2), (-Self.turnE7 / 2, eastE7 - Self.turnE7)]
  }
}
