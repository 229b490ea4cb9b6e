// One-time links by which a player sets a new password, as an operator has offered them. Used by `BatchWriting`. Only
// the digest of a link's secret comes here. The batch's expiry time decides which links are good.
import GRDB
import Game

/// The part of a batch that is about links for passwords.
struct ResetWriting {
  let batch: BatchWriting
  private var db: Database { batch.db }

  func offer(
    to player: PlayerID,
    _ digest: [UInt8],
    until expiresAt: Instant,
    _ entry: AuditEntry
  ) throws -> AccountOutcome {
    guard try batch.exists(player), try db.finds("SELECT 1 FROM players WHERE id = ? AND email IS NOT NULL", player)
    else {
      return .notFound
    }
    try db.run("DELETE FROM password_resets WHERE player = ?", player)
    try db.run(
      "INSERT INTO password_resets (player, digest, expires_at) VALUES (?, ?, ?)",
      player,
      Blob(digest),
      expiresAt
    )
    try batch.write(entry)
    return .ok
  }

  /// Sets the password, ends all sessions and forgets the device: whoever was in by the old ones is out.
  func reset(by digest: [UInt8], to hash: String) throws -> AccountOutcome {
    let found = try db.row(
      "SELECT player FROM password_resets WHERE digest = ? AND expires_at > ?",
      Blob(digest),
      batch.expiryAt
    )
    guard let player: PlayerID = try found?.value(0), try batch.exists(player) else { return .notFound }
    try db.run("DELETE FROM password_resets WHERE player = ?", player)
    try db.run("UPDATE players SET password_hash = ?, device = NULL WHERE id = ?", hash, player)
    try db.run(
      "UPDATE sessions SET ended_at = ?, end_reason = 'replaced' WHERE player = ? AND ended_at IS NULL",
      batch.at,
      player
    )
    return .reset(player)
  }
}
