// A random history of the contest: the steps of players and operators, drawn from a seed alone.
import Game
import SeededRandom

/// A step of a tally's history.
enum TallyStep {
  case tap(PlayerID, batch: UInt32, count: Int64)
  case choose(PlayerID, SchoolID)
  case void(PlayerID, season: UInt32)
  case close
  case forget(PlayerID)
  case setClosedSchools(Set<SchoolID>)
}

/// Draws steps for a few players and schools, at a fast or a slow pace.
struct TallyHistory {
  let players: [PlayerID]
  let schools: [SchoolID]
  private(set) var nowMs: Int64 = 1_790_000_000_000
  private var random: SplitMix64
  private let pauseMaxMs: Int
  private let countMax: Int

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    players = (1...random.draw(1...6)).map { PlayerID(UInt128($0)) }
    schools = (0..<random.draw(1...5)).compactMap { SchoolID("S\($0)") }
    pauseMaxMs = random.pick([20, 300, 2_000, 30_000])
    countMax = random.pick([5, 60, 229])
  }

  /// The next step; `tally` gives the current numbers of players.
  mutating func next(for tally: Tally) -> TallyStep {
    nowMs += Int64(random.draw(0...pauseMaxMs))
    let player = random.pick(players)
    switch random.draw(1...102) {
    case ...82: return tap(player, tally)
    case ...92: return .choose(player, random.pick(schools))
    case ...96: return .void(player, season: UInt32(random.draw(0...Int(tally.season) + 1)))
    case ...98: return .close
    case ...100: return .forget(player)
    default: return .setClosedSchools(Set(schools.filter { _ in random.chance(20) }))
    }
  }

  private mutating func tap(_ player: PlayerID, _ tally: Tally) -> TallyStep {
    let last = Int(tally.standing(of: player)?.lastBatch ?? 0)
    let batch = random.chance(85) ? last + 1 : max(0, last + random.draw(-3...4))
    let count = random.chance(88) ? random.draw(1...countMax) : random.pick([-1, 0, 229, 230, 1_000])
    return .tap(player, batch: UInt32(batch), count: Int64(count))
  }

  /// A random number for the owner of the history.
  mutating func draw(_ range: ClosedRange<Int>) -> Int { random.draw(range) }
}

extension Tally {
  /// Voids as a server does: an old season's counts are read from the disk first.
  mutating func voidTaps(of player: PlayerID, season: UInt32, with disk: TallyDisk) throws -> Int64? {
    guard season > 0, !keepsCounts(of: season), let number = number(of: player) else {
      return voidTaps(of: player, season: season)
    }
    try putBack(disk.counts(ofNumber: number, season: season))
    defer { dropOldCounts() }
    return voidTaps(of: player, season: season)
  }

  /// Applies a step.
  mutating func take(_ step: TallyStep, atMs: Int64) {
    switch step {
    case .tap(let player, let batch, let count):
      _ = tap(player, batch: batch, count: count, at: Instant(milliseconds: atMs))
    case .choose(let player, let school): _ = choose(school, by: player)
    case .void(let player, let season): _ = voidTaps(of: player, season: season)
    case .close: _ = closeSeason(at: Instant(milliseconds: atMs))
    case .forget(let player): _ = forget(player)
    case .setClosedSchools(let schools): setClosedSchools(schools)
    }
  }
}
