// Reads of ended games: rows, results, totals, badges. Those with a completion run on readers' queues, beside the
// writer; the others block.
import GRDB
import Game

extension SQLiteStore {
  package func games(newest limit: Int) throws(StoreFailure) -> [GameRow] {
    try read { db in
      try db.rows(
        "\(GameRow.query) WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, room DESC, number DESC LIMIT ?",
        max(0, limit)
      ).map(GameRow.init(row:))
    }
  }

  /// The code of a room that is known, closed or not, as `RoomRow.code`. Blocks.
  package func roomCode(of id: RoomID) throws(StoreFailure) -> UInt64? {
    try read {
      try $0.row("SELECT code FROM rooms WHERE id = ?", id).map { UInt64(bitPattern: try $0.value(0, Int64.self)) }
    }
  }

  package func game(_ id: GameID) throws(StoreFailure) -> StoredGame? {
    try read { try StoredGame(id, on: $0) }
  }

  package func games(
    of room: RoomID,
    before number: UInt32?,
    limit: Int,
    _ completion: @escaping Completion<[StoredGame]>
  ) {
    read(completion) { db in
      try db.rows(
        "\(GameRow.query) WHERE room = ? AND number < ? AND ended_at IS NOT NULL ORDER BY number DESC LIMIT ?",
        room,
        number.map(Int64.init) ?? .max,
        limit
      ).map { try StoredGame(row: $0, on: db) }
    }
  }

  package func results(
    of player: PlayerID,
    before cursor: ResultCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ResultRow]>
  ) {
    read(completion) { db in
      let rows =
        if let cursor {
          try db.rows(
            """
            \(ResultRow.query) WHERE player = ? AND (ended_at, room, number) < (?, ?, ?)
            ORDER BY ended_at DESC, room DESC, number DESC LIMIT ?
            """,
            player,
            cursor.endedAt,
            cursor.game.room,
            Int64(cursor.game.number),
            max(0, limit)
          )
        } else {
          try db.rows(
            "\(ResultRow.query) WHERE player = ? ORDER BY ended_at DESC, room DESC, number DESC LIMIT ?",
            player,
            max(0, limit)
          )
        }
      return try rows.map(ResultRow.init(row:))
    }
  }

  package func totals(of player: PlayerID, in ranges: [Range<Instant>], _ completion: @escaping Completion<[Totals]>) {
    read(completion) { db in
      try ranges.map { try Totals(of: player, in: $0, on: db) }
    }
  }

  package func badges(of player: PlayerID, _ completion: @escaping Completion<[AwardedBadge]>) {
    read(completion) { db in
      try db.rows("SELECT badge, awarded_at FROM badges WHERE player = ? ORDER BY badge", player).map {
        AwardedBadge(badge: try $0.value(0), awardedAt: try $0.value(1))
      }
    }
  }
}

extension ResultRow {
  static let query = """
    SELECT player, room, number, mode, ended_at, points, distance_mm, time_ms, rank, won, completed, counts, calories,
      nickname, land, seat, late_percent, withheld_percent FROM results
    """

  init(row: Row) throws {
    self.init(
      player: try row.value(0),
      game: GameID(room: try row.value(1), number: try row.value(2)),
      mode: try row.value(3),
      land: try row.value(14, LandID?.self),
      seat: try row.value(15),
      endedAt: try row.value(4),
      points: try row.value(5),
      distanceMm: try row.value(6),
      timeMs: try row.value(7),
      rank: try row.value(8),
      won: try row.value(9),
      completed: try row.value(10),
      counts: try row.value(11),
      calories: try row.value(12),
      nickname: try row.value(13),
      latePercent: try row.value(16),
      withheldPercent: try row.value(17)
    )
  }
}

extension GameRow {
  static let query = """
    SELECT room, number, mode, started_at, ended_at, rules_version, players_count, fingerprint, land FROM games
    """

  init(row: Row) throws {
    self.init(
      id: GameID(room: try row.value(0), number: try row.value(1)),
      mode: try row.value(2),
      startedAt: try row.value(3),
      endedAt: try row.value(4),
      rulesVersion: try row.value(5),
      playersCount: try row.value(6),
      fingerprint: UInt64(bitPattern: try row.value(7, Int64.self)),
      land: try row.value(8, LandID?.self)
    )
  }
}

extension Totals {
  /// Reads the totals of a player's records whose games ended in a range.
  fileprivate init(of player: PlayerID, in range: Range<Instant>, on db: Database) throws {
    let row = try db.rows(
      """
      SELECT COUNT(*), COALESCE(SUM(distance_mm), 0), COALESCE(SUM(time_ms), 0), COALESCE(SUM(calories), 0)
      FROM results WHERE player = ? AND counts = 1 AND ended_at >= ? AND ended_at < ?
      """,
      player,
      range.lowerBound,
      range.upperBound
    )[0]
    self.init(
      count: try row.value(0),
      distanceMm: try row.value(1),
      timeMs: try row.value(2),
      calories: try row.value(3)
    )
  }
}

extension StoredGame {
  /// Reads a game that has ended, with its results; nil without one.
  init?(_ id: GameID, on db: Database) throws {
    let query = "\(GameRow.query) WHERE room = ? AND number = ? AND ended_at IS NOT NULL"
    guard let row = try db.row(query, id.room, Int64(id.number)) else { return nil }
    try self.init(row: row, on: db)
  }

  /// Makes a game from its row, and reads its results.
  fileprivate init(row: Row, on db: Database) throws {
    let game = try GameRow(row: row)
    let results = try db.rows(
      "\(ResultRow.query) WHERE room = ? AND number = ? ORDER BY rank",
      game.id.room,
      Int64(game.id.number)
    )
    self.init(row: game, results: try results.map(ResultRow.init(row:)))
  }
}
