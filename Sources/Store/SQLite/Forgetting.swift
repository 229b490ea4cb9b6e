// Deletes data that nobody needs: journals behind rooms' newest snapshots and of old games, rooms without either, and
// sessions long over. Runs on the writer's queue inside a transaction, a piece at a time.
import GRDB
import Game

/// The deletion of data that is old at a moment.
struct Forgetting {
  static let roomsAtOnce = 50
  static let rowsAtOnce = 200

  let db: Database

  /// Gives up the journals of games that ended before a moment; returns their number, at most one piece.
  func expireGames(endedBefore moment: Instant) throws -> Int {
    let games = try db.rows(
      """
      SELECT room, number FROM games WHERE first_segment IS NOT NULL AND ended_at < ? ORDER BY ended_at LIMIT ?
      """,
      moment,
      Self.rowsAtOnce
    )
    for game in games {
      let room: RoomID = try game.value(0)
      try db.run(
        "UPDATE games SET first_segment = NULL WHERE room = ? AND number = ?",
        room,
        try game.value(1, Int64.self)
      )
      try TrackRemoval(db: db).removeUnkept(in: room)
      // These games are old, so none of their segments waits to be folded.
      try db.run("UPDATE rooms SET trim_segment = COALESCE(trim_segment, 0) WHERE id = ?", room)
    }
    return games.count
  }

  /// Trims rooms whose deletable rows are all folded; returns their number, at most one piece.
  func trimRooms(through newest: Int64) throws -> Int {
    // A failed folding leaves segments.
    let unfolded: Int64? = try db.row(
      "SELECT number FROM segments WHERE length(bytes) > 0 ORDER BY number LIMIT 1"
    )?.value(0)
    let foldedThrough = min(newest, unfolded.map { $0 - 1 } ?? newest)
    let rooms = try db.rows(
      "SELECT id FROM rooms WHERE trim_segment <= ? ORDER BY trim_segment LIMIT ?",
      foldedThrough,
      Self.roomsAtOnce
    )
    for room in rooms { try trim(try room.value(0)) }
    return rooms.count
  }

  /// Deletes the rows of a room that neither recovery nor a kept game needs, and at last the room itself.
  private func trim(_ room: RoomID) throws {
    try trimJournal(of: room)
    try db.run("UPDATE rooms SET trim_segment = NULL WHERE id = ?", room)
    let isOver = try !db.finds(
      "SELECT 1 FROM rooms WHERE id = ? AND closed_at IS NULL UNION ALL SELECT 1 FROM journals WHERE room = ?",
      room,
      room
    )
    guard isOver else { return }
    try db.run("DELETE FROM presences WHERE room = ?", room)
    try db.run("DELETE FROM rooms WHERE id = ? AND NOT EXISTS (SELECT 1 FROM games WHERE room = ?)", room, room)
  }

  private func trimJournal(of room: RoomID) throws {
    try db.run(
      """
      DELETE FROM journals WHERE room = ?
        AND NOT EXISTS (
          SELECT 1 FROM rooms WHERE rooms.id = journals.room AND rooms.closed_at IS NULL
            AND rooms.snapshot_segment <= journals.last_segment)
        AND NOT EXISTS (
          SELECT 1 FROM games WHERE games.room = journals.room AND games.first_segment <= journals.last_segment
            AND (games.last_segment IS NULL OR games.last_segment >= journals.first_segment))
      """,
      room
    )
  }

  /// Deletes one row of a room's journal if nothing needs it; returns the number of deleted rows.
  func trimJournal(of room: RoomID, row first: Int64) throws -> Int {
    try db.run(
      """
      DELETE FROM journals WHERE room = ? AND first_segment = ?
        AND NOT EXISTS (
          SELECT 1 FROM rooms WHERE rooms.id = journals.room AND rooms.closed_at IS NULL
            AND rooms.snapshot_segment <= journals.last_segment)
        AND NOT EXISTS (
          SELECT 1 FROM games WHERE games.room = journals.room AND games.first_segment <= journals.last_segment
            AND (games.last_segment IS NULL OR games.last_segment >= journals.first_segment))
      """,
      room,
      first
    )
  }

