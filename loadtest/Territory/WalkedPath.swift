// A bot's own calculation of its path, compared with the server's messages.
//
// A value. A second implementation of the rules on purpose: in floating point, step against step without any index. It
// reports when a few millimetres would decide otherwise, because the server calculates in whole ones.

/// A bot's own path: its way outside its ground.
package struct WalkedPath: Sendable {
  /// The effect of a step on a path.
  package enum Step: Equatable, Sendable {
    case open
    /// It crosses the path, and this lies behind the crossing.
    case crossed(Polygon)
    /// It is back where the path began.
    case back(Polygon)
    /// It is back on own ground. The enclosed cells depend on the other cells held.
    case home
  }

  private static let reachM = 15.0
  private static let awayM = 30.0
  private static let areaMinM2 = 100.0
  /// The length below which a step does not lengthen a path.
  private static let stepMinM = 2.0

  package private(set) var points: [Spot]
  /// The index of the path's start; the first point may be the last one on own ground.
  private let startIndex: Int
  private let loopMinM2: Double
  /// Whether a few millimetres more would have led to something else.
  package var isUnclear = false

  package init(at start: Spot, from home: Spot?, cellAreaM2: Double) {
    points = (home.map { [$0] } ?? []) + [start]
    startIndex = points.count - 1
    loopMinM2 = max(Self.areaMinM2, cellAreaM2)
  }

  /// A path from the state that a resuming client gets; nil when none is open.
  package init?(told points: [Spot], cellAreaM2: Double) {
    guard let start = points.first else { return nil }
    self.init(at: start, from: nil, cellAreaM2: cellAreaM2)
    self.points = points
  }

  private var end: Spot { points[points.count - 1] }
  /// The points as the server sends them: without the way out of own ground.
  package var shown: ArraySlice<Spot> { points[startIndex...] }

  package mutating func lengthen(to spot: Spot, isHome: Bool) -> Step {
    let stepM = end.metres(to: spot)
    if !isHome, abs(stepM - Self.stepMinM) < Spot.unclearM { isUnclear = true }
    guard stepM >= Self.stepMinM || isHome else { return touch(spot) }
    while let (step, share) = firstCrossing(to: spot) {
      let crossing = Segment(end, spot).spot(at: share)
      let loop = Polygon([crossing] + points[(step + 1)...])
      if isLarge(loop) { return .crossed(loop) }
      points.removeSubrange((step + 1)...)
      points.append(crossing)
    }
    points.append(spot)
    guard !isHome else { return .home }
    return back() ?? .open
  }

  /// A step that does not lengthen the path closes it all the same.
  private mutating func touch(_ spot: Spot) -> Step {
    if let (step, share) = firstCrossing(to: spot) {
      let loop = Polygon([Segment(end, spot).spot(at: share)] + points[(step + 1)...])
      return isLarge(loop) ? .crossed(loop) : .open
    }
    points.append(spot)
    defer { points.removeLast() }
    return back() ?? .open
  }

  private mutating func back() -> Step? {
    let start = points[startIndex]
    let metres = start.metres(to: end)
    guard metres < Self.reachM + Spot.unclearM else { return nil }
    let furthestM = shown.reduce(0) { max($0, $1.metres(to: start)) }
    guard furthestM >= Self.awayM - Spot.unclearM else { return nil }
    if abs(metres - Self.reachM) < Spot.unclearM || abs(furthestM - Self.awayM) < Spot.unclearM { isUnclear = true }
    let loop = Polygon(Array(shown))
    return metres <= Self.reachM && furthestM >= Self.awayM && isLarge(loop) ? .back(loop) : nil
  }

  /// The first place where a step crosses the path: the index of the crossed step, and the share of the new one.
  private mutating func firstCrossing(to spot: Spot) -> (step: Int, share: Double)? {
    let new = Segment(end, spot)
    var first: (step: Int, share: Double)?
    // The newest step ends where this one begins.
    for step in 0..<max(0, points.count - 2) {
      let old = Segment(points[step], points[step + 1])
      guard new.isNear(old) else { continue }
      if new.grazes(old) { isUnclear = true }
      guard let share = new.crossing(old), share < first?.share ?? .infinity else { continue }
      first = (step, share)
    }
    return first
  }

  private mutating func isLarge(_ loop: Polygon) -> Bool {
    let area = loop.areaM2
    if abs(area - loopMinM2) < loopMinM2 / 100 { isUnclear = true }
    return area >= loopMinM2
  }

  /// Whether another's step crosses it: surely, perhaps, or not. The server may not know its newest part yet.
  package func isCrossed(by step: Segment) -> Crossed {
    var crossed = Crossed.not
    for index in 0..<points.count - 1 {
      let own = Segment(points[index], points[index + 1])
      guard own.isNear(step) else { continue }
      let isSure = index < points.count - 3 && !step.grazes(own)
      if step.crossing(own) != nil { crossed = max(crossed, isSure ? .surely : .perhaps) }
      if step.grazes(own) { crossed = max(crossed, .perhaps) }
    }
    return crossed
  }

  package enum Crossed: Int, Comparable, Sendable {
    case not, perhaps, surely

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}
