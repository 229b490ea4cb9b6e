// Plans the next route of a territory bot: a few straight legs, tried out in its own calculation before they are
// walked.
//
// A value; the same seed plans the same routes on the same ground.
import Foundation

/// The three ways to close a path.
package enum ClosingWay: CaseIterable {
  case crossing, start, home
}

package struct RoutePlanner {
  let stepM: Double
  private var generator: SplitMix64
  private static let candidates = 12
  /// The distance that it keeps from the arena's edge.
  private static let marginM = 12.0

  package init(stepM: Double, seed: UInt64) {
    self.stepM = stepM
    generator = SplitMix64(seed)
  }

  /// The start of a plan.
  package struct Situation {
    let spot: Spot
    let path: WalkedPath?
    let seat: Int
    let ground: GroundCopy

    package init(spot: Spot, path: WalkedPath?, seat: Int, ground: GroundCopy) {
      self.spot = spot
      self.path = path
      self.seat = seat
      self.ground = ground
    }

    var isHome: Bool { ground.isHeld(by: seat, at: spot) }
  }

  /// A route that closes the path in the given way; first to own ground if necessary. Nil when none was found.
  package mutating func route(_ way: ClosingWay, from situation: Situation) -> [Spot]? {
    if way == .home, !situation.isHome {
      return nearestOwnCell(situation).map { [situation.ground.middle(of: $0)] }
    }
    return firstRoute { heading, size, side in
      switch way {
      case .crossing: Self.lasso(from: situation.spot, heading, size, side)
      case .start, .home: Self.round(from: situation.spot, heading, size, side)
      }
    } accepting: { [stepM] route in
      guard let (step, path) = Self.outcome(of: route, stepM, from: situation) else { return false }
      switch (step, way) {
      case (.crossed, .crossing), (.back, .start): return true
      case (.home, .home):
        return Enclosure(path: path.points, by: situation.seat, on: situation.ground).certain.count > 2
      default: return false
      }
    }
  }

  /// A route around ground that others hold. Nil when there is none, or no route.
  package mutating func raid(from situation: Situation) -> [Spot]? {
    let foreign = situation.ground.cells(heldByOthersThan: situation.seat)
    let some = (0..<8).compactMap { _ in foreign.randomElement(using: &generator) }
    let target = some.map(situation.ground.middle).min {
      situation.spot.metres(to: $0) < situation.spot.metres(to: $1)
    }
    guard let target else { return nil }
    return firstRoute { heading, size, side in
      Self.ring(around: target, (heading * 2 / .pi).rounded() * .pi / 2, size / 2, side)
    } accepting: { [stepM] route in
      guard case .crossed(let loop) = Self.outcome(of: route, stepM, from: situation)?.step else { return false }
      return loop.contains(target)
    }
  }

  /// A route straight across another's path.
  mutating func ambush(_ path: WalkedPath, from situation: Situation) -> [Spot]? {
    let points = path.points
    guard points.count > 6 else { return nil }
    let index = Int.random(in: 0..<points.count - 5, using: &generator)
    let (a, b) = (points[index], points[index + 1])
    let heading = atan2(b.y - a.y, b.x - a.x)
    let middle = Segment(a, b).spot(at: 0.5)
    var ends = [15, -15].map { middle.moved(ahead: 0, left: $0, heading: heading) }
    if situation.spot.metres(to: ends[1]) < situation.spot.metres(to: ends[0]) { ends.reverse() }
    return ends.allSatisfy { situation.ground.contains($0, marginM: Self.marginM) } ? ends : nil
  }

  /// A route to anywhere, when there is nothing better.
  mutating func stroll(from situation: Situation) -> [Spot] {
    for _ in 0..<Self.candidates {
      let heading = generator.fraction(in: 0...(2 * .pi))
      let leg = situation.spot.moved(ahead: generator.fraction(in: 30...60), left: 0, heading: heading)
      if situation.ground.contains(leg, marginM: Self.marginM) { return [leg] }
    }
    return [Spot(x: 0, y: 0)]
  }

  private mutating func firstRoute(
    _ draw: (_ heading: Double, _ size: Double, _ side: Double) -> [Spot],
    accepting isGood: ([Spot]) -> Bool
  ) -> [Spot]? {
    for _ in 0..<Self.candidates {
      let heading = generator.fraction(in: 0...(2 * .pi))
      let side: Double = Bool.random(using: &generator) ? 1 : -1
      let route = draw(heading, generator.fraction(in: 40...60), side)
      if isGood(route) { return route }
    }
    return nil
  }

  private func nearestOwnCell(_ situation: Situation) -> Int? {
    situation.ground.cells(heldBy: situation.seat).min {
      situation.spot.metres(to: situation.ground.middle(of: $0))
        < situation.spot.metres(to: situation.ground.middle(of: $1))
    }
  }
}

// The shapes, and their outcomes.
extension RoutePlanner {
  /// A route around a block and back to its start.
  private static func round(from spot: Spot, _ heading: Double, _ size: Double, _ side: Double) -> [Spot] {
    [
      spot.moved(ahead: size, left: 0, heading: heading),
      spot.moved(ahead: size, left: side * size * 0.8, heading: heading),
      spot.moved(ahead: 0, left: side * size * 0.8, heading: heading),
      spot,
    ]
  }

  /// A route around a block and across the first leg, well away from its start.
  private static func lasso(from spot: Spot, _ heading: Double, _ size: Double, _ side: Double) -> [Spot] {
    [
      spot.moved(ahead: size + 20, left: 0, heading: heading),
      spot.moved(ahead: size + 20, left: side * size * 0.8, heading: heading),
      spot.moved(ahead: 22, left: side * size * 0.8, heading: heading),
      spot.moved(ahead: 22, left: side * -12, heading: heading),
    ]
  }

  /// A route around a place, from outside, and across the first side of the ring.
  private static func ring(around spot: Spot, _ heading: Double, _ radius: Double, _ side: Double) -> [Spot] {
    [
      spot.moved(ahead: -radius - 12, left: side * -radius, heading: heading),
      spot.moved(ahead: radius, left: side * -radius, heading: heading),
      spot.moved(ahead: radius, left: side * radius, heading: heading),
      spot.moved(ahead: -radius, left: side * radius, heading: heading),
      spot.moved(ahead: -radius, left: side * (-radius - 12), heading: heading),
    ]
  }

  /// The first outcome of a route other than an open path; nil when there is none, it is too close to call, or the
  /// route leaves the arena.
  package static func outcome(
    of route: [Spot],
    _ stepM: Double,
    from situation: Situation
  ) -> (step: WalkedPath.Step, path: WalkedPath)? {
    guard route.allSatisfy({ situation.ground.contains($0, marginM: marginM) }) else { return nil }
    var (spot, path) = (situation.spot, situation.path)
    path?.isUnclear = false
    for end in route {
      while spot != end {
        let next = spot.moved(toward: end, by: stepM)
        let isHome = situation.ground.isHeld(by: situation.seat, at: next)
        if situation.ground.isOnEdge(next, ofGroundOf: situation.seat) { return nil }
        if var longer = path {
          // Moved out, so that no step copies the path.
          path = nil
          let step = longer.lengthen(to: next, isHome: isHome)
          if longer.isUnclear { return nil }
          if step != .open { return (step, longer) }
          path = longer
        } else if !isHome {
          let home = situation.ground.isHeld(by: situation.seat, at: spot) ? spot : nil
          path = WalkedPath(at: next, from: home, cellAreaM2: situation.ground.cellAreaM2)
        }
        spot = next
      }
    }
    return nil
  }
}
