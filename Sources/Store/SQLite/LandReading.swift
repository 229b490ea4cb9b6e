// Reads of lands: near a place, rankings, a player's lands. On readers' queues.
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
    let row = try db.row("SELECT captured_at FROM land_bests WHERE land = ? AND player = ?", land, player)
    return try row?.value(0) ?? Instant(milliseconds: .min)
  }

  package func ranking(
    of land: LandID,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<LandRanking?>
  ) {
    read(completion) { db in try Ranking(of: land, on: db).ranking(for: player, top: top, ownTimesMax: ownTimesMax) }
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
        SELECT land_bests.land, lands.name, time_ms, captured_at FROM land_bests JOIN lands ON lands.id = land_bests.land
        WHERE player = ? AND (captured_at, land_bests.land) < (?, ?)
          AND (? = 0 OR EXISTS (SELECT 1 FROM land_bests AS own WHERE own.land = land_bests.land AND own.player = ?))
        ORDER BY captured_at DESC, land_bests.land DESC LIMIT ?
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
          rank: try Ranking(of: land, on: db).rank(of: best, player),
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

/// A land's ranking: each player's best run, ordered by time, then by moment, then by player.
private struct Ranking {
  let land: LandID
  let db: Database

  init(of land: LandID, on db: Database) {
    self.land = land
    self.db = db
  }

  /// The ranking as a player sees it; nil for an unknown land.
  func ranking(for player: PlayerID, top: Int, ownTimesMax: Int) throws -> LandRanking? {
    guard let name: String = try db.row("SELECT name FROM lands WHERE id = ?", land)?.value(0) else { return nil }
    let first = try db.rows(
      "\(RankedRun.query) WHERE land = ? ORDER BY time_ms, captured_at, player LIMIT ?",
      land,
      top
    )
    let own = try db.row("\(RankedRun.query) WHERE land = ? AND player = ?", land, player).map { row in
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
      top: try first.enumerated().map { try RankedRun(row: $1, rank: $0 + 1) },
      own: own,
      neighbours: try own.map(neighbours) ?? [],
      ownTimes: try times.map { LandTime(timeMs: try $0.value(0), capturedAt: try $0.value(1)) }
    )
  }

  func rank(of best: LandTime, _ player: PlayerID) throws -> Int {
    try db.rows(
      "SELECT COUNT(*) FROM land_bests WHERE land = ? AND (time_ms, captured_at, player) < (?, ?, ?)",
      land,
      best.timeMs,
      best.capturedAt,
      player
    )[0].value(0, Int.self) + 1
  }

  private func neighbours(_ own: RankedRun) throws -> [RankedRun] {
    let before = try db.row(
      """
      \(RankedRun.query) WHERE land = ? AND (time_ms, captured_at, player) < (?, ?, ?)
      ORDER BY time_ms DESC, captured_at DESC, player DESC LIMIT 1
      """,
      land,
      own.timeMs,
      own.capturedAt,
      own.player
    )
    let behind = try db.row(
      """
      \(RankedRun.query) WHERE land = ? AND (time_ms, captured_at, player) > (?, ?, ?)
      ORDER BY time_ms, captured_at, player LIMIT 1
      """,
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
    SELECT player, nickname, time_ms, captured_at FROM land_bests JOIN players ON players.id = land_bests.player
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
