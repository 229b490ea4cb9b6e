// Shapes on a plane by their definitions, in whole numbers and without optimisation, as a reference for the game's own
// geometry. Pure. It shares nothing with the rules that it checks.

/// A place on a plane, in millimetres.
struct Spot: Hashable {
  var x: Int
  var y: Int

  static func - (left: Spot, right: Spot) -> Spot {
    Spot(x: left.x - right.x, y: left.y - right.y)
  }

  func dot(_ other: Spot) -> Int { x * other.x + y * other.y }
  func cross(_ other: Spot) -> Int { x * other.y - y * other.x }

  func squaredDistance(to other: Spot) -> Int {
    (other - self).dot(other - self)
  }

  /// Whether the spot lies on the straight way between two others.
  func lies(between a: Spot, and b: Spot) -> Bool {
    (b - a).cross(self - a) == 0 && (a - self).dot(b - self) <= 0
  }
}

/// An exact fraction of a way.
struct Part: Comparable {
  let above: Int128
  let below: Int128

  init(_ above: Int, of below: Int) {
    self.above = below < 0 ? -Int128(above) : Int128(above)
    self.below = abs(Int128(below))
  }

  static func < (left: Part, right: Part) -> Bool { left.above * right.below < right.above * left.below }
  static func == (left: Part, right: Part) -> Bool { left.above * right.below == right.above * left.below }

  static let nothing = Part(0, of: 1)
  static let everything = Part(1, of: 1)
  var isOfTheWay: Bool { self >= .nothing && self <= .everything }

  /// This fraction of a length, to the nearest whole number, a half up.
  func times(_ length: Int) -> Int {
    let size = (2 * Int128(abs(length)) * above + below) / (2 * below)
    return length < 0 ? -Int(size) : Int(size)
  }
}

enum PlaneShapes {
  /// The fraction of the way from `a` to `b` at the first place that lies on the way from `c` to `d`; nil for none.
  static func firstMeeting(_ a: Spot, _ b: Spot, on c: Spot, _ d: Spot) -> Part? {
    let (way, other) = (b - a, d - c)
    let determinant = way.cross(other)
    if determinant != 0 {
      // a + part · way = c + otherPart · other
      let part = Part((c - a).cross(other), of: determinant)
      let otherPart = Part((c - a).cross(way), of: determinant)
      return part.isOfTheWay && otherPart.isOfTheWay ? part : nil
    }
    if a.lies(between: c, and: d) { return .nothing }
    return [c, d].filter { $0.lies(between: a, and: b) }.map { Part(way.dot($0 - a), of: way.dot(way)) }.min()
  }

  /// The place at this fraction of a way, to the nearest millimetre.
  static func place(_ part: Part, from a: Spot, to b: Spot) -> Spot {
    Spot(x: a.x + part.times(b.x - a.x), y: a.y + part.times(b.y - a.y))
  }

  /// Twice the area inside a polygon.
  static func doubledArea(_ polygon: [Spot]) -> Int {
    abs(edges(polygon).reduce(0) { $0 + ($1.to.x - $1.from.x) * ($1.to.y + $1.from.y) })
  }

  /// Whether a place is inside by the even-odd rule: a line from it to the west crosses an odd number of edges. A place
  /// on an edge counts as a little further west, and even less further north.
  static func isInside(_ polygon: [Spot], _ place: Spot) -> Bool {
    var isInside = false
    for (from, to) in edges(polygon) {
      let (low, high) = from.y < to.y ? (from, to) : (to, from)
      if low.y <= place.y, place.y < high.y, (high - low).cross(place - low) < 0 { isInside.toggle() }
    }
    return isInside
  }

  private static func edges(_ polygon: [Spot]) -> [(from: Spot, to: Spot)] {
    polygon.indices.map { (polygon[$0], polygon[($0 + 1) % polygon.count]) }
  }

  /// Whether the way from `a` to `b` has a place in a square that includes only its southern and its western edge.
  static func passes(_ a: Spot, _ b: Spot, square corner: Spot, side: Int) -> Bool {
    // The part of the way between two edges goes from one fraction to another, each included or not.
    var begin = (part: Part.nothing, isIn: true)
    var end = (part: Part.everything, isIn: true)
    for (from, delta, low) in [(a.x, b.x - a.x, corner.x), (a.y, b.y - a.y, corner.y)] {
      if delta == 0 {
        guard (low..<low + side).contains(from) else { return false }
        continue
      }
      let atLow = (part: Part(low - from, of: delta), isIn: true)
      let atHigh = (part: Part(low + side - from, of: delta), isIn: false)
      let (first, last) = delta > 0 ? (atLow, atHigh) : (atHigh, atLow)
      if first.part > begin.part || first.part == begin.part && !first.isIn { begin = first }
      if last.part < end.part || last.part == end.part && !last.isIn { end = last }
    }
    return begin.part < end.part || begin.part == end.part && begin.isIn && end.isIn
  }
}
