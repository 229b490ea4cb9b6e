// What players ask for: passwords to check, results, totals, badges. Runs on readers' queues, beside the writer.
import GRDB
import Game

extension SQLiteStore {
  package func password(ofEmail email: String, _ completion: @escaping Completion<StoredPassword?>) {
    read(completion) { db in
      try Self.password(try db.row("SELECT id, password_hash FROM players WHERE email = ?", email))
    }
  }

  package func password(of player: PlayerID, _ completion: @escaping Completion<StoredPassword?>) {
    read(completion) { db in
      try Self.password(
        try db.row("SELECT id, password_hash FROM players WHERE id = ? AND password_hash IS NOT NULL", player)
      )
    }
  }

  private static func password(_ row: Row?) throws -> StoredPassword? {
    try row.map { StoredPassword(player: try $0.value(0), hash: try $0.value(1)) }
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
      try ranges.map { range in
        let row = try db.rows(
          """
          SELECT COUNT(*), COALESCE(SUM(distance_mm), 0), COALESCE(SUM(time_ms), 0), COALESCE(SUM(calories), 0)
          FROM results WHERE player = ? AND counts = 1 AND ended_at >= ? AND ended_at < ?
          """,
          player,
          range.lowerBound,
          range.upperBound
        )[0]
        return Totals(
          count: try row.value(0),
          distanceMm: try row.value(1),
          timeMs: try row.value(2),
          calories: try row.value(3)
        )
      }
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
      nickname, land, seat FROM results
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
      nickname: try row.value(13)
    )
  }
}
