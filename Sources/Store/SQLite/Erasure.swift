// The erasure of a player: a mark in the transaction of the deletion's batch, then pieces, each a transaction of its
// own on the writer's queue. The mark's row holds the progress, so the erasure continues after a crash. Other players'
// results stay. Their games with the player can't be replayed, because those journals hold the player's tracks too.
// Decisions: 055 (docs/decisions).
import GRDB
import Game

/// The erasure of one player.
struct Erasure {
  /// The number of rows in a piece.
  private static let rowsAtOnce = 200
  private static let landsAtOnce = 50

  private let player: PlayerID
  private let db: Database

  init(of player: PlayerID, on db: Database) {
    self.player = player
    self.db = db
  }

  /// Deletes at once all that someone could log in with or claim; rooms may still name the player. Does nothing for an
  /// unknown player.
  func begin(at moment: Instant, inSegment number: Int64) throws {
    guard try db.knows(player) else { return }
    try db.run("INSERT INTO erasures (player, at, segment) VALUES (?, ?, ?)", player, moment, number)
    try db.run(
      """
      UPDATE players SET nickname = ?, device = NULL, email = NULL, password_hash = NULL, look_at = NULL WHERE id = ?
      """,
      ErasedText.text,
      player
    )
    // There may be many ended sessions; later pieces delete them.
    try db.run("DELETE FROM sessions WHERE player = ? AND ended_at IS NULL", player)
    try db.run("DELETE FROM sanctions WHERE player = ?", player)
    try db.run("DELETE FROM address_bans WHERE player = ?", player)
    try db.run("DELETE FROM browsers WHERE player = ?", player)
    try db.run("DELETE FROM password_resets WHERE player = ?", player)
    try db.run("DELETE FROM warnings WHERE player = ?", player)
    // From now on nobody sees the player's games by a link. There are few.
    try TrackRemoval(db: db).removeGames(of: player)
    // There are few; decided ones go with later pieces.
    try db.run("DELETE FROM land_proposals WHERE player = ? AND decided_at IS NULL", player)
  }

  /// Marks the player for erasure: no room names the player from this segment on.
  func mark(at moment: Instant, inSegment number: Int64) throws {
    try begin(at: moment, inSegment: number)
    try db.run("UPDATE erasures SET last_segment = ? WHERE player = ? AND last_segment IS NULL", number, player)
  }

  /// The marked players, the earliest first.
  static func marked(on db: Database) throws -> [PlayerID] {
    try db.rows("SELECT player FROM erasures WHERE last_segment IS NOT NULL ORDER BY at, player").map {
      try $0.value(0)
    }
  }

  /// The players whom rooms may still name, the earliest first.
  static func unfinished(on db: Database) throws -> [PlayerID] {
    try db.rows("SELECT player FROM erasures WHERE last_segment IS NULL ORDER BY at, player").map { try $0.value(0) }
  }

  /// Does a piece; returns the written amount, nil when nothing of the player is left. `fold` folds a piece of the
  /// segments up to a number; nil when there is none.
  func piece(
    fold: (_ through: Int64, _ at: Instant) throws -> (bytes: Int, rows: Int)?
  ) throws -> (bytes: Int, rows: Int)? {
    let mark = try db.row(
      "SELECT at, segment, last_segment FROM erasures WHERE player = ? AND last_segment IS NOT NULL",
      player
    )
    guard let mark else { return nil }
    let (since, through): (Int64, Int64) = (try mark.value(1), try mark.value(2))
    if let folded = try fold(through, mark.value(0)) { return folded }
    for rows in [
      forgetRows, forgetRuns, forgetReports, forgetCapsules, forgetStories, forgetPlans, forgetMedia,
      forgetWebhookEvents, giveUpGames,
    ] {
      let count = try rows()
      if count > 0 { return (0, count) }
    }
    if let room = try nextRoom() {
      return try ErasedRoom(room, of: player, since: since, through: through, on: db).piece()
    }
    // Damaged segments may hold this player's texts and can't be searched.
    let damaged = try db.run("DELETE FROM damaged_segments WHERE number <= ?", through)
    try ReportRemoval(db: db).remove(.profile(player))
    try db.run("DELETE FROM players WHERE id = ?", player)
    return (0, 2 + damaged)
  }