  /// Deletes sessions that were over before a moment, and guests with no other session and nothing left; returns the
  /// number of sessions, at most one piece.
  func dropSessions(overBefore moment: Instant) throws -> Int {
    let over = try db.rows(
      """
      SELECT digest, player FROM sessions WHERE expires_at < ?
      UNION SELECT digest, player FROM sessions WHERE ended_at < ? LIMIT ?
      """,
      moment,
      moment,
      Self.rowsAtOnce
    )
    for session in over { try db.run("DELETE FROM sessions WHERE digest = ?", try session.value(0, Blob.self)) }
    for session in over { try dropGuest(try session.value(1)) }
    return over.count
  }

  /// Deletes sanctions that are over, and guests with nothing else left; returns the number of sanctions, at most one
  /// piece.
  func dropSanctions(overAt moment: Instant) throws -> Int {
    let over = try db.rows(
      "SELECT player, kind FROM sanctions WHERE until <= ? ORDER BY until LIMIT ?",
      moment,
      Self.rowsAtOnce
    )
    for row in over {
      let player: PlayerID = try row.value(0)
      try db.run("DELETE FROM sanctions WHERE player = ? AND kind = ?", player, try row.value(1, SanctionKind.self))
      try dropGuest(player)
    }
    return over.count
  }

  /// Deletes address bans that are over; returns their number.
  func dropAddressBans(overAt moment: Instant) throws -> Int {
    try db.run("DELETE FROM address_bans WHERE until <= ?", moment)
  }

  /// Deletes links for passwords that are good no more; returns their number.
  func dropResets(expiredAt moment: Instant) throws -> Int {
    try db.run("DELETE FROM password_resets WHERE expires_at <= ?", moment)
  }

  /// Deletes browsers that no player has come with since a moment, but those of banned players; returns their number,
  /// at most one piece.
  func dropBrowsers(unseenSince moment: Instant) throws -> Int {
    let unseen = try db.rows(
      """
      SELECT player, browser FROM browsers WHERE seen_at < ? AND NOT EXISTS (
        SELECT 1 FROM sanctions WHERE sanctions.player = browsers.player AND sanctions.kind = 'ban')
      ORDER BY seen_at LIMIT ?
      """,
      moment,
      Self.rowsAtOnce
    )
    for row in unseen {
      let player: PlayerID = try row.value(0)
      try db.run("DELETE FROM browsers WHERE player = ? AND browser = ?", player, try row.value(1, Blob.self))
    }
    return unseen.count
  }

  /// Deletes damaged segments at the age of journals; returns their number.
  func dropDamaged(writtenBefore moment: Instant) throws -> Int {
    try db.run("DELETE FROM damaged_segments WHERE written_at < ?", moment)
  }

  private func dropGuest(_ player: PlayerID) throws {
    let dropped = try db.run(
      """
      DELETE FROM players WHERE id = ? AND email IS NULL
        AND NOT EXISTS (SELECT 1 FROM erasures WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM results WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM presences WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM tap_players WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM sanctions WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM capsules WHERE owner = players.id)
        AND NOT EXISTS (SELECT 1 FROM capsule_openings WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM posts WHERE author = players.id)
        AND NOT EXISTS (SELECT 1 FROM comments WHERE author = players.id)
        AND NOT EXISTS (SELECT 1 FROM post_likes WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM media WHERE owner = players.id)
        AND NOT EXISTS (SELECT 1 FROM plans WHERE author = players.id OR origin_author = players.id)
        AND NOT EXISTS (SELECT 1 FROM plan_takers WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM profiles WHERE player = players.id)
        AND NOT EXISTS (SELECT 1 FROM collectibles WHERE player = players.id)
      """,
      player
    )
    if dropped > 0 { try ReportRemoval(db: db).remove(.profile(player)) }
  }
}
