// The way of one player in a game: places with their moments. A value. It can be thinned, and its ends can be cut off,
// so that nobody learns where its player came from.
// Decisions: 155 (docs/decisions).

/// The places of one seat, in the order of their moments.
package struct GameWay: Hashable, Sendable {
  /// A place, and when the player was there.
  package struct Step: Hashable, Sendable {
    /// On the room's clock.
    package let atMs: UInt32
    package let place: Coordinate

    package init(atMs: UInt32, _ place: Coordinate) {
      self.atMs = atMs
      self.place = place
    }
  }

  package private(set) var steps: [Step]

  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// So much of the walked distance is cut off at each end of a way that others see.
  package static let endMm: Int64 = 200_000
  /// A player has walked only once they are so far from where they were last: a receiver that lies still walks nowhere.
  private static let walkedMinMm: Int64 = 10_000

  mutating func append(_ step: Step) {
    steps.append(step)
  }

  /// Puts steps that were told late to their moments.
  mutating func sort() {
    let isSorted = zip(steps, steps.dropFirst()).allSatisfy { $0.atMs <= $1.atMs }
    guard !isSorted else { return }
    // Steps of one moment stay in the order in which they were told.
    steps = steps.enumerated().sorted { ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset) }.map(\.element)
  }

  /// The way without the first and the last 200 m of the distance walked; empty where nothing is left.
  package var withoutEnds: GameWay {
    guard let first = Self.index(behind: Self.endMm, of: steps),
      let fromEnd = Self.index(behind: Self.endMm, of: steps.reversed())
    else { return GameWay() }
    let last = steps.count - 1 - fromEnd
    return first <= last ? GameWay(Array(steps[first...last])) : GameWay()
  }

  /// The place in `steps` of the first one at which the distance has been walked; nil where the way is shorter. A step
  /// that is too long for the rules' distance adds nothing here either, so that rather more is cut off.
  private static func index(behind distanceMm: Int64, of steps: some Sequence<Step>) -> Int? {
    var anchor: Coordinate?
    var walkedMm: Int64 = 0
    for (index, step) in steps.enumerated() {
      guard let from = anchor, let mm = Geodesy.distanceMm(from, step.place) else {
        anchor = step.place
        continue
      }
      guard mm >= walkedMinMm else { continue }
      anchor = step.place
      if mm <= PositionRules.stepMaxMm { walkedMm += mm }
      if walkedMm >= distanceMm { return index }
    }
    return nil
  }

  /// The way without places that are closer than this to the one before, but for the last one.
  func spaced(byM spacingM: Int) -> GameWay {
    guard let first = steps.first, let last = steps.last, steps.count > 2 else { return self }
    var kept = [first]
    for step in steps.dropFirst().dropLast()
    where !Geodesy.isWithin(Int64(spacingM) * 1_000 - 1, kept[kept.count - 1].place, step.place) { kept.append(step) }
    kept.append(last)
    return GameWay(kept)
  }
}

/// The ways of a game by seat.
package struct GameWays: Hashable, Sendable {
  package private(set) var bySeat: [Int: GameWay]
  /// Two neighbours of a way are no closer than this, but for its end.
  package let spacingM: Int

  private static let spacingMinM = 2
  /// Beyond it places are left out by their number.
  private static let spacingMaxM = 8_192

  /// Thins ways so that they have at most `stepsMax` places in all, which are more than two for each.
  package init(_ ways: [Int: GameWay], stepsMax: Int) {
    var spacingM = Self.spacingMinM
    var spaced = ways.mapValues { $0.spaced(byM: spacingM) }
    while Self.count(spaced) > stepsMax, spacingM < Self.spacingMaxM {
      spacingM *= 2
      spaced = spaced.mapValues { $0.spaced(byM: spacingM) }
    }
    let excess = (Self.count(spaced) + stepsMax - 1) / max(1, stepsMax)
    if excess > 1 {
      spaced = spaced.mapValues { way in
        GameWay(way.steps.enumerated().filter { $0.offset % (2 * excess) == 0 }.map(\.element))
      }
    }
    bySeat = spaced.filter { !$0.value.steps.isEmpty }
    self.spacingM = spacingM
  }

  private static func count(_ ways: [Int: GameWay]) -> Int { ways.values.reduce(0) { $0 + $1.steps.count } }
}
