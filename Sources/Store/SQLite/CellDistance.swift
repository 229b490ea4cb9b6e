// Bounds on the distance from a place to the places of a cell. They only decide which cells need no look: the order of
// capsules is that of `SphereVector.measure`, so the last bits of these numbers don't matter. Values.
import Game

/// A place that distances to cells are bounded from.
struct CellDistance {
  /// More than floating point loses, in units of the measure: a metre for a place that is near.
  private static let slack: Int64 = 16_384
  /// Greater than every measure.
  static let far: Int64 = 1 << 62 + 1 << 32

  private let place: Coordinate
  private let sine: Double
  private let cosine: Double

  init(from place: Coordinate) {
    self.place = place
    (sine, cosine) = Self.sineAndCosine(Int64(place.latE7))
  }

  /// The place on the other side of the Earth.
  static func antipode(of place: Coordinate) -> Coordinate {
    Coordinate(latE7: -place.latE7, lngE7: place.lngE7 > 0 ? place.lngE7 - 1_800_000_000 : place.lngE7 + 1_800_000_000)
  }

  /// At most the measure to any place of a cell.
  func least(to cell: PlaceCell) -> Int64 {
    // No place lies beyond the pole or the 180th meridian.
    let (south, north) = (cell.lats.lowerBound, min(cell.lats.upperBound, PlaceCode.poleE7))
    let (west, east) = (cell.lngs.lowerBound, min(cell.lngs.upperBound, PlaceCode.halfTurnE7))
    let dot: Double
    if (west...east).contains(Int64(place.lngE7)) {
      let lat = Int64(place.latE7)
      if south <= lat && lat <= north { return 0 }
      dot = Self.sineAndCosine(lat - (lat < south ? south : north)).cosine
    } else {
      // The nearest place then lies on a side of the cell, which is a part of a meridian.
      dot = max(greatestDot(west, south, north), greatestDot(east, south, north))
    }
    // The chord's square of vectors of length one. Measures lose in proportion to the chord: of 40 bits two for each
    // end.
    let square = max(0, 2 - 2 * dot)
    let lost = square.squareRoot() * Double(Int64(1) << 23)
    return max(0, Int64(square * Double(Int64(1) << SphereVector.measureBits) - lost) - Self.slack)
  }

  /// The greatest product of this place's vector and those of a part of a meridian.
  private func greatestDot(_ lng: Int64, _ south: Int64, _ north: Int64) -> Double {
    // Along the meridian it is a wave of this height of the latitude.
    let level = cosine * Self.sineAndCosine(lng - Int64(place.lngE7)).cosine
    let (low, high) = (Self.sineAndCosine(south), Self.sineAndCosine(north))
    let hasTop = sine * low.cosine > level * low.sine && sine * high.cosine < level * high.sine
    guard !hasTop else { return (level * level + sine * sine).squareRoot() }
    return max(level * low.cosine + sine * low.sine, level * high.cosine + sine * high.sine)
  }

  private static func sineAndCosine(_ angle: Int64) -> (sine: Double, cosine: Double) {
    let (sine, cosine) = FixedAngle.sineAndCosine(ofE7: angle)
    let scale = Double(Int64(1) << FixedAngle.fractionBits)
    return (Double(sine) / scale, Double(cosine) / scale)
  }
}