  /// Deletes sessions, badges, proposals, the profile, and blocks of the player by others; returns the number of rows.
  private func forgetRows() throws -> Int {
    let sessions = try db.run(
      "DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions WHERE player = ? LIMIT ?)",
      player,
      Self.rowsAtOnce
    )
    let blocks = try db.run(
      "DELETE FROM blocks WHERE blocked = ? AND player IN (SELECT player FROM blocks WHERE blocked = ? LIMIT ?)",
      player,
      player,
      Self.rowsAtOnce
    )
    let proposals = try db.run(
      "DELETE FROM land_proposals WHERE id IN (SELECT id FROM land_proposals WHERE player = ? LIMIT ?)",
      player,
      Self.rowsAtOnce
    )
    return try sessions + blocks + proposals + db.run("DELETE FROM badges WHERE player = ?", player)
      + ProfileWriting.erase(player, on: db)
  }

  private func forgetRuns() throws -> Int {
    let lands = try db.rows(
      "SELECT land FROM ranked_runs WHERE player = ? AND period = 0 LIMIT ?",
      player,
      Self.landsAtOnce
    )
    return try lands.reduce(0) { count, row in
      let land: LandID = try row.value(0)
      let runs = try db.run("DELETE FROM land_runs WHERE land = ? AND player = ?", land, player)
      let ranked = try db.run(
        "DELETE FROM ranked_runs WHERE period IN (SELECT number FROM ranking_periods) AND land = ? AND player = ?",
        land,
        player
      )
      return count + runs + ranked
    }
  }

  /// Removes capsules; then their names in others' capsules, whose open counts stay.
  private func forgetCapsules() throws -> Int {
    let removal = CapsuleRemoval(db: db)
    let capsules = try removal.removeCapsules(of: player)
    return try capsules > 0 ? capsules : removal.forgetVisits(of: player, rowsAtOnce: Self.rowsAtOnce)
  }

  private func forgetReports() throws -> Int {
    try ReportRemoval(db: db).forgetReports(of: player, rowsAtOnce: Self.rowsAtOnce)
  }

  private func forgetStories() throws -> Int {
    try StoryRemoval(db: db).forgetStories(of: player, rowsAtOnce: Self.rowsAtOnce)
  }

  private func forgetPlans() throws -> Int {
    try PlanRemoval(db: db).forgetPlans(of: player, rowsAtOnce: Self.rowsAtOnce)
  }

  /// Deletes media; their blobs go behind the last piece.
  private func forgetMedia() throws -> Int {
    try MediaRemoval(db: db).removeMedia(of: player)
  }

  /// Deletes pending events that name the player, together with the other players' names in them.
  private func forgetWebhookEvents() throws -> Int {
    try WebhookOutbox(db: db).forget(player, rowsAtOnce: Self.rowsAtOnce)
  }

  /// Deletes results, the oldest first, and gives up the journals of their games; returns the number of results.
  private func giveUpGames() throws -> Int {
    let results = try db.rows(
      "SELECT room, number FROM results WHERE player = ? ORDER BY ended_at, room, number LIMIT ?",
      player,
      Self.rowsAtOnce
    )
    for row in results {
      let (room, number): (RoomID, Int64) = (try row.value(0), try row.value(1))
      try GivenUpGames(in: room, on: db).giveUp(number)
      // This makes the erasure go through all journals left of the room.
      try db.run(
        """
        INSERT INTO presences (player, room) SELECT players.id, rooms.id FROM players, rooms
        WHERE players.id = ? AND rooms.id = ? AND EXISTS (SELECT 1 FROM journals WHERE journals.room = rooms.id)
        ON CONFLICT (player, room) DO NOTHING
        """,
        player,
        room
      )
      try db.run("DELETE FROM results WHERE room = ? AND number = ? AND player = ?", room, number, player)
    }
    return results.count
  }

  private func nextRoom() throws -> RoomID? {
    try db.row("SELECT room FROM presences WHERE player = ? ORDER BY room LIMIT 1", player)?.value(0)
  }
}
