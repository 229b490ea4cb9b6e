// What a bot reckons that becomes of its own path, to hold against what the server tells of it.
//
// A value. A second calculation of the rules on purpose: in floating point, step against step without any index. Where a
// few millimetres would decide otherwise it says so, for the server reckons in whole ones.

/// A bot's own path: where it has walked outside its ground.
package struct WalkedPath: Sendable {
  /// What a step does to a path.
  package enum Step: Equatable, Sendable {
    case open
    /// It crosses the path, and this is what lies behind the crossing.
    case crossed(Polygon)
    /// It is back where the path began.
    case back(Polygon)
    /// It is back on own ground: what is enclosed depends on what else is held.
    case home
  }

  private static let reachM = 15.0
  private static let awayM = 30.0
  private static let areaMinM2 = 100.0
  /// A shorter step does not lengthen a path.
  private static let stepMinM = 2.0

  package private(set) var points: [Spot]
  /// The first point may be the last one on own ground.
  private let startIndex: Int
  private let loopMinM2: Double
  /// A few millimetres more would have led to something else.
  package var isUnclear = false

  package init(at start: Spot, from home: Spot?, cellAreaM2: Double) {
    points = (home.map { [$0] } ?? []) + [start]
    startIndex = points.count - 1
    loopMinM2 = max(Self.areaMinM2, cellAreaM2)
  }

  /// A path as the server tells it to who resumes; nil when none is open.
  package init?(told points: [Spot], cellAreaM2: Double) {
    guard let start = points.first else { return nil }
    self.init(at: start, from: nil, cellAreaM2: cellAreaM2)
    self.points = points
  }

  private var end: Spot { points[points.count - 1] }
  /// As the server tells it: without the way out of own ground.
  package var shown: ArraySlice<Spot> { points[startIndex...] }

  package mutating func lengthen(to spot: Spot, isHome: Bool) -> Step {
    let stepM = end.metres(to: spot)
    if !isHome, abs(stepM - Self.stepMinM) < Spot.unclearM { isUnclear = true }
    guard stepM >= Self.stepMinM || isHome else { return .open }
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

  /// The first place where a step crosses the path: which of its steps, and how far along the new one.
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

  /// Whether somebody's step crosses it: surely, perhaps, or not. What it has of late may not be known to the server yet.
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
