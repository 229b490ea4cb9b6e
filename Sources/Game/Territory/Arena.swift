// The ground of a territory game: a plane around one place on Earth, in whole millimetres, with a grid of cells on it.
// A value; every game has one once its middle is known. Territory mode does all its geometry on this plane.

/// A place on an arena's plane: millimetres east and north of the arena's south-western corner, at most 33 km.
struct ArenaPoint: Hashable, Sendable {
  var x: Int32
  var y: Int32

  func squaredDistanceMm2(to other: ArenaPoint) -> Int64 {
    let east = Int64(x) - Int64(other.x)
    let north = Int64(y) - Int64(other.y)
    return east * east + north * north
  }
}

/// The ground of a game.
struct Arena: Hashable, Sendable {
  private let plane: Plane
  /// The side of a cell.
  let cellMm: Int32
  /// The number of cells on a side.
  let cells: Int

  init(_ plan: ArenaPlan, around center: Coordinate) {
    plane = Plane(around: center)
    cellMm = Int32(plan.cellM) * 1_000
    cells = plan.cells
  }

  /// The middle.
  var center: Coordinate { plane.center }

  /// The side of the arena, at most 20 km.
  var sideMm: Int32 { Int32(cells) * cellMm }

  /// The point of a coordinate on the plane, inside the arena or not; nil for a far one.
  func point(_ coordinate: Coordinate) -> ArenaPoint? {
    guard let (eastMm, northMm) = plane.place(coordinate) else { return nil }
    return ArenaPoint(x: Int32(eastMm) + sideMm / 2, y: Int32(northMm) + sideMm / 2)
  }

  /// The coordinate of a point of the plane, to about a hundredth of a metre.
  func coordinate(_ point: ArenaPoint) -> Coordinate {
    plane.coordinate(eastMm: Int64(point.x) - Int64(sideMm / 2), northMm: Int64(point.y) - Int64(sideMm / 2))
  }

  /// Whether a point is inside; the southern and the western edge are, as with a cell.
  func contains(_ point: ArenaPoint) -> Bool {
    (0..<sideMm).contains(point.x) && (0..<sideMm).contains(point.y)
  }

  func row(of point: ArenaPoint) -> Int { Int(point.y / cellMm) }
  func column(of point: ArenaPoint) -> Int { Int(point.x / cellMm) }
}
