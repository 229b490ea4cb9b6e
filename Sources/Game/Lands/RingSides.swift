// Checks that a ring of corners encloses something: its sides may meet only where one ends and the next begins. A
// value, in units of 1e-7 degree and therefore exact: stretching a map changes no intersection.

/// The sides of a ring, the last of which ends where the first begins.
struct RingSides: Sendable {
  private let sides: [Side]

  /// Three corners or more, no two neighbours alike, none further than `Geodesy.farMm` from the first.
  init(around corners: [Coordinate]) {
    let points = corners.map { corner in
      Point(x: Geodesy.eastE7(from: corners[0], to: corner), y: Int64(corner.latE7) - Int64(corners[0].latE7))
    }
    sides = points.indices.map { Side(a: points[$0], b: points[($0 + 1) % points.count]) }
  }

  /// The numbers of two sides that meet where they must not; the first pair found from west to east.
  func firstMeeting() -> (Int, Int)? {
    let fromWest = sides.indices.sorted { (sides[$0].minX, $0) < (sides[$1].minX, $1) }
    for (place, first) in fromWest.enumerated() {
      for second in fromWest[(place + 1)...] {
        guard sides[second].minX <= sides[first].maxX else { break }
        let (low, high) = (min(first, second), max(first, second))
        if isMeeting(low, high) { return (low, high) }
      }
    }
    return nil
  }

  private func isMeeting(_ low: Int, _ high: Int) -> Bool {
    if high == low + 1 { return sides[low].turnsBack(into: sides[high]) }
    if low == 0, high == sides.count - 1 { return sides[high].turnsBack(into: sides[low]) }
    return sides[low].meets(sides[high])
  }
}

/// A place on the map.
private struct Point {
  var x: Int64
  var y: Int64
}

/// A side of a ring. Products of its coordinates stay below 2⁵⁴: a place that is not far is less than 3° away.
private struct Side {
  let a: Point
  let b: Point

  var minX: Int64 { min(a.x, b.x) }
  var maxX: Int64 { max(a.x, b.x) }
  private var minY: Int64 { min(a.y, b.y) }
  private var maxY: Int64 { max(a.y, b.y) }

  /// The turn to a point; positive to the left.
  private func turn(to point: Point) -> Int64 {
    (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
  }

  /// Whether two sides have a point in common.
  func meets(_ other: Side) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
      && turn(to: other.a).signum() * turn(to: other.b).signum() <= 0
      && other.turn(to: a).signum() * other.turn(to: b).signum() <= 0
  }

  /// Whether the next side goes back along this one.
  func turnsBack(into next: Side) -> Bool {
    turn(to: next.b) == 0 && (b.x - a.x) * (next.b.x - next.a.x) + (b.y - a.y) * (next.b.y - next.a.y) < 0
  }
}
