// Changes of rooms and their games: opened, marked, ended, closed. Part of `BatchWriting`. Rows of an unknown room or
// player are left out, because one stray row must not undo the rest of the batch.
import GRDB
import Game

extension BatchWriting {
  func write(_ change: RoomChange) throws {
    switch change {
    // Written before all others.
    case .open: break
    case .markSnapshot(let room): try markSnapshot(room)
    case .beginGame(let game): try begin(game)
    case .close(let room): try close(room)
    case .addLandRun(let run, let at): try add(run, at: at)
    case .addPresence(let player, let room): try note(player, in: room)
    }
  }

  func write(_ change: GameChange) throws -> GameOutcome {
    switch change {
    case .end(let game, let results): .awarded(try end(game, results))
    }
  }

  func open(_ room: RoomRow) throws {
    try db.run(
      """
      INSERT INTO rooms (id, code, opened_at, snapshot_segment) VALUES (?, ?, ?, ?)
      ON CONFLICT (id) DO NOTHING
      """,
      room.id,
      Int64(bitPattern: room.code),
      room.openedAt,
      number
    )
  }

  private func markSnapshot(_ room: RoomID) throws {
    try db.run(
      "UPDATE rooms SET snapshot_segment = ?, trim_segment = ? WHERE id = ? AND closed_at IS NULL",
      number,
      number,
      room
    )
  }

  private func begin(_ game: GameID) throws {
    try db.run(
      """
      INSERT INTO games (room, number, first_segment)
      SELECT id, ?, ? FROM rooms WHERE id = ?
      ON CONFLICT (room, number) DO NOTHING
      """,
      Int64(game.number),
      number,
      game.room
    )
  }

  private func end(_ game: GameRow, _ results: [ResultRow]) throws -> [Award] {
    let isNew = try db.run(
      """
      INSERT INTO games (room, number, mode, started_at, ended_at, rules_version, players_count, fingerprint, land,
        last_segment)
      SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM rooms WHERE id = ?
      ON CONFLICT (room, number) DO UPDATE SET
        mode = excluded.mode, started_at = excluded.started_at, ended_at = excluded.ended_at,
        rules_version = excluded.rules_version, players_count = excluded.players_count,
        fingerprint = excluded.fingerprint, land = excluded.land, last_segment = excluded.last_segment
      WHERE games.ended_at IS NULL
      """,
      Int64(game.id.number),
      game.mode,
      game.startedAt,
      game.endedAt,
      Int64(game.rulesVersion),
      game.playersCount,
      Int64(bitPattern: game.fingerprint),
      game.land,
      number,
      game.id.room
    )
    guard isNew > 0 else { return [] }
    return try results.compactMap { try add($0, of: game) }
  }

  /// Stores a result; returns the badge that it has won, if any.
  private func add(_ result: ResultRow, of game: GameRow) throws -> Award? {
    let isNew = try db.run(
      """
      INSERT INTO results (room, number, player, mode, land, seat, ended_at, points, distance_mm, time_ms, rank, won, completed,
        counts, calories, nickname, late_percent, withheld_percent)
      SELECT ?, ?, id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM players
      WHERE id = ? AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
      ON CONFLICT (room, number, player) DO NOTHING
      """,
      game.id.room,
      Int64(game.id.number),
      game.mode,
      game.land,
      result.seat,
      game.endedAt,
      Int64(result.points),
      result.distanceMm,
      result.timeMs,
      result.rank,
      result.won ? 1 : 0,
      result.completed ? 1 : 0,
      result.counts ? 1 : 0,
      result.calories,
      result.nickname,
      Int(result.latePercent),
      Int(result.withheldPercent),
      result.player
    )
    guard isNew > 0, result.counts else { return nil }
    // The exact number beyond the last threshold does not matter.
    let countMax = (BadgeRules.thresholds.last ?? 0) + 1
    let count: Int = try db.rows(
      "SELECT COUNT(*) FROM (SELECT 1 FROM results WHERE player = ? AND counts = 1 LIMIT ?) AS records",
      result.player,
      countMax
    )[0].value(0)
    guard let badge = BadgeRules.badge(forRecords: count) else { return nil }
    let isFirst = try db.run(
      "INSERT INTO badges (player, badge, awarded_at) VALUES (?, ?, ?) ON CONFLICT (player, badge) DO NOTHING",
      result.player,
      badge,
      game.endedAt
    )
    return isFirst > 0 ? Award(player: result.player, badge: badge) : nil
  }

  private func close(_ room: RoomID) throws {
    try db.run(
      "UPDATE rooms SET closed_at = ?, trim_segment = ? WHERE id = ? AND closed_at IS NULL",
      at,
      number,
      room
    )
    try db.run("DELETE FROM games WHERE room = ? AND ended_at IS NULL", room)
  }

  private func note(_ player: PlayerID, in room: RoomID) throws {
    try db.run(
      """
      INSERT INTO presences (player, room) SELECT players.id, rooms.id FROM players, rooms
      WHERE players.id = ? AND rooms.id = ?
        AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
      ON CONFLICT (player, room) DO NOTHING
      """,
      player,
      room
    )
  }
}
