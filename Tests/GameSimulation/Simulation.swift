// One room's life on a virtual clock: people who come, go, lose their connection, walk, cheat and chat, all drawn from
// one seed. After every step the permanent rules are checked. A value; the same seed gives the same life, byte for
// byte.
import SeededRandom
import Game

/// A simulated room.
package struct Simulation {
  /// The counts of a simulation, which can be added.
  package struct Tally: Sendable {
    package var games = 0
    /// The most points of any player.
    package var points = 0
    package var mergedTicks = 0
    /// The number of captures.
    package var captures = 0
    package var cellsTaken = 0

    package init() {}

    package static func += (sum: inout Tally, other: Tally) {
      sum.games += other.games
      sum.points += other.points
      sum.mergedTicks += other.mergedTicks
      sum.captures += other.captures
      sum.cellsTaken += other.cellsTaken
    }

    package var line: String {
      "\(games) games, \(mergedTicks) merged ticks, \(captures) captures of \(cellsTaken) cells"
    }
  }

  package private(set) var fingerprint = Fingerprint()
  package private(set) var tally = Tally()

  private var random: SplitMix64
  private var room: Room
  private var now: Instant
  private var effects = Effects()
  private var crowd: Crowd
  private var rules = Rules()
  private var recorder: JournalRecorder

  /// A client that takes every tick.
  private var follower: TickFollower
  /// A client that falls behind at times, with the newest broadcast that it took.
  private var straggler: TickFollower
  private var stragglerBroadcast: UInt64 = 0
  /// A client that is sent the whole state at times.
  private var newcomer: TickFollower

  /// Whether the rules are checked; a run without checks gives the same bytes.
  private let isChecked: Bool

  package init(seed: UInt64, mode: Mode = .footprint, isChecked: Bool) throws {
    self.isChecked = isChecked
    recorder = JournalRecorder(seed: seed)
    random = SplitMix64(seed: seed)
    now = Instant(milliseconds: 1_790_000_000_000 + Int64(random.draw(0...1_000_000)))
    let configuration = try mode == .territory ? Self.territory(&random) : Self.footprint(&random)
    room = Room(configuration, seed: seed, at: now)
    follower = TickFollower(stateOf: room)
    straggler = follower
    newcomer = follower
    if let plan = configuration.arena {
      let place = random.pick(Self.places)
      crowd = Crowd(
        count: min(configuration.capacity, 3) + random.draw(0...2),
        in: ArenaScale(center: plan.center ?? place, plan: plan),
        speedMaxMmPerS: configuration.speedMaxMmPerS,
        random: &random
      )
    } else {
      crowd = Crowd(count: min(configuration.capacity, 8) + random.draw(0...6), random: &random)
    }
    recorder.create(configuration, seed: seed, at: now)
  }

  /// Practice opponents, from a copy, so that a seed's other draws stay the same.
  private static func walkers(_ random: SplitMix64, solo: Bool) -> (fill: Int, strength: WalkerStrength) {
    var copy = random
    guard copy.chance(25), !solo else { return (0, .even) }
    return (copy.draw(1...RoomConfiguration.fillRange.upperBound), copy.pick(WalkerStrength.allCases))
  }

  private static func footprint(_ random: inout SplitMix64) throws -> RoomConfiguration {
    let solo = random.chance(5)
    let walkers = walkers(random, solo: solo)
    return try RoomConfiguration(
      capacity: solo ? 1 : random.pick([2, 2, 3, 4, 4, 5, 8, 40, 200]),
      duration: .milliseconds(random.draw(10_000...40_000)),
      tickHz: random.draw(1...20),
      hostOnly: random.chance(30),
      solo: solo,
      spectators: random.chance(80),
      speedMaxMmPerS: random.pick([2_000, 12_500, 12_500, 100_000]),
      fill: walkers.fill,
      fillStrength: walkers.strength
    )
  }

  private static func territory(_ random: inout SplitMix64) throws -> RoomConfiguration {
    let solo = random.chance(5)
    let walkers = walkers(random, solo: solo)
    let capacity = solo ? 1 : random.pick([2, 3, 3, 4, 4, 200])
    let duration = Duration.seconds(random.draw(60...900))
    let tickHz = random.draw(1...20)
    let hostOnly = random.chance(30)
    let spectators = random.chance(80)
    let speedMaxMmPerS = random.pick([12_500, 12_500, 30_000, 100_000])
    let settings = TerritorySettings(
      arena: try ArenaPlan(
        center: random.chance(70) ? random.pick(places) : nil,
        cellM: random.draw(5...12),
        cells: random.draw(4...48)
      ),
      cutting: random.chance(35)
    )
    return try RoomConfiguration(
      mode: .territory(settings),
      capacity: capacity,
      duration: duration,
      tickHz: tickHz,
      hostOnly: hostOnly,
      solo: solo,
      spectators: spectators,
      speedMaxMmPerS: speedMaxMmPerS,
      fill: walkers.fill,
      fillStrength: walkers.strength
    )
  }

  /// A town, the equator, and the antimeridian.
  private static let places = [
    Coordinate(latE7: 375_000_000, lngE7: 1_267_000_000), Coordinate(latE7: 0, lngE7: 0),
    Coordinate(latE7: 849_900_000, lngE7: 1_799_999_000), Coordinate(latE7: -400_000_000, lngE7: -1_799_999_999),
  ]

  /// A territory game of 300 steps, run twice: every rule holds, and both have the same outcome.
  package static func territory(seed: UInt64) throws -> Simulation {
    var first = try Simulation(seed: seed, mode: .territory, isChecked: true)
    try first.run(steps: 300)
    var second = try Simulation(seed: seed, mode: .territory, isChecked: false)
    try second.run(steps: 300)
    try Violation.unless(first.fingerprint == second.fingerprint, "the second run differs")
    return first
  }

  /// Runs `steps` steps, then leaves the room alone until it closes.
  package mutating func run(steps: Int) throws {
    for _ in 0..<steps where !room.isClosed {
      now = now + .milliseconds(pause())
      try step(nextInput())
    }
    if isChecked, !room.isClosed {
      try recorder.check(room, crowd, at: now)
    }
    guard !room.isClosed else { return }
    for place in crowd.connectedPlaces {
      try step(.lose(place))
    }
    // A game first goes on to its end, with a wait for fixes that are never told.
    now = now + (room.phase == .playing ? room.configuration.duration + .seconds(700) : .seconds(61))
    if !room.isClosed {
      try step(.tick(through: .max))
    }
    try Violation.unless(room.isClosed, "an abandoned room did not close")
  }

  /// Mostly someone's input, or a tick, at times one for which the newest events are not yet durable; seldom an input
  /// of the server's own.
  private mutating func nextInput() -> Input {
    switch random.draw(1...1_000) {
    case 1...3:
      let away = random.draw(0...20_000)
      now = now + .milliseconds(away)
      return .restart(downtime: .milliseconds(random.draw(0...away)))
    case 4...8: return .erase(crowd.anybody(&random))
    case 1_000 where random.chance(25): return .close
    case 9...200: return .tick(through: .max)
    case 201...250: return .tick(through: room.lastEventNumber - min(room.lastEventNumber, UInt32(random.draw(0...4))))
    default: return crowd.input(for: room, at: now, random: &random)
    }
  }

  /// Mostly a fraction of a tick or a few; at times long enough for holds, games and rooms to end.
  private mutating func pause() -> Int {
    switch random.draw(1...200) {
    case 1: random.draw(55_000...65_000)
    case 2...3: random.draw(9_000...31_000)
    case 4...20: random.draw(500...3_000)
    case 21...40: 0
    default: random.draw(1...(room.arena == nil ? 150 : 1_200))
    }
  }

  private mutating func step(_ input: Input) throws {
    let phase = room.phase
    if isChecked {
      room = try recorder.record(input, of: room, at: now)
    }
    room.apply(input, at: now, into: &effects)
    fingerprint.add(effects)
    crowd.take(effects, of: input)
    if phase != .playing, room.phase == .playing {
      tally.games += 1
    }
    recorder.take(effects)
    switch input {
    case .restart where !room.isClosed, .erase where !room.isClosed: sendState()
    default: break
    }
    if !effects.tick.isEmpty {
      tally.points = max(tally.points, Int(effects.tick.points.max() ?? 0))
    }
    for case .path(_, .closed(let areaM2, _)) in effects.outputs where areaM2 > 0 {
      tally.captures += 1
      tally.cellsTaken += Int(areaM2) / (room.arena?.cellAreaM2 ?? 1)
    }
    guard isChecked else {
      if case .tick = input, !room.isClosed { try lag() }
      return
    }
    try rules.check(room, after: input, effects, at: now)
    guard !room.isClosed else { return }
    try crowd.check(room)
    guard case .tick = input else { return }
    try follower.take(effects.tick)
    try newcomer.take(effects.tick)
    if !room.hasChanges(through: .max) {
      try Violation.unless(follower == TickFollower(stateOf: room), "a client with every tick has another state")
      try Violation.unless(newcomer == follower, "a client with the whole state has another state")
    }
    try lag()
  }

  /// Sends the whole state to all clients, as after coming back.
  private mutating func sendState() {
    follower = TickFollower(stateOf: room)
    straggler = follower
    newcomer = follower
    stragglerBroadcast = room.broadcastNumber
  }

  /// After a tick, lets the straggler take it, miss it, or get a merged one for all missed ticks.
  private mutating func lag() throws {
    let isSent = random.chance(30)
    if random.chance(10) {
      newcomer = TickFollower(stateOf: room)
    }
    guard isSent else { return }
    var merged = Tick()
    let missed = room.broadcastNumber - stragglerBroadcast
    guard room.mergeTicks(afterBroadcast: stragglerBroadcast, afterEvent: straggler.lastEvent, into: &merged) else {
      throw Violation(description: "events are missing after \(missed) ticks")
    }
    fingerprint.add(merged)
    tally.mergedTicks += missed > 1 ? 1 : 0
    stragglerBroadcast = room.broadcastNumber
    try Violation.unless(missed == 0 ? merged.isEmpty : merged.skipped == missed - 1, "\(missed) ticks were merged")
    try straggler.take(merged)
    guard isChecked, !room.hasChanges(through: .max) else { return }
    try Violation.unless(straggler == follower, "a client with a merged tick has another state")
  }
}
