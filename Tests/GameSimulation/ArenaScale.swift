// Converts degrees to an arena's millimetres and back, by RULES.md: north 11.119508 mm for 1e-7 degree, east that times
// the cosine of the arena's middle. A value.
import Game

/// The positions of things in an arena.
struct ArenaScale {
  let center: Coordinate
  let plan: ArenaPlan

  var sideMm: Int { plan.cells * plan.cellM * 1_000 }

  /// Millimetres east and north of the south-western corner.
  func spot(_ coordinate: Coordinate) -> Spot {
    var eastE7 = Int(coordinate.lngE7) - Int(center.lngE7)
    if abs(eastE7) > 1_800_000_000 { eastE7 -= eastE7.signum() * 3_600_000_000 }
    // The rules keep 10 bits of a fraction of 1e-7 degree after the cosine.
    let east = (eastE7 * cosine + (1 << 19)) >> 20
    let northE7 = Int(coordinate.latE7) - Int(center.latE7)
    return Spot(
      x: Part(11_119_508, of: 1_000_000 << 10).times(east) + sideMm / 2,
      y: Part(11_119_508, of: 1_000_000).times(northE7) + sideMm / 2
    )
  }

  /// The nearest coordinate, or almost.
  func coordinate(_ spot: Spot) -> Coordinate {
    let northE7 = Part(1_000_000, of: 11_119_508).times(spot.y - sideMm / 2)
    let eastE7 = Part(1_000_000 << Cosine.fractionBits, of: 11_119_508 * cosine).times(spot.x - sideMm / 2)
    var lngE7 = Int(center.lngE7) + eastE7
    if abs(lngE7) > 1_800_000_000 { lngE7 -= lngE7.signum() * 3_600_000_000 }
    return Coordinate(latE7: Int32(Int(center.latE7) + northE7), lngE7: Int32(lngE7))
  }

  private var cosine: Int { Int(Cosine.ofLatitude(latE7: Int64(center.latE7))) }
}
