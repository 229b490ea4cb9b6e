// A player's way outside their own land, as long as it encloses nothing. A value, and the hottest of territory mode:
// each step is checked against the whole way before it. It never meets itself: a loop either closes it or is cut out,
// so that going back the same way takes it back.
// Decisions: 032, 033 (docs/decisions).

/// Consecutive places; the last and the first are joined.
typealias Polygon = ContiguousArray<ArenaPoint>.SubSequence

/// A path that has not closed.
struct OpenPath: Sendable {
  /// The time of the fix that opened it.
  let openedAt: Instant
  /// Whether the first point is the last one on own land: the way out belongs to the path, but is not its start.
  private(set) var leadsOut: Bool
  private(set) var points: ContiguousArray<ArenaPoint>
  /// The bounds of all steps; nil before the first. They may still cover parts that were cut out.
  private var bounds: Box?
  /// The bounds of each 32 steps, so that a step is checked only against those that it may meet.
  private var boxes: ContiguousArray<Box> = []

  /// The path closes within this distance of its start …
  static let startReachMm: Int64 = 15_000
  /// … once it was this far away.
  static let awayMinMm: Int64 = 30_000
  /// A path that was never so far away is seen to come back within this distance of its start …
  static let aroundReachMm: Int64 = 5_000
  /// … once it was this far away. Less is the error of a receiver, or of a player who stands there.
  static let aroundMinMm: Int64 = 10_000
  /// The path is given up after this time …
  static let openMax = Duration.seconds(600)
  /// … or with this many points: more than a phone can send in that time, and few enough for areas in 64 bits.
  static let pointsMax = 8_192
  private static let stepsPerBox = 32

  /// A path that begins at a point, with a step from own land to it if the player came from there.
  init(at start: ArenaPoint, from home: ArenaPoint?, at time: Instant) {
    openedAt = time
    leadsOut = home != nil
    points = []
    if let home { points.append(home) }
    append(start)
  }

  var end: ArenaPoint { points[points.count - 1] }
  /// The index of the start, whose nearness closes the path by rule (b).
  var startIndex: Int { leadsOut ? 1 : 0 }
  var start: ArenaPoint { points[startIndex] }

  mutating func append(_ point: ArenaPoint) {
    points.append(point)
    guard points.count > 1 else { return }
    let step = points.count - 2
    let box = Box(points[step], point)
    if step % Self.stepsPerBox == 0 {
      boxes.append(box)
    } else {
      boxes[boxes.count - 1].add(point)
    }
    if bounds == nil { bounds = box } else { bounds?.add(point) }
  }

  func isTooLong(at time: Instant) -> Bool {
    time - openedAt >= Self.openMax || points.count >= Self.pointsMax
  }

  /// Whether a point is near the path's start.
  func isNearStart(_ point: ArenaPoint) -> Bool {
    point.squaredDistanceMm2(to: start) <= Self.startReachMm * Self.startReachMm
  }

  /// Whether the path would be near its start at this point, after having been away.
  func isBackAtStart(at point: ArenaPoint) -> Bool {
    isNearStart(point)
      && points[startIndex...].contains { $0.squaredDistanceMm2(to: start) >= Self.awayMinMm * Self.awayMinMm }
  }

  /// Whether the newest step has come back to the path's start as a map shows it, closer than where paths close, and
  /// after a way of its own: steps about the start do not come around again.
  var hasComeAround: Bool {
    guard end.squaredDistanceMm2(to: start) <= Self.aroundReachMm * Self.aroundReachMm else { return false }
    for point in points[startIndex...].dropLast().reversed() {
      let squaredMm2 = point.squaredDistanceMm2(to: start)
      if squaredMm2 <= Self.aroundReachMm * Self.aroundReachMm { return false }
      if squaredMm2 >= Self.aroundMinMm * Self.aroundMinMm { return true }
    }
    return false
  }

  /// The first place where a step from the end meets the path, after having left it.
  func firstCrossing(to point: ArenaPoint) -> Crossing? {
    // The newest step ends where this one begins.
    firstCrossing(from: end, to: point, stepsEnd: points.count - 2)
  }

  /// Whether the path's bounds meet a step's: the first check, since there are many paths.
  func isNear(_ step: Box) -> Bool { bounds?.meets(step) ?? false }

  /// Whether a step meets the path.
  func isCrossed(from: ArenaPoint, to: ArenaPoint) -> Bool {
    firstCrossing(from: from, to: to, stepsEnd: points.count - 1) != nil
  }

  private func firstCrossing(from: ArenaPoint, to: ArenaPoint, stepsEnd: Int) -> Crossing? {
    let box = Box(from, to)
    var first: Crossing?
    for index in boxes.indices where boxes[index].meets(box) {
      let begin = index * Self.stepsPerBox
      guard begin < stepsEnd else { break }
      for step in begin..<min(begin + Self.stepsPerBox, stepsEnd) {
        guard let crossing = Crossing(from, to, over: points[step], points[step + 1], step: step) else { continue }
        if first.map({ crossing.isBefore($0) }) ?? true { first = crossing }
      }
    }
    return first
  }

  /// The path from a crossing to its end and back to the crossing.
  func loop(from crossing: Crossing) -> Polygon {
    var loop = points[crossing.step...]
    loop[crossing.step] = crossing.point
    return loop
  }

  /// The cells that it passes through, the way out of own land included.
  func cells(in arena: Arena) -> CellMask {
    var cells = CellMask(side: arena.cells)
    for step in 1..<points.count {
      arena.insert(stepFrom: points[step - 1], to: points[step], into: &cells)
    }
    return cells
  }

  /// Continues from a crossing, without the steps after it.
  mutating func cutOut(from crossing: Crossing) {
    points.removeSubrange((crossing.step + 1)...)
    // The boxes of the rest; a box that has lost steps may be too large, which only costs time.
    boxes.removeSubrange((crossing.step + Self.stepsPerBox - 1) / Self.stepsPerBox..<boxes.count)
    append(crossing.point)
  }
}

// In a journal.
extension OpenPath {
  func write(to state: inout RecordWriter) {
    state.near(openedAt)
    state.bytes.flag(leadsOut)
    state.bytes.number(points.count)
    var last = ArenaPoint(x: 0, y: 0)
    for point in points {
      state.bytes.signed(Int64(point.x - last.x))
      state.bytes.signed(Int64(point.y - last.y))
      last = point
    }
  }

  init(in arena: Arena, from state: inout RecordReader) throws(JournalFault) {
    openedAt = try state.near()
    leadsOut = try state.bytes.flag()
    points = []
    let inside = 0..<Int64(arena.sideMm)
    var (x, y): (Int64, Int64) = (0, 0)
    for _ in 0..<(try state.bytes.count(bytesEach: 2, max: Self.pointsMax, "number of points")) {
      x += try state.bytes.signed(in: -x...Int64(arena.sideMm) - 1 - x, "point of a path")
      y += try state.bytes.signed(in: -y...Int64(arena.sideMm) - 1 - y, "point of a path")
      try state.require(inside.contains(x) && inside.contains(y), "point of a path")
      append(ArenaPoint(x: Int32(x), y: Int32(y)))
    }
    try state.require(points.count > startIndex, "path without a start")
  }
}
