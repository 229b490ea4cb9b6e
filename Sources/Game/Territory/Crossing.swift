// The exact intersection of two straight steps: in whole numbers, so that every machine finds the same place first. A
// value.

/// A place where a step meets an earlier one.
struct Crossing: Sendable {
  /// The number of the earlier step.
  let step: Int
  /// The place, to the nearest millimetre.
  let point: ArenaPoint
  /// Its distance along the later step, as a fraction of the step.
  private let part: Int64
  private let whole: Int64

  /// The first place of the step from `a` to `b` that lies on the one from `c` to `d`; nil when there is none. Touching
  /// a step, or beginning on it, meets it like crossing it; going along it meets it where the two begin to overlap.
  init?(_ a: ArenaPoint, _ b: ArenaPoint, over c: ArenaPoint, _ d: ArenaPoint, step: Int) {
    guard Box(a, b).meets(Box(c, d)) else { return nil }
    let sideOfC = Self.side(of: c, from: a, to: b)
    let sideOfD = Self.side(of: d, from: a, to: b)
    guard min(sideOfC, sideOfD) <= 0, max(sideOfC, sideOfD) >= 0 else { return nil }
    let sideOfA = Self.side(of: a, from: c, to: d)
    let sideOfB = Self.side(of: b, from: c, to: d)
    guard min(sideOfA, sideOfB) <= 0, max(sideOfA, sideOfB) >= 0 else { return nil }
    self.step = step
    if sideOfA != sideOfB {
      part = abs(sideOfA)
      whole = abs(sideOfA - sideOfB)
    } else {
      // All four on one line, and the bounds meet: so do the steps.
      part = max(0, min(Self.way(to: c, from: a, to: b), Self.way(to: d, from: a, to: b)))
      whole = max(1, a.squaredDistanceMm2(to: b))
    }
    point = ArenaPoint(
      x: Self.between(a.x, b.x, part, whole),
      y: Self.between(a.y, b.y, part, whole)
    )
  }

  /// Whether it comes before another one along the same later step.
  func isBefore(_ other: Crossing) -> Bool {
    Int128(part) * Int128(other.whole) < Int128(other.part) * Int128(whole)
  }

  /// Twice the area of the triangle, positive to the left: below 10¹⁶.
  private static func side(of point: ArenaPoint, from a: ArenaPoint, to b: ArenaPoint) -> Int64 {
    (Int64(b.x) - Int64(a.x)) * (Int64(point.y) - Int64(a.y))
      - (Int64(b.y) - Int64(a.y)) * (Int64(point.x) - Int64(a.x))
  }

  /// A point's distance along the step, times the length of the step.
  private static func way(to point: ArenaPoint, from a: ArenaPoint, to b: ArenaPoint) -> Int64 {
    (Int64(b.x) - Int64(a.x)) * (Int64(point.x) - Int64(a.x))
      + (Int64(b.y) - Int64(a.y)) * (Int64(point.y) - Int64(a.y))
  }

  private static func between(_ from: Int32, _ to: Int32, _ part: Int64, _ whole: Int64) -> Int32 {
    let delta = Int128(Int64(to) - Int64(from)) * Int128(part)
    let half = Int128(delta < 0 ? -whole : whole) / 2
    return from + Int32((delta + half) / Int128(whole))
  }
}
