// The next place of a player in a path's trial: seldom anywhere, mostly where the geometry is delicate. A value; it
// remembers its earlier places.
import Game
import SeededRandom

/// Draws one player's path.
struct PathPencil {
  private enum Habit: CaseIterable {
    case anywhere
    case onLines
    case whereItWas
    case alongAxis
    case between
    case nearby
    case cellsAway
    case nearStart
    case home
    case outside
  }

  private let scale: ArenaScale
  /// Millimetres along a side that lie on grid lines and on the middles of cells, where a coordinate hits them exactly.
  private let lines: [Int]
  private let habits: [Habit]
  private var been: [Coordinate] = []
  /// The duration of the newest step.
  private(set) var pauseMs = 1_000

  init(_ scale: ArenaScale, random: inout SplitMix64) {
    self.scale = scale
    let half = scale.plan.cellM * 500
    let all = (0...2 * scale.plan.cells).map { $0 * half }
    let exact = all.filter { scale.spot(scale.coordinate(Spot(x: $0, y: $0))) == Spot(x: $0, y: $0) }
    lines = exact.count < 3 || random.chance(20) ? all : exact
    let kinds = (0...random.draw(2...8)).map { _ in random.pick(Habit.allCases) }
    habits = random.chance(50) ? kinds : kinds + [.cellsAway, .cellsAway, .nearby, .home]
  }

  /// Chooses the next place. `start` is the beginning of the player's open path, `held` the cells that they hold.
  mutating func next(start: Spot?, held: @autoclosure () -> [Int], random: inout SplitMix64) -> Coordinate {
    let here = been.last.map(scale.spot) ?? Spot(x: scale.sideMm / 2, y: scale.sideMm / 2)
    let next = place(from: here, start: start, held: held, random: &random)
    let there = scale.spot(next)
    // At the greatest speed that a room may have, 100 m/s.
    pauseMs = 1_000 + (abs(there.x - here.x) + abs(there.y - here.y)) / 100
    been.append(next)
    return next
  }

  private func place(from here: Spot, start: Spot?, held: () -> [Int], random: inout SplitMix64) -> Coordinate {
    switch random.pick(habits) {
    case .anywhere:
      return inside(Spot(x: random.draw(0...scale.sideMm), y: random.draw(0...scale.sideMm)))
    case .onLines:
      return inside(Spot(x: random.pick(lines), y: random.pick(lines)))
    case .whereItWas:
      return been.isEmpty ? inside(here) : random.pick(been.suffix(40))
    case .alongAxis:
      return inside(
        random.chance(50) ? Spot(x: here.x, y: random.pick(lines)) : Spot(x: random.pick(lines), y: here.y)
      )
    case .between:
      let other = been.isEmpty ? here : scale.spot(random.pick(been.suffix(6)))
      return inside(Spot(x: (here.x + other.x) / 2, y: (here.y + other.y) / 2))
    case .nearby:
      return inside(around(here, 7_000, &random))
    case .cellsAway:
      return inside(around(here, 3_000 * scale.plan.cellM, &random))
    case .nearStart:
      return inside(around(start ?? here, random.chance(50) ? 16_000 : 5_500, &random))
    case .home:
      let held = held()
      guard !held.isEmpty else { return inside(here) }
      let cell = random.pick(held)
      let cellMm = scale.plan.cellM * 1_000
      let corner = Spot(x: cell % scale.plan.cells * cellMm, y: cell / scale.plan.cells * cellMm)
      return inside(Spot(x: corner.x + random.draw(0...cellMm), y: corner.y + random.draw(0...cellMm)))
    case .outside:
      let inside = random.draw(0...scale.sideMm)
      let beyond = random.chance(50) ? -random.draw(1...20_000) : scale.sideMm + random.draw(0...20_000)
      return scale.coordinate(random.chance(50) ? Spot(x: inside, y: beyond) : Spot(x: beyond, y: inside))
    }
  }

  private func around(_ spot: Spot, _ reach: Int, _ random: inout SplitMix64) -> Spot {
    Spot(x: spot.x + random.draw(-reach...reach), y: spot.y + random.draw(-reach...reach))
  }

  private func inside(_ spot: Spot) -> Coordinate {
    scale.coordinate(
      Spot(x: max(0, min(scale.sideMm - 1, spot.x)), y: max(0, min(scale.sideMm - 1, spot.y)))
    )
  }
}
