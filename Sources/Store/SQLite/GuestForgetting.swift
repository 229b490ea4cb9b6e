// Deletes guests, with their sessions, who have been absent for two days and have nothing left. Runs on the writer's
// queue inside a transaction, a piece at a time. Each guest's row has the moment of the next look, so kept guests cost
// nothing.
import GRDB
import Game

/// The deletion of guests at a moment.
struct GuestForgetting {
  private static let guestsAtOnce = 100
  private static let rowsAtOnce = 500
  /// The time until the next look at a guest whom a room, a sanction or a picture keeps.
  private static let pause = Duration.seconds(86_400)

  let db: Database
  let now: Instant

  /// Looks at the guests who are due; returns the number of written rows, about one piece at most.
  func piece() throws -> Int {
    let due = try db.rows(
      """
      SELECT id, email IS NOT NULL, (SELECT MAX(expires_at) FROM sessions WHERE sessions.player = players.id)
      FROM players WHERE look_at <= ? ORDER BY look_at LIMIT ?
      """,
      now,
      Self.guestsAtOnce
    )
    var count = 0
    for row in due where count < Self.rowsAtOnce {
      let (player, isAccount): (PlayerID, Bool) = (try row.value(0), try row.value(1))
      let next = try row.value(2, Instant?.self).map { $0 - guestSessionsRest }
      if isAccount {
        try check(player, again: nil)
      } else if let next, next > now {
        try check(player, again: next)
      } else {
        count += try forgetUnlessKept(player)
      }
      count += 1
    }
    return count
  }

  /// Returns the number of written rows without the player's own.
  private func forgetUnlessKept(_ player: PlayerID) throws -> Int {
    let isKept = try db.finds(
      """
      SELECT 1 FROM results WHERE player = ? UNION ALL SELECT 1 FROM tap_players WHERE player = ?
      UNION ALL SELECT 1 FROM capsules WHERE owner = ? UNION ALL SELECT 1 FROM posts WHERE author = ?
      UNION ALL SELECT 1 FROM comments WHERE author = ? UNION ALL SELECT 1 FROM post_likes WHERE player = ?
      UNION ALL SELECT 1 FROM plans WHERE author = ? UNION ALL SELECT 1 FROM plan_takers WHERE player = ?
      UNION ALL SELECT 1 FROM plans WHERE origin_author = ? UNION ALL SELECT 1 FROM profiles WHERE player = ?
      UNION ALL SELECT 1 FROM collectibles WHERE player = ? LIMIT 1
      """,
      player,
      player,
      player,
      player,
      player,
      player,
      player,
      player,
      player,
      player,
      player
    )
    if isKept {
      try check(player, again: nil)
      return 0
    }
    let isKeptForNow = try db.finds(
      """
      SELECT 1 FROM presences WHERE player = ? UNION ALL SELECT 1 FROM sanctions WHERE player = ?
      UNION ALL SELECT 1 FROM media WHERE owner = ? LIMIT 1
      """,
      player,
      player,
      player
    )
    if isKeptForNow {
      try check(player, again: now + Self.pause)
      return 0
    }
    let sessions = try db.run(
      "DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions WHERE player = ? LIMIT ?)",
      player,
      Self.rowsAtOnce
    )
    // The next piece deletes what remains.
    guard sessions < Self.rowsAtOnce else { return sessions }
    let visits = try CapsuleRemoval(db: db).forgetVisits(of: player, rowsAtOnce: Self.rowsAtOnce)
    let reports = try ReportRemoval(db: db).forgetReports(of: player, rowsAtOnce: Self.rowsAtOnce)
    if visits + reports == 0 {
      try ReportRemoval(db: db).remove(.profile(player))
      try db.run("DELETE FROM players WHERE id = ?", player)
    }
    return sessions + visits + reports
  }

  private func check(_ player: PlayerID, again moment: Instant?) throws {
    try db.run("UPDATE players SET look_at = ? WHERE id = ?", moment, player)
  }
}
