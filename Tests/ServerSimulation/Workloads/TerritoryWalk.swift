// Players of territory mode go around ground of some tens of metres, near each other, so that paths close, cross and
// take ground away. Some stray, stand still, or send a forged position.
import MadangProtocol
import Net
import SeededRandom

struct TerritoryWalk: Workload {
  /// One player's way around: eight corners, one each step.
  private struct Route {
    var latE7: Int32
    var lngE7: Int32
    var reachE7: Int32
    var corner: Int
    var turn: Int
    var isStraying = false
    var sentAt = Timestamp(microseconds: 0)
  }

  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64
  private var routes: [Route]

  static let center = (latE7: Int32(375_665_000), lngE7: Int32(1_269_780_000))
  /// Fast enough to go around ground in a few seconds.
  static let speedMaxMmS: UInt32 = 100_000
  /// In hundredths of the reach; 1e-7 degree is about a hundredth of a metre.
  private static let corners = [
    (100, 0), (71, 71), (0, 100), (-71, 71), (-100, 0), (-71, -71), (0, -100), (71, -71),
  ]

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    var random = random
    self.plan = plan
    next = start
    routes = (0..<plan.players).map { _ in Self.route(&random) }
    self.random = random
  }

  /// Small enough that some leave it; with a given place, or around the host's first fix.
  static func arena(_ random: inout SplitMix64) -> WireArena {
    var arena = WireArena()
    arena.cellM = UInt32(random.draw(5...12))
    arena.cells = UInt32(random.draw(12...40))
    if random.chance(70) {
      arena.latE7 = center.latE7
      arena.lngE7 = center.lngE7
    }
    return arena
  }

  private static func route(_ random: inout SplitMix64) -> Route {
    Route(
      latE7: center.latE7 + Int32(random.draw(-6_000...6_000)),
      lngE7: center.lngE7 + Int32(random.draw(-6_000...6_000)),
      reachE7: Int32(random.draw(2_000...3_200)),
      corner: random.draw(0...7),
      turn: random.chance(50) ? 1 : -1
    )
  }

  /// Another way around, from the place on this one; rather back to the middle than out of the arena.
  private static func route(on old: Route, _ random: inout SplitMix64) -> Route {
    let here = corners[old.corner]
    let routes = (0..<2).map { _ in
      var route = Self.route(&random)
      let there = corners[route.corner]
      route.latE7 = old.latE7 + (old.reachE7 * Int32(here.0) - route.reachE7 * Int32(there.0)) / 100
      route.lngE7 = old.lngE7 + (old.reachE7 * Int32(here.1) - route.reachE7 * Int32(there.1)) / 100
      return route
    }
    func offE7(_ route: Route) -> Int32 { abs(route.latE7 - center.latE7) + abs(route.lngE7 - center.lngE7) }
    return offE7(routes[0]) < offE7(routes[1]) ? routes[0] : routes[1]
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: max(20, 400 / plan.players))
    guard let player = random.pickFree(of: world), player.copy != nil else { return }
    var route = routes[player.number]
    defer { routes[player.number] = route }
    // No player is at two corners in one moment.
    if now.microseconds(since: route.sentAt) > 350_000 {
      route.corner = (route.corner + route.turn + 8) % 8
      route.sentAt = now
      if random.chance(6) { route = Self.route(on: route, &random) }
      route.isStraying = random.chance(2)
    }
    let (north, east) =
      route.isStraying ? (random.draw(-150...150), random.draw(-150...150)) : Self.corners[route.corner]
    var move = WireMove()
    move.latE7 = route.latE7 + route.reachE7 * Int32(north) / 100
    move.lngE7 = route.lngE7 + route.reachE7 * Int32(east) / 100
    move.accuracyM = UInt32(random.draw(1...20))
    // A player sends either all fixes with a time or none: a fix without it counts from its arrival, which may be after
    // the next one's time.
    if player.number % 3 > 0 { move.timeMs = now.milliseconds }
    switch random.draw(1...400) {
    case 1: move.mocked = true
    case 2: move.latE7 += 500_000
    default: break
    }
    player.move(move, isAnswered: !random.chance(50), at: now)
  }
}
