// Reads of players for operators: a search, and all of one player. Runs on readers' queues, beside the writer.
import GRDB
import Game

/// A store whose players are found in an SQLite database.
package protocol PlayerFinding: PlayerFindingStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension SQLiteStore: PlayerFinding {}

extension PlayerFinding {
  package func players(matching search: PlayerSearch, limit: Int, _ completion: @escaping Completion<[FoundPlayer]>) {
    read(completion) { db in
      var found: [Row] = []
      if let identifiers = search.identifiers {
        found += try db.rows(
          "\(FoundPlayer.query) AND players.id >= ? AND players.id <= ? ORDER BY players.id LIMIT ?",
          identifiers.lowerBound,
          identifiers.upperBound,
          max(0, limit)
        )
      }
      found += try db.rows(
        "\(FoundPlayer.query) AND players.email >= ? AND players.email < ? ORDER BY players.email LIMIT ?",
        search.email,
        PlayerSearch.end(of: search.email),
        max(0, limit)
      )
      found += try db.rows(
        """
        \(FoundPlayer.query) AND players.nickname >= ? AND players.nickname < ?
        ORDER BY players.nickname, players.id LIMIT ?
        """,
        search.text,
        PlayerSearch.end(of: search.text),
        max(0, limit)
      )
      var known: Set<PlayerID> = []
      let players = try found.map(FoundPlayer.init(row:)).filter { known.insert($0.id).inserted }
      return Array(players.prefix(max(0, limit)))
    }
  }

  package func file(of player: PlayerID, at now: Instant, _ completion: @escaping Completion<PlayerFile?>) {
    read(completion) { db in try PlayerFileReading(player: player, now: now, db: db).file() }
  }
}

private struct PlayerFileReading {
  let player: PlayerID
  let now: Instant
  let db: Database

  func file() throws -> PlayerFile? {
    guard let row = try db.row("\(FoundPlayer.query) AND players.id = ?", player) else { return nil }
    let counts = try db.rows(
      """
      SELECT (SELECT COUNT(*) FROM reports WHERE reporter = ?),
        (SELECT COALESCE(SUM(reports_count), 0) FROM moderated WHERE author = ?),
        (SELECT COUNT(*) FROM warnings WHERE player = ?)
      """,
      player,
      player,
      player
    )[0]
    return PlayerFile(
      player: try FoundPlayer(row: row),
      hasDevice: try db.finds("SELECT 1 FROM players WHERE id = ? AND device IS NOT NULL", player),
      browsers: try db.rows("SELECT seen_at FROM browsers WHERE player = ? ORDER BY seen_at DESC", player).map {
        try $0.value(0)
      },
      sanctions: try db.sanctions(of: player, at: now),
      rooms: try rooms(),
      results: try db.rows(
        "\(ResultRow.query) WHERE player = ? ORDER BY ended_at DESC, room DESC, number DESC LIMIT ?",
        player,
        PlayerFile.rowsMax
      ).map(ResultRow.init(row:)),
      audit: try db.rows(
        "\(AuditRow.query) WHERE audit.player = ? ORDER BY audit.number DESC LIMIT ?",
        player,
        PlayerFile.rowsMax
      ).map(AuditRow.init(row:)),
      reportsMade: try counts.value(0),
      reportsReceived: try counts.value(1),
      warningsPending: try counts.value(2)
    )
  }

  private func rooms() throws -> [PlayerFile.Room] {
    try db.rows(
      """
      SELECT rooms.id, rooms.code, rooms.opened_at, rooms.closed_at IS NULL FROM presences
      JOIN rooms ON rooms.id = presences.room WHERE presences.player = ?
      ORDER BY rooms.opened_at DESC, rooms.id LIMIT ?
      """,
      player,
      PlayerFile.rowsMax
    ).map { row in
      let code = UInt64(bitPattern: try row.value(1, Int64.self))
      return PlayerFile.Room(
        row: RoomRow(id: try row.value(0), code: code, openedAt: try row.value(2)),
        isOpen: try row.value(3)
      )
    }
  }
}

extension FoundPlayer {
  static let query = """
    SELECT players.id, players.nickname, players.email, players.made_at, players.registered_at,
      (SELECT MAX(sessions.expires_at) FROM sessions WHERE sessions.player = players.id)
    FROM players WHERE NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
    """

  fileprivate init(row: Row) throws {
    self.init(
      id: try row.value(0),
      nickname: try row.value(1),
      email: try row.value(2, String?.self),
      madeAt: try row.value(3, Instant?.self),
      registeredAt: try row.value(4, Instant?.self),
      sessionExpiresAt: try row.value(5, Instant?.self)
    )
  }
}
