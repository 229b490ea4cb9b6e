// Cosines of latitudes from a fixed-point table. libm's differ in the last bit between processors, and a game must have
// the same outcome on all of them. Pure. The table is made once, from whole numbers alone.

/// The cosine, as a fixed-point number with 30 fractional bits.
package enum Cosine {
  /// The number of fractional bits of the results.
  package static let fractionBits = 30

  /// The cosine of a latitude, within 1e-7 of the true one.
  /// - Parameter latE7: 1e-7 degree, -900,000,000 to 900,000,000.
  /// - Returns: 0 to 2³⁰.
  package static func ofLatitude(latE7: Int64) -> Int64 {
    let magnitude = abs(latE7)
    let index = Int(magnitude / stepE7)
    precondition(index < table.count, "a latitude lies between the poles")
    let rest = magnitude % stepE7
    guard rest > 0 else { return table[index] }
    return table[index] - ((table[index] - table[index + 1]) * rest + stepE7 / 2) / stepE7
  }

  /// The table's step, 0.05°: a straight line between two entries is then off by at most step² / 8 = 1e-7.
  private static let stepE7: Int64 = 500_000
  private static let stepsFor180Degrees: Int128 = 3_600

  /// The cosines of 0° to 90°, each by its power series in 60 fractional bits, rounded.
  private static let table: ContiguousArray<Int64> = {
    let bits: Int128 = 60
    let pi: Int128 = 3_622_009_729_038_561_421
    let lost = bits - Int128(fractionBits)
    return ContiguousArray(
      (0...stepsFor180Degrees / 2).map { step in
        let angle = pi * step / stepsFor180Degrees
        let square = (angle * angle) >> bits
        var sum: Int128 = 0
        var term: Int128 = 1 << bits
        var degree: Int128 = 0
        while term != 0 {
          sum += degree % 4 == 0 ? term : -term
          term = ((term * square) >> bits) / ((degree + 1) * (degree + 2))
          degree += 2
        }
        return Int64((sum + (1 << (lost - 1))) >> lost)
      }
    )
  }()
}
