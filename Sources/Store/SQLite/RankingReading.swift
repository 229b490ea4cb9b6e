// Reads of lands' rankings, of all time and of periods. On readers' queues. Each read costs the rows that it answers,
// and a walk over the index for a rank.
import GRDB
import Game

extension SQLiteStore {
  package func rankings(
    of lands: [LandID],
    in period: RankingPeriod,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<[LandRanking]>
  ) {
    read(completion) { db in
      let number = try Ranking.number(of: period, on: db)
      return try lands.compactMap { land in
        try Ranking(of: land, in: number, on: db).ranking(for: player, top: top, ownTimesMax: ownTimesMax)
      }
    }
  }

  package func ranking(
    of land: LandID,
    in period: RankingPeriod,
    after cursor: RankingCursor?,
    limit: Int,
    for player: PlayerID,
    _ completion: @escaping Completion<RankingPage?>
  ) {
    read(completion) { db in
      let ranking = Ranking(of: land, in: try Ranking.number(of: period, on: db), on: db)
      guard try db.finds("SELECT 1 FROM lands WHERE id = ?", land) else { return nil }
      return RankingPage(
        rows: try ranking.runs(behind: cursor, limit: limit),
        hasPlayer: try ranking.best(of: player) != nil
      )
    }
  }
}

/// A land's ranking in a period: each player's best run, ordered by time, then by moment, then by player.
struct Ranking {
  /// The number of the period of all time.
  static let allTime: Int64 = 0

  private let land: LandID
  private let period: Int64
  private let db: Database

  init(of land: LandID, in period: Int64, on db: Database) {
    self.land = land
    self.period = period
    self.db = db
  }

  /// The number of a period whose rankings are kept.
  static func number(of period: RankingPeriod, on db: Database) throws -> Int64 {
    let row = try db.row(
      "SELECT number FROM ranking_periods WHERE began_at = ? AND ended_at = ? AND is_over = 0",
      period.range.lowerBound,
      period.range.upperBound
    )
    guard let row else { throw StoreFailure.other("no rankings are kept of this period") }
    return try row.value(0)
  }

  /// The ranking as a player sees it; nil for an unknown land.
  func ranking(for player: PlayerID, top: Int, ownTimesMax: Int) throws -> LandRanking? {
    guard let name: String = try db.row("SELECT name FROM lands WHERE id = ?", land)?.value(0) else { return nil }
    let own = try best(of: player).map { row in
      let best = LandTime(timeMs: try row.value(2), capturedAt: try row.value(3))
      return try RankedRun(row: row, rank: try rank(of: best, player))
    }
    let times = try db.rows(
      """
      SELECT time_ms, captured_at FROM land_runs WHERE land = ? AND player = ?
      ORDER BY captured_at DESC LIMIT ?
      """,
      land,
      player,
      ownTimesMax
    )
    return LandRanking(
      land: land,
      name: name,
      top: try runs(behind: nil, limit: top),
      own: own,
      neighbours: try own.map(neighbours) ?? [],
      ownTimes: try times.map { LandTime(timeMs: try $0.value(0), capturedAt: try $0.value(1)) }
    )
  }

  /// The row of a player's best run; nil without one.
  func best(of player: PlayerID) throws -> Row? {
    try db.row("\(RankedRun.query) WHERE period = ? AND land = ? AND player = ?", period, land, player)
  }

  /// The runs behind a place, up to `limit`.
  func runs(behind cursor: RankingCursor?, limit: Int) throws -> [RankedRun] {
    let last = try cursor.flatMap { try best(of: $0.player) }.flatMap { row -> Instant? in
      // Another time is a newer one, which is somewhere else.
      try row.value(2) == cursor?.timeMs ? try row.value(3) : nil
    }
    let rows = try db.rows(
      """
      \(RankedRun.query) WHERE period = ? AND land = ? AND (time_ms, captured_at, player) > (?, ?, ?)
      ORDER BY time_ms, captured_at, player LIMIT ?
      """,
      period,
      land,
      cursor?.timeMs ?? 0,
      last ?? Instant(milliseconds: .min),
      cursor?.player ?? PlayerID(0),
      limit
    )
    return try rows.enumerated().map { try RankedRun(row: $1, rank: (cursor?.rank ?? 0) + $0 + 1) }
  }

  func rank(of best: LandTime, _ player: PlayerID) throws -> Int {
    try db.rows(
      "SELECT COUNT(*) FROM ranked_runs WHERE period = ? AND land = ? AND (time_ms, captured_at, player) < (?, ?, ?)",
      period,
      land,
      best.timeMs,
      best.capturedAt,
      player
    )[0].value(0, Int.self) + 1
  }

  private func neighbours(_ own: RankedRun) throws -> [RankedRun] {
    let before = try db.row(
      """
      \(RankedRun.query) WHERE period = ? AND land = ? AND (time_ms, captured_at, player) < (?, ?, ?)
      ORDER BY time_ms DESC, captured_at DESC, player DESC LIMIT 1
      """,
      period,
      land,
      own.timeMs,
      own.capturedAt,
      own.player
    )
    let behind = try db.row(
      """
      \(RankedRun.query) WHERE period = ? AND land = ? AND (time_ms, captured_at, player) > (?, ?, ?)
      ORDER BY time_ms, captured_at, player LIMIT 1
      """,
      period,
      land,
      own.timeMs,
      own.capturedAt,
      own.player
    )
    return [
      try before.map { try RankedRun(row: $0, rank: own.rank - 1) },
      try behind.map { try RankedRun(row: $0, rank: own.rank + 1) },
    ].compactMap(\.self)
  }
}

extension RankedRun {
  static let query = """
    SELECT player, nickname, time_ms, captured_at FROM ranked_runs JOIN players ON players.id = ranked_runs.player
    """

  fileprivate init(row: Row, rank: Int) throws {
    self.init(
      rank: rank,
      player: try row.value(0),
      nickname: try row.value(1),
      timeMs: try row.value(2),
      capturedAt: try row.value(3)
    )
  }
}
