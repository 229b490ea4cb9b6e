// A closed line on a plane, as bots calculate the loops of paths. A value.

/// Spots one behind the other; the last is joined with the first.
package struct Polygon: Equatable, Sendable {
  package let corners: [Spot]
  private let edges: [Segment]

  package init(_ corners: [Spot]) {
    self.corners = corners
    edges = corners.indices.map { Segment(corners[$0], corners[($0 + 1) % corners.count]) }
  }

  package var areaM2: Double {
    abs(edges.reduce(0) { $0 + $1.a.x * $1.b.y - $1.b.x * $1.a.y }) / 2
  }

  /// Whether a spot lies inside, by the even-odd rule.
  package func contains(_ spot: Spot) -> Bool {
    edges.reduce(false) { isInside, edge in
      let (a, b) = (edge.a, edge.b)
      guard (a.y > spot.y) != (b.y > spot.y) else { return isInside }
      return spot.x < a.x + (b.x - a.x) * (spot.y - a.y) / (b.y - a.y) ? !isInside : isInside
    }
  }

  /// The distance of a spot from the line.
  package func metresToEdge(from spot: Spot) -> Double {
    edges.reduce(.infinity) { min($0, $1.metres(to: spot)) }
  }

  /// The corners' outermost coordinates.
  var bounds: (low: Spot, high: Spot) {
    var low = Spot(x: .infinity, y: .infinity)
    var high = Spot(x: -.infinity, y: -.infinity)
    for corner in corners {
      low = Spot(x: min(low.x, corner.x), y: min(low.y, corner.y))
      high = Spot(x: max(high.x, corner.x), y: max(high.y, corner.y))
    }
    return (low, high)
  }
}

/// A straight step.
package struct Segment: Equatable, Sendable {
  let a: Spot
  let b: Spot

  package init(_ a: Spot, _ b: Spot) {
    self.a = a
    self.b = b
  }

  package func metres(to spot: Spot) -> Double {
    let (x, y) = (b.x - a.x, b.y - a.y)
    let square = x * x + y * y
    guard square > 0 else { return a.metres(to: spot) }
    let share = max(0, min(1, ((spot.x - a.x) * x + (spot.y - a.y) * y) / square))
    return spot.metres(to: Spot(x: a.x + x * share, y: a.y + y * share))
  }

  /// The point where it crosses another, as a share of its own length, 0 to 1. Nil when it doesn't.
  func crossing(_ other: Segment) -> Double? {
    let sides = (side(of: other.a), side(of: other.b))
    let otherSides = (other.side(of: a), other.side(of: b))
    guard (sides.0 < 0) != (sides.1 < 0), (otherSides.0 < 0) != (otherSides.1 < 0) else { return nil }
    return otherSides.0 / (otherSides.0 - otherSides.1)
  }

  func spot(at share: Double) -> Spot {
    Spot(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
  }

  /// Whether an end of one is so near to the other that a millimetre decides whether they cross.
  func grazes(_ other: Segment) -> Bool {
    let reach = Spot.unclearM
    return other.metres(to: a) < reach || other.metres(to: b) < reach || metres(to: other.a) < reach
      || metres(to: other.b) < reach
  }

  /// Whether it may come within a tenth of a metre of another: a cheap first look.
  func isNear(_ other: Segment) -> Bool {
    min(a.x, b.x) <= max(other.a.x, other.b.x) + 0.1 && min(other.a.x, other.b.x) <= max(a.x, b.x) + 0.1
      && min(a.y, b.y) <= max(other.a.y, other.b.y) + 0.1 && min(other.a.y, other.b.y) <= max(a.y, b.y) + 0.1
  }

  private func side(of spot: Spot) -> Double {
    (b.x - a.x) * (spot.y - a.y) - (b.y - a.y) * (spot.x - a.x)
  }
}
