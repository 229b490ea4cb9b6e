// Reads of lands: near a place, on a map, a player's lands. On readers' queues.
import GRDB
import Game

extension SQLiteStore {
  package func lands(_ ids: [LandID], _ completion: @escaping Completion<[Land]>) {
    read(completion) { db in
      try ids.compactMap { id in
        try db.row("SELECT id, name, vertices FROM lands WHERE id = ?", id).map(Land.init(row:))
      }
    }
  }

  package func lands(
    near place: Coordinate,
    withinM: Int,
    limit: Int,
    _ completion: @escaping Completion<[NearbyLand]>
  ) {
    read(completion) { db in
      var search = LandSearch(near: place, on: db)
      return try search.nearest(limit, withinMm: Int64(withinM) * 1_000)
    }
  }

  package func lands(
    in map: MapBox,
    after last: LandID?,
    limit: Int,
    _ completion: @escaping Completion<[FoundLand]>
  ) {
    read(completion) { db in try MapSearch(map, on: db).lands(after: last, limit: limit) }
  }

  package func landNames(_ ids: Set<LandID>, _ completion: @escaping Completion<[LandID: String]>) {
    read(completion) { db in
      try ids.reduce(into: [:]) { names, id in
        names[id] = try db.row("SELECT name FROM lands WHERE id = ?", id)?.value(0, String.self)
      }
    }
  }

  package func land(_ id: LandID, _ completion: @escaping Completion<FoundLand?>) {
    read(completion) { db in
      guard let row = try db.row("SELECT number FROM lands WHERE id = ?", id) else { return nil }
      return try FoundLand(number: row.value(0), on: db)
    }
  }

  /// The moment of a player's best time of a land; before all others without one.
  private static func capturedAt(_ land: LandID, by player: PlayerID, on db: Database) throws -> Instant {
    let row = try db.row(
      "SELECT captured_at FROM ranked_runs WHERE period = 0 AND land = ? AND player = ?",
      land,
      player
    )
    return try row?.value(0) ?? Instant(milliseconds: .min)
  }

  package func lands(
    of player: PlayerID,
    sharedWith other: PlayerID?,
    before cursor: PlayerLandCursor?,
    limit: Int,
    _ completion: @escaping Completion<[PlayerLand]?>
  ) {
    read(completion) { db in
      guard try db.knows(player) else { return nil }
      return try db.rows(
        """
        SELECT ranked_runs.land, lands.name, time_ms, captured_at FROM ranked_runs
        JOIN lands ON lands.id = ranked_runs.land
        WHERE player = ? AND period = 0 AND (captured_at, ranked_runs.land) < (?, ?)
          AND (? = 0 OR EXISTS (
            SELECT 1 FROM ranked_runs AS own WHERE own.period = 0 AND own.land = ranked_runs.land AND own.player = ?))
        ORDER BY captured_at DESC, ranked_runs.land DESC LIMIT ?
        """,
        player,
        try cursor.map { try Self.capturedAt($0.land, by: player, on: db) } ?? Instant(milliseconds: .max),
        cursor?.land ?? LandID(.max),
        other == nil ? 0 : 1,
        other ?? player,
        limit
      ).map { row in
        let land: LandID = try row.value(0)
        let best = LandTime(timeMs: try row.value(2), capturedAt: try row.value(3))
        return PlayerLand(
          land: land,
          name: try row.value(1),
          timeMs: best.timeMs,
          rank: try Ranking(of: land, in: Ranking.allTime, on: db).rank(of: best, player),
          capturedAt: best.capturedAt
        )
      }
    }
  }

  package func allLands(_ body: (Land) throws -> Void) throws(StoreFailure) {
    try read { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT id, name, vertices FROM lands ORDER BY number")
      while let row = try cursor.next() { try body(Land(row: row)) }
    }
  }
}
