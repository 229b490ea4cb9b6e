// The squares by which a large room finds out who is near whom: the members of one square get the same rows. A value;
// whole numbers only, so that it is the same on every machine.

/// A square of 20 m that a coordinate lies in. Near it is what lies within 200 m of any of its points, so within 215 m
/// of its middle.
package struct Vicinity: Hashable, Sendable {
  /// Everybody within this distance is near.
  package static let nearMm: Int64 = 200_000
  /// The side of a square: 20 m.
  private static let sideE7: Int64 = 1_798
  /// `nearMm` and half the diagonal of a square, rounded up.
  private static let reachMm: Int64 = nearMm + 15_000

  /// The rows of squares are counted from the equator, the squares of a row from the meridian of Greenwich.
  private let row: Int32
  private let column: Int32

  package init(of coordinate: Coordinate) {
    let row = Self.quotient(Int64(coordinate.latE7), Self.sideE7)
    self.row = Int32(row)
    column = Int32(Self.quotient(Int64(coordinate.lngE7), Self.widthE7(ofRow: row)))
  }

  /// The middle of the square. At the 180th meridian it may lie a little behind it, which distances allow.
  private var middle: Coordinate {
    let widthE7 = Self.widthE7(ofRow: Int64(row))
    return Coordinate(
      latE7: Int32(clamping: Int64(row) * Self.sideE7 + Self.sideE7 / 2),
      lngE7: Int32(clamping: Int64(column) * widthE7 + widthE7 / 2)
    )
  }

  /// Whether a coordinate is near; every place within 200 m of a member in the square is.
  package func isNear(_ coordinate: Coordinate) -> Bool {
    Geodesy.isWithin(Self.reachMm, middle, coordinate)
  }

  /// The width of a row's squares in longitude: 20 m in the middle of the row.
  private static func widthE7(ofRow row: Int64) -> Int64 {
    (sideE7 << Int64(Cosine.fractionBits)) / Cosine.ofLatitude(latE7: row * sideE7 + sideE7 / 2)
  }

  private static func quotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
  }
}

// The order has no meaning: it brings equal ones together.
extension Vicinity: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.row, left.column) < (right.row, right.column)
  }
}
