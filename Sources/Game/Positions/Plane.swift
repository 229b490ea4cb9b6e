// A flat piece of Earth around one place, in whole millimetres, for calculations with shapes. Pure, the same on every
// machine.

/// A plane around a place, with the east-west scale of that place.
struct Plane: Hashable, Sendable {
  let center: Coordinate
  private let cosine: Int64

  init(around center: Coordinate) {
    self.center = center
    cosine = Cosine.ofLatitude(latE7: Int64(center.latE7))
  }

  /// Millimetres east and north of the centre, at most `Geodesy.farMm` each; nil for a far coordinate.
  func place(_ coordinate: Coordinate) -> (eastMm: Int64, northMm: Int64)? {
    let northE7 = Int64(coordinate.latE7) - Int64(center.latE7)
    let eastE7 = Geodesy.eastE7(from: center, to: coordinate)
    guard abs(northE7) <= Geodesy.deltaMaxE7, abs(eastE7) <= Geodesy.deltaMaxE7 else { return nil }
    let northMm = Geodesy.mm(ofE7: northE7)
    let eastMm = Geodesy.mm(ofE7: eastE7, times: cosine)
    guard abs(northMm) <= Geodesy.farMm, abs(eastMm) <= Geodesy.farMm else { return nil }
    return (eastMm, northMm)
  }

  /// The coordinate at these millimetres east and north of the centre, to about a hundredth of a metre.
  func coordinate(eastMm: Int64, northMm: Int64) -> Coordinate {
    let latE7 = Int64(center.latE7) + northMm * 1_000_000 / Geodesy.nmPerE7
    var lngE7 = Int64(center.lngE7) + ((eastMm * 1_000_000 / Geodesy.nmPerE7) << Int64(Cosine.fractionBits)) / cosine
    if lngE7 > 1_800_000_000 { lngE7 -= 3_600_000_000 }
    if lngE7 < -1_800_000_000 { lngE7 += 3_600_000_000 }
    return Coordinate(latE7: Int32(clamping: latE7), lngE7: Int32(clamping: lngE7))
  }
}
