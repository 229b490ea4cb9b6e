// Changes of players: registration, nickname, password, blocks. Part of `BatchWriting`.
// Decisions: 054 (docs/decisions).
import GRDB
import Game

extension BatchWriting {
  /// Whether the player is known; false during an erasure.
  func exists(_ player: PlayerID) throws -> Bool {
    try db.knows(player)
  }

  func write(_ change: AccountChange) throws -> AccountOutcome {
    switch change {
    case .register(let player, let email, let hash, let nickname):
      return try register(player, email: email, passwordHash: hash, nickname: nickname)
    case .setNickname(let player, let nickname): return try setNickname(of: player, to: nickname)
    case .setPassword(let player, let hash, let session, let device):
      return try setPassword(of: player, to: hash, session: session, device: device)
    case .useSession(let session, let expiry): try use(session, until: expiry)
    case .endSession(let session, let at, let forgetDevice): try end(session, at: at, forgetDevice: forgetDevice)
    case .offerReset(let player, let digest, let expiresAt, let entry):
      return try ResetWriting(batch: self).offer(to: player, digest, until: expiresAt, entry)
    case .resetPassword(let digest, let hash): return try ResetWriting(batch: self).reset(by: digest, to: hash)
    case .block(let player, let other): return try block(other, for: player)
    case .unblock(let player, let other):
      try db.run("DELETE FROM blocks WHERE player = ? AND blocked = ?", player, other)
    }
    return .ok
  }

  private func register(
    _ player: PlayerID,
    email: String,
    passwordHash: String,
    nickname: String
  ) throws -> AccountOutcome {
    guard let isAccount = try isAccount(player) else { return .notFound }
    guard !isAccount else { return .alreadyRegistered }
    guard try !db.finds("SELECT 1 FROM players WHERE email = ?", email) else { return .emailTaken }
    guard try !isTaken(nickname, for: player) else { return .nicknameTaken }
    try db.run(
      "UPDATE players SET email = ?, password_hash = ?, nickname = ?, registered_at = ? WHERE id = ?",
      email,
      passwordHash,
      nickname,
      at,
      player
    )
    return .ok
  }

  private func setNickname(of player: PlayerID, to nickname: String) throws -> AccountOutcome {
    guard let isAccount = try isAccount(player) else { return .notFound }
    if isAccount, try isTaken(nickname, for: player) { return .nicknameTaken }
    try db.run("UPDATE players SET nickname = ? WHERE id = ? AND nickname <> ?", nickname, player, nickname)
    return .ok
  }

  private func setPassword(
    of player: PlayerID,
    to hash: String,
    session: [UInt8],
    device: [UInt8]?
  ) throws -> AccountOutcome {
    // An unknown device equals no stored one, so the stored one is cleared.
    let changed = try db.run(
      """
      UPDATE players SET password_hash = ?, device = CASE WHEN device = ? THEN device END
      WHERE id = ? AND email IS NOT NULL
      """,
      hash,
      device.map(Blob.init),
      player
    )
    guard changed > 0 else { return .notFound }
    // The owner has a password again, so a link that leaks later is good for nothing.
    try db.run("DELETE FROM password_resets WHERE player = ?", player)
    try db.run(
      """
      UPDATE sessions SET ended_at = ?, end_reason = 'replaced'
      WHERE player = ? AND ended_at IS NULL AND digest <> ?
      """,
      at,
      player,
      Blob(session)
    )
    return .ok
  }

  private func block(_ other: PlayerID, for player: PlayerID) throws -> AccountOutcome {
    guard try exists(other), try exists(player) else { return .notFound }
    if try db.finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", player, other) { return .ok }
    let count: Int = try db.rows("SELECT COUNT(*) FROM blocks WHERE player = ?", player)[0].value(0)
    guard count < AccountChange.blockedMax else { return .tooMany }
    try db.run("INSERT INTO blocks (player, blocked) VALUES (?, ?)", player, other)
    // What a blocked player has shared takes no room of the player's, and sees nothing of the player's by name.
    try db.run("DELETE FROM capsule_shares WHERE player = ? AND owner = ?", player, other)
    try db.run("DELETE FROM capsule_shares WHERE player = ? AND owner = ?", other, player)
    return .ok
  }

  /// Whether the player has an account; nil for an unknown player.
  private func isAccount(_ player: PlayerID) throws -> Bool? {
    guard try exists(player) else { return nil }
    return try db.finds("SELECT 1 FROM players WHERE id = ? AND email IS NOT NULL", player)
  }

  /// Whether another account has the nickname.
  private func isTaken(_ nickname: String, for player: PlayerID) throws -> Bool {
    try db.finds("SELECT 1 FROM players WHERE nickname = ? AND email IS NOT NULL AND id <> ?", nickname, player)
  }
}

extension Database {
  /// Whether the player exists and no deletion has begun.
  func knows(_ player: PlayerID) throws -> Bool {
    try finds(
      """
      SELECT 1 FROM players WHERE id = ? AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
      """,
      player
    )
  }
}
