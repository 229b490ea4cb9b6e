// The distance between places anywhere on Earth, as a whole number to order them by, the same on every machine. Pure.
// The rules of play measure what is near by themselves (`Geodesy`, in `Game`); this orders what may be far.
// Decisions: 112 (docs/decisions).
import Game

/// A place as a vector of length one, with 40 fractional bits.
package struct SphereVector: Hashable, Sendable {
  private let x: Int64
  private let y: Int64
  private let z: Int64

  private static let fractionBits: Int64 = 40

  package init(_ place: Coordinate) {
    let (lat, lng) = (FixedAngle.sineAndCosine(ofE7: place.latE7), FixedAngle.sineAndCosine(ofE7: place.lngE7))
    x = Self.product(lat.cosine, lng.cosine)
    y = Self.product(lat.cosine, lng.sine)
    z = lat.sine >> (FixedAngle.fractionBits - Self.fractionBits)
  }

  private static func product(_ a: Int64, _ b: Int64) -> Int64 {
    Int64((Int128(a) * Int128(b)) >> (2 * FixedAngle.fractionBits - fractionBits))
  }

  /// The square of the chord between two places, with 60 fractional bits of the Earth's radius: 0 to about 2⁶². The
  /// greater the distance, the greater it is, to a tenth of a millimetre for places that are near.
  package func measure(to other: SphereVector) -> Int64 {
    let (x, y, z) = (Int128(x - other.x), Int128(y - other.y), Int128(z - other.z))
    return Int64((x * x + y * y + z * z) >> (2 * Self.fractionBits - Self.measureBits))
  }

  package static let measureBits: Int64 = 60

  /// The measure of a distance of up to 100 km, to a millionth of it.
  package static func measure(ofM metres: Int64) -> Int64 {
    // The chord is shorter than the arc by a 24th of its cube: 1e-5 of 100 km.
    let arc = (Int128(metres) << 60) * 10 / 63_710_088
    let chord = arc - ((((arc * arc) >> 60) * arc) >> 60) / 24
    return Int64((chord * chord) >> 60)
  }
}

/// Sines and cosines of angles in 1e-7 degree, as numbers with 60 fractional bits.
package enum FixedAngle {
  package static let fractionBits: Int64 = 60

  /// Of any angle up to a turn to either side, within 2⁻⁵⁰.
  package static func sineAndCosine(ofE7 angle: some FixedWidthInteger) -> (sine: Int64, cosine: Int64) {
    let magnitude = abs(Int64(angle))
    // The quarter that it lies in, and the angle from the quarter's begin.
    let (quarter, rest) = magnitude.quotientAndRemainder(dividingBy: quarterE7)
    let (sine, cosine) = inFirstQuarter(rest)
    let turned =
      switch quarter % 4 {
      case 0: (sine, cosine)
      case 1: (cosine, -sine)
      case 2: (-sine, -cosine)
      default: (-cosine, sine)
      }
    return angle < 0 ? (-turned.0, turned.1) : turned
  }

  private static func inFirstQuarter(_ angle: Int64) -> (Int64, Int64) {
    let (step, rest) = angle.quotientAndRemainder(dividingBy: stepE7)
    let (sine, cosine) = (sines[Int(step)], sines[Int(stepsInQuarter - step)])
    guard rest > 0 else { return (sine, cosine) }
    // Within a step, 9e-4, two terms of each series are exact to 2⁻⁵⁷.
    let small = (rest * radiansPerE7) >> 10
    let square = product(small, small)
    let smallSine = small - product(square, small) / 6
    let smallCosine = one - square / 2 + product(square, square) / 24
    return (
      product(sine, smallCosine) + product(cosine, smallSine), product(cosine, smallCosine) - product(sine, smallSine)
    )
  }

  private static func product(_ a: Int64, _ b: Int64) -> Int64 {
    Int64((Int128(a) * Int128(b)) >> Int128(fractionBits))
  }

  private static let one: Int64 = 1 << 60
  private static let quarterE7: Int64 = 900_000_000
  private static let stepE7: Int64 = 500_000
  private static let stepsInQuarter: Int64 = 1_800
  /// π with 60 fractional bits.
  private static let pi: Int128 = 3_622_009_729_038_561_421
  /// 1e-7 degree with 70 fractional bits.
  private static let radiansPerE7 = Int64((pi << 10) / 1_800_000_000)

  /// The sines of 0° to 90° in steps of 0.05°, each by its power series.
  private static let sines: ContiguousArray<Int64> = ContiguousArray(
    (0...stepsInQuarter).map { step in
      let angle = pi * Int128(step) / Int128(2 * stepsInQuarter)
      let square = (angle * angle) >> 60
      var (sum, term, degree) = (Int128(0), angle, Int128(1))
      while term != 0 {
        sum += degree % 4 == 1 ? term : -term
        term = ((term * square) >> 60) / ((degree + 1) * (degree + 2))
        degree += 2
      }
      return Int64(min(sum, Int128(one)))
    }
  )
}
