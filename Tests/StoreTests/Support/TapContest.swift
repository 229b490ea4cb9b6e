// A random contest of a few players and schools, as the server runs one over a store: the tally decides, and each
// commit takes its new records and a few rows.
import Game
import SeededRandom
import Store
import Testing

struct TapContest {
  var tally = Tally()
  private(set) var nowMs: Int64 = 1_790_000_000_000
  private var random: SplitMix64
  private let players: [PlayerID]
  private let schools: [SchoolID]
  private var closings: [SeasonClosing] = []

  init(seed: UInt64, players: Int = 5) {
    random = SplitMix64(seed: seed)
    self.players = (1...players).map { PlayerID(UInt128($0)) }
    schools = (0..<4).compactMap { SchoolID("S\($0)") }
  }

  /// The visible state of a tally.
  struct Observation: Equatable {
    let sequence: UInt64
    let ends: [Instant?]
    let standings: [TapStanding?]
    let counts: [[CountedTaps]]
    let rankings: [[RankedSchool]]
    let suspects: [TapStanding]
  }

  func observation(of tally: Tally) -> Observation {
    Observation(
      sequence: tally.sequence,
      ends: (1...tally.season).map { tally.end(of: $0) },
      standings: players.map { tally.standing(of: $0) },
      counts: players.map { tally.counts(of: $0) },
      rankings: (1...tally.season).map { tally.ranking(of: $0) },
      suspects: tally.suspects
    )
  }

  var observation: Observation { observation(of: tally) }

  mutating func play(steps: Int) {
    for _ in 0..<steps { step() }
  }

  mutating func choose(_ school: Int, by player: Int) {
    _ = tally.choose(schools[school], by: players[player])
  }

  mutating func tap(_ count: Int64, by player: Int) {
    nowMs += 6_000
    let batch = (tally.standing(of: players[player])?.lastBatch ?? 0) + 1
    _ = tally.tap(players[player], batch: batch, count: count, at: moment(nowMs))
  }

  mutating func forget(_ player: Int) {
    _ = tally.forget(players[player])
  }

  mutating func close() {
    nowMs += 1
    closings.append(tally.closeSeason(at: moment(nowMs)))
  }

  private mutating func step() {
    let player = random.draw(0...players.count - 1)
    switch random.draw(1...100) {
    case ...75: tap(random.chance(90) ? Int64(random.draw(1...229)) : 230, by: player)
    case ...88: choose(random.draw(0...schools.count - 1), by: player)
    case ...93: _ = tally.voidTaps(of: players[player], season: UInt32(random.draw(1...Int(tally.season))))
    case ...97: forget(player)
    default: close()
    }
  }

  mutating func draw(_ range: ClosedRange<Int>) -> Int { random.draw(range) }

  /// The change since the last call, with at most so many rows.
  mutating func change(rowsMax: Int) -> TallyChange {
    defer { closings = [] }
    let rows = tally.takeChangedRows(max: rowsMax)
    return TallyChange(
      segment: tally.takeRecords(),
      rows: rows,
      recordsNeededFrom: tally.recordsNeededFrom,
      closings: closings
    )
  }
}

/// The tally's rows and segments in a store.
struct StoredTaps: Equatable {
  var rows = TallyRows()
  var segments: [[UInt8]] = []

  init(_ store: any Store) throws {
    var read = TallyRows()
    var bytes: [[UInt8]] = []
    try store.tally { piece in
      read.schools += piece.schools
      read.seasons += piece.seasons
      read.totals += piece.totals
      read.players += piece.players
      read.counts += piece.counts
    } segments: {
      bytes.append($0)
    }
    // Their order depends on the back end.
    read.totals.sort { ($0.season, $0.school) < ($1.season, $1.school) }
    read.counts.sort { ($0.player, $0.school, $0.season) < ($1.player, $1.school, $1.season) }
    (rows, segments) = (read, bytes)
  }
}

extension Store {
  func commit(at milliseconds: Int64 = 0, tally changes: TallyChange...) async throws {
    #expect(try await commit(Batch(at: moment(milliseconds), tally: changes)) == [])
  }
}
