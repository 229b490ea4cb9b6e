// The loops of one track, which are found point by point. A value. Its path never crosses itself: where the track does,
// the loop is noted and cut out, so the knots of a receiver on the way leave the large loop whole.
// Decisions: 108 (docs/decisions).

/// A closed part of a track. It does not cross itself.
struct WalkedLoop {
  let polygon: Polygon
  let lengthMm: Int64
  /// The measure by which the best loop is chosen.
  let gain: Int128
}

/// Finds the loops of a track.
struct LoopSearch {
  /// Twice a loop's area is at least this times its length: a way out and back on one street encloses nothing.
  static let widthMinMm: Int64 = 5_000
  /// A part of a loop that is narrower than this gains nothing: the way to a park and back is not part of its ring.
  static let gainWidthMm: Int64 = 15_000
  /// The number of loops that are kept, the best ones.
  static let loopsKept = 8
  /// A longer ring has too many vertices for a land.
  private static let lengthMaxMm = Int64(Land.verticesRange.upperBound) * LandSurvey.stepMaxMm

  private var path: OpenPath
  /// The length of the path up to each of its points.
  private var walkedMm: ContiguousArray<Int64> = [0]
  /// Twice the area between the plane's centre and the path up to each of its points.
  private var sweptMm2: ContiguousArray<Int128> = [0]
  /// The best loops so far, each better than those before.
  private(set) var loops: [WalkedLoop] = []

  init(from start: ArenaPoint) {
    path = OpenPath(at: start, from: nil, at: Instant(milliseconds: 0))
  }

  /// Continues the track with a straight step.
  mutating func walk(to point: ArenaPoint) {
    while path.end != point, let crossing = path.firstCrossing(to: point) {
      let loop = path.loop(from: crossing)
      var lengthMm = walkedMm[walkedMm.count - 1] - walkedMm[crossing.step]
      lengthMm -= Self.distanceMm(path.points[crossing.step], crossing.point)
      lengthMm += Self.distanceMm(path.end, crossing.point)
      note(loop, doubledAreaMm2: Int128(Arena.doubledAreaMm2(loop)), lengthMm: lengthMm, gapMm: 0)
      path.cutOut(from: crossing)
      walkedMm.removeSubrange((crossing.step + 1)...)
      sweptMm2.removeSubrange((crossing.step + 1)...)
      measureStep()
    }
    guard path.end != point else { return }
    path.append(point)
    measureStep()
    closeNear()
  }

  /// Measures the newest step.
  private mutating func measureStep() {
    let (from, to) = (path.points[path.points.count - 2], path.end)
    walkedMm.append(walkedMm[walkedMm.count - 1] + Self.distanceMm(from, to))
    sweptMm2.append(sweptMm2[sweptMm2.count - 1] + Self.swept(from, to))
  }

  /// Notes the best loop that a straight side from the path's end to an earlier point closes.
  private mutating func closeNear() {
    let end = path.end
    let last = path.points.count - 1
    var best: (start: Int, gain: Int128, areaMm2: Int128, lengthMm: Int64, gapMm: Int64)?
    for start in 0..<last {
      let squaredMm2 = path.points[start].squaredDistanceMm2(to: end)
      guard squaredMm2 <= TrackLoop.gapMaxMm * TrackLoop.gapMaxMm else { continue }
      let walked = walkedMm[last] - walkedMm[start]
      let gapMm = Geodesy.roundedSquareRoot(squaredMm2)
      let areaMm2 = (sweptMm2[last] - sweptMm2[start] + Self.swept(end, path.points[start])).magnitude
      let gain = Self.gain(doubledAreaMm2: Int128(areaMm2), lengthMm: walked + gapMm, gapMm: gapMm)
      // Of equal ones the last: a crossing in a point of the path leaves that point twice.
      guard gain > loops.last?.gain ?? .min, walked + gapMm >= LandSurvey.lengthMinMm else { continue }
      if best.map({ gain >= $0.gain }) ?? true {
        best = (start, gain, Int128(areaMm2), walked + gapMm, gapMm)
      }
    }
    guard let best, isFree(from: best.start) else { return }
    note(path.points[best.start...], doubledAreaMm2: best.areaMm2, lengthMm: best.lengthMm, gapMm: best.gapMm)
  }

  /// Whether the straight side from the path's end to one of its points meets no step between.
  private func isFree(from start: Int) -> Bool {
    let steps = start + 1..<max(start + 1, path.points.count - 2)
    return !steps.contains { step in
      Crossing(path.end, path.points[start], over: path.points[step], path.points[step + 1], step: step) != nil
    }
  }

  private mutating func note(_ polygon: Polygon, doubledAreaMm2: Int128, lengthMm: Int64, gapMm: Int64) {
    let gain = Self.gain(doubledAreaMm2: doubledAreaMm2, lengthMm: lengthMm, gapMm: gapMm)
    guard (LandSurvey.lengthMinMm...Self.lengthMaxMm).contains(lengthMm),
      doubledAreaMm2 >= Int128(Self.widthMinMm) * Int128(lengthMm), gain > loops.last?.gain ?? .min
    else { return }
    if loops.count == Self.loopsKept { loops.removeFirst() }
    loops.append(WalkedLoop(polygon: polygon, lengthMm: lengthMm, gain: gain))
  }

  /// The area that a loop encloses beyond a strip along its length; the side that closes it counts three times.
  private static func gain(doubledAreaMm2: Int128, lengthMm: Int64, gapMm: Int64) -> Int128 {
    doubledAreaMm2 - Int128(gainWidthMm) * Int128(lengthMm + 2 * gapMm)
  }

  private static func distanceMm(_ a: ArenaPoint, _ b: ArenaPoint) -> Int64 {
    Geodesy.roundedSquareRoot(a.squaredDistanceMm2(to: b))
  }

  private static func swept(_ from: ArenaPoint, _ to: ArenaPoint) -> Int128 {
    Int128(Int64(from.x) * Int64(to.y) - Int64(to.x) * Int64(from.y))
  }
}
