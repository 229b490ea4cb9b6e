// Guests without a connection for two days who have left nothing behind are forgotten, with their sessions. Runs on the
// writer's queue inside a transaction, a piece at a time. Each guest's row says when to look next, so guests who are
// kept cost nothing.
import GRDB
import Game

/// The forgetting of guests at a moment.
struct GuestForgetting {
  private static let guestsAtOnce = 100
  private static let rowsAtOnce = 500
  /// When to look again at a guest whom a room or a sanction keeps.
  private static let pause = Duration.seconds(86_400)

  let db: Database
  let now: Instant

  /// Looks at the guests who are due; how many rows it wrote, up to about the bound of a piece.
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
        try look(at: player, again: nil)
      } else if let next, next > now {
        try look(at: player, again: next)
      } else {
        count += try forgetUnlessKept(player)
      }
      count += 1
    }
    return count
  }

  /// How many rows beside the player's own it wrote.
  private func forgetUnlessKept(_ player: PlayerID) throws -> Int {
    let isKept = try db.finds(
      "SELECT 1 FROM results WHERE player = ? UNION ALL SELECT 1 FROM tap_players WHERE player = ? LIMIT 1",
      player,
      player
    )
    if isKept {
      try look(at: player, again: nil)
      return 0
    }
    let isKeptForNow = try db.finds(
      "SELECT 1 FROM presences WHERE player = ? UNION ALL SELECT 1 FROM sanctions WHERE player = ? LIMIT 1",
      player,
      player
    )
    if isKeptForNow {
      try look(at: player, again: now + Self.pause)
      return 0
    }
    let sessions = try db.run(
      "DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions WHERE player = ? LIMIT ?)",
      player,
      Self.rowsAtOnce
    )
    // The rest of many goes with the next piece.
    if sessions < Self.rowsAtOnce { try db.run("DELETE FROM players WHERE id = ?", player) }
    return sessions
  }

  private func look(at player: PlayerID, again moment: Instant?) throws {
    try db.run("UPDATE players SET look_at = ? WHERE id = ?", moment, player)
  }
}
