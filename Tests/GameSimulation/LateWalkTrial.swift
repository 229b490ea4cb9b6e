// One walk, told twice: live, and by a phone whose network has gaps and stalls, over crashes of the server. Both must
// come to the same. A value; the same seed gives the same trial.
import Game
import ReceiverErrors
import SeededRandom

/// A walk in two rooms.
package struct LateWalkTrial {
  /// The counts of all walks.
  package struct Tally: Sendable {
    package private(set) var walks: [String: Int] = [:]
    package private(set) var gaps = 0
    package private(set) var stalls = 0
    package private(set) var crashes = 0
    package private(set) var lateFixes = 0
    package private(set) var points = 0
    package private(set) var runs = 0
    package private(set) var suspects = 0
    /// The fingerprint of one trial.
    package private(set) var fingerprint: UInt64 = 0

    package init() {}

    fileprivate init(_ trial: LateWalkTrial, _ game: LateWalkGame) {
      walks = [trial.kind: 1]
      gaps = trial.outages.count { $0.kind == .gap }
      stalls = trial.outages.count - gaps
      crashes = trial.outages.count { $0.crashesServer }
      lateFixes = game.lateFixes
      points = Int(game.outcome.points)
      runs = game.outcome.runs.count
      suspects = game.wasSuspect ? 1 : 0
      fingerprint = game.fingerprint
    }

    package static func += (sum: inout Tally, other: Tally) {
      sum.walks.merge(other.walks, uniquingKeysWith: +)
      sum.gaps += other.gaps
      sum.stalls += other.stalls
      sum.crashes += other.crashes
      sum.lateFixes += other.lateFixes
      sum.points += other.points
      sum.runs += other.runs
      sum.suspects += other.suspects
    }

    package var line: String {
      let kinds = walks.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      return
        "walks with late fixes: \(kinds); \(gaps) gaps, \(crashes) with a crash, \(stalls) stalls, \(lateFixes) fixes "
        + "told late; \(points) points and \(runs) runs, as told live; \(suspects) players suspect"
    }
  }

  private let kind: String
  private let plan: LateWalkGame.Plan
  private let outages: [Outage]

  /// Tells a walk twice; throws where the two differ. A player with a real receiver may be suspect, in both tellings.
  package static func run(seed: UInt64) throws -> Tally {
    let trial = try LateWalkTrial(seed: seed)
    let live = try LateWalkGame(trial.plan, outages: [])
    let late = try LateWalkGame(trial.plan, outages: trial.outages)
    try Violation.unless(live.wasSuspect == late.wasSuspect, "\(trial.kind): suspect in one telling alone")
    var expected = live.outcome
    // Ground goes by the order of arrival.
    if trial.plan.configuration.mode == .territory { expected.points = late.outcome.points }
    try Violation.unless(expected == late.outcome, "\(trial.kind): live \(expected), late \(late.outcome)")
    return Tally(trial, late)
  }

  /// A shared game of ten minutes with three stalls of this length in each minute, told by `move` alone.
  /// - Returns: the points without stalls, and with them.
  /// - Throws: `Violation` where the player was suspect.
  package static func points(
    speedMPerS: Double,
    stallMs: Int64,
    seed: UInt64
  ) throws -> (live: UInt32, stalled: UInt32) {
    var random = SplitMix64(seed: seed)
    let durationMs: Int64 = 600_000
    let timesMs = Array(stride(from: Int64(1_000), to: durationMs - 2_000, by: 1_000))
    let walk = HonestWalk(
      from: LateWalkGame.began,
      atMs: timesMs,
      errors: nil,
      speedMPerS: speedMPerS,
      using: &random
    )
    let configuration = try RoomConfiguration(mode: .footprint, capacity: 2, duration: .milliseconds(durationMs))
    let plan = LateWalkGame.Plan(configuration: configuration, seed: seed, durationMs: durationMs, fixes: walk.fixes)
    let stalls = stride(from: Int64(5_000), to: durationMs - 20_000, by: 20_000).map { beginMs in
      Outage(stallFromMs: beginMs + Int64(random.draw(0...70)) * 100, lastingMs: stallMs)
    }
    let live = try LateWalkGame(plan, outages: [])
    let stalled = try LateWalkGame(plan, outages: stalls)
    try Violation.unless(!live.wasSuspect && !stalled.wasSuspect, "an honest player was suspect")
    return (live.outcome.points, stalled.outcome.points)
  }

  private init(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let mode = random.pick([Mode.footprint, .footprint, .land, .territory])
    let isSolo = mode == .land || random.chance(60)
    kind = "\(isSolo ? "solo" : "shared") \(mode)"
    let durationMs = Int64(random.draw(isSolo ? 300...1_500 : 120...600)) * 1_000
    let configuration = try RoomConfiguration(
      mode: Self.settings(mode),
      capacity: isSolo ? 1 : 2,
      duration: .milliseconds(durationMs),
      solo: isSolo
    )
    // Gaps in a shared room end before the deadline; the phone still has to tell what it has kept.
    outages = Outage.draw(
      gapMaxMs: isSolo ? 600_000 : 90_000,
      untilMs: isSolo ? durationMs + 500_000 : durationMs - 10_000,
      using: &random
    )
    // Neither telling has a fix from the last moments of the game, where an ordinary delay decides.
    let timesMs = Array(stride(from: Int64(1_000), to: durationMs - 2_000, by: 1_000))
    let receiver: ReceiverClass? = mode == .land || random.chance(50) ? nil : random.pick([.open, .city])
    let walk = HonestWalk(
      from: LateWalkGame.began,
      atMs: timesMs,
      errors: receiver.map { $0.errors(atMs: timesMs, using: &random) },
      speedMPerS: 1 + 7 * random.unit(),
      aroundSquare: mode == .land,
      using: &random
    )
    plan = LateWalkGame.Plan(configuration: configuration, seed: seed, durationMs: durationMs, fixes: walk.fixes)
  }

  private static func settings(_ mode: Mode) throws -> ModeSettings {
    switch mode {
    case .footprint: .footprint
    case .land: .land(LandSettings(lands: [HonestWalk.square]))
    case .territory: .territory(TerritorySettings(arena: try ArenaPlan(cellM: 10, cells: 400), cutting: false))
    }
  }
}
