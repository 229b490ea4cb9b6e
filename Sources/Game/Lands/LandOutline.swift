// The outline of a land: the few vertices that show its shape on a map. Pure, in whole millimetres.

extension Land {
  /// Up to `verticesMax` of the vertices in order, at least three: no other vertex is further than `toleranceMm` from
  /// the outline, as far as `verticesMax` allows. After Douglas and Peucker, the furthest vertex first.
  package func outline(toleranceMm: Int64, verticesMax: Int) -> [Coordinate] {
    let points = ContiguousArray(vertices.map { PlanePoint($0, from: vertices[0]) })
    return RingOutline.corners(of: points, toleranceMm: toleranceMm, cornersMax: verticesMax).map { vertices[$0] }
  }
}

/// The simplification of a ring.
enum RingOutline {
  /// The indices of up to `cornersMax` of a ring's points in order, at least three where it has as many: no other point
  /// is further than `toleranceMm` from the outline, as far as `cornersMax` allows.
  static func corners(of points: ContiguousArray<PlanePoint>, toleranceMm: Int64, cornersMax: Int) -> [Int] {
    let furthest = points.indices.max { points[$0].squaredMm2(to: points[0]) < points[$1].squaredMm2(to: points[0]) }
    guard let furthest, furthest > 0, points.count > 3 else { return Array(points.indices) }
    var sides = [OutlineSide(0, furthest, of: points), OutlineSide(furthest, points.count, of: points)]
    while sides.count < max(3, cornersMax) {
      guard let index = sides.indices.max(by: { sides[$0].squaredMm2 < sides[$1].squaredMm2 }) else { break }
      let side = sides[index]
      guard let between = side.furthest, side.squaredMm2 > toleranceMm * toleranceMm || sides.count < 3 else { break }
      sides[index] = OutlineSide(side.first, between, of: points)
      sides.insert(OutlineSide(between, side.last, of: points), at: index + 1)
    }
    return sides.map(\.first)
  }
}

/// A side of an outline, which stands for the vertices between its ends.
private struct OutlineSide {
  let first: Int
  /// The number of vertices stands for the first one.
  let last: Int
  /// The vertex that is furthest from the side; nil where there is none between its ends.
  private(set) var furthest: Int?
  private(set) var squaredMm2: Int64 = -1

  init(_ first: Int, _ last: Int, of points: ContiguousArray<PlanePoint>) {
    (self.first, self.last) = (first, last)
    let (begin, end) = (points[first], points[last % points.count])
    for index in first + 1..<max(first + 1, last) {
      let distance = points[index].squaredMm2(toSideFrom: begin, to: end)
      if distance > squaredMm2 { (furthest, squaredMm2) = (index, distance) }
    }
  }
}

/// A place on a plane that touches the Earth near a ring: millimetres to the north and to the east of one place.
struct PlanePoint {
  let northMm: Int64
  let eastMm: Int64

  init(northMm: Int64, eastMm: Int64) {
    self.northMm = northMm
    self.eastMm = eastMm
  }

  init(_ place: Coordinate, from origin: Coordinate) {
    let cosine = Cosine.ofLatitude(latE7: abs(Int64(origin.latE7)))
    northMm = Geodesy.mm(ofE7: Int64(place.latE7) - Int64(origin.latE7))
    eastMm = Geodesy.mm(ofE7: Geodesy.eastE7(from: origin, to: place), times: cosine)
  }

  func squaredMm2(to other: PlanePoint) -> Int64 {
    let (north, east) = (northMm - other.northMm, eastMm - other.eastMm)
    return north * north + east * east
  }

  func squaredMm2(toSideFrom begin: PlanePoint, to end: PlanePoint) -> Int64 {
    let side = (north: end.northMm - begin.northMm, east: end.eastMm - begin.eastMm)
    let way = (north: northMm - begin.northMm, east: eastMm - begin.eastMm)
    let along = way.north * side.north + way.east * side.east
    let sideMm2 = side.north * side.north + side.east * side.east
    guard along > 0 else { return squaredMm2(to: begin) }
    guard along < sideMm2 else { return squaredMm2(to: end) }
    let across = Int128(way.north * side.east - way.east * side.north)
    return Int64(across * across / Int128(sideMm2))
  }
}
