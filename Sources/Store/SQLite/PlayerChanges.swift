// Players: registration, nickname, password, whom they block. Part of `BatchWriting`.
import GRDB
import Game

extension BatchWriting {
  func exists(_ player: PlayerID) throws -> Bool {
    try db.finds("SELECT 1 FROM players WHERE id = ?", player)
  }

  func register(
    _ player: PlayerID,
    email: String,
    passwordHash: String,
    nickname: String
  ) throws -> Outcome {
    guard let row = try db.row("SELECT email IS NOT NULL FROM players WHERE id = ?", player) else { return .notFound }
    guard try !row.value(0, Bool.self) else { return .alreadyRegistered }
    guard try !db.finds("SELECT 1 FROM players WHERE email = ?", email) else { return .emailTaken }
    guard try !isTaken(nickname, for: player) else { return .nicknameTaken }
    try db.run(
      "UPDATE players SET email = ?, password_hash = ?, nickname = ? WHERE id = ?",
      email,
      passwordHash,
      nickname,
      player
    )
    return .ok
  }

  func setNickname(of player: PlayerID, to nickname: String) throws -> Outcome {
    guard let row = try db.row("SELECT email IS NOT NULL FROM players WHERE id = ?", player) else { return .notFound }
    if try row.value(0, Bool.self), try isTaken(nickname, for: player) { return .nicknameTaken }
    try db.run("UPDATE players SET nickname = ? WHERE id = ? AND nickname <> ?", nickname, player, nickname)
    return .ok
  }

  func setPassword(of player: PlayerID, to hash: String) throws -> Outcome {
    let changed = try db.run("UPDATE players SET password_hash = ? WHERE id = ? AND email IS NOT NULL", hash, player)
    return changed > 0 ? .ok : .notFound
  }

  func block(_ other: PlayerID, for player: PlayerID) throws -> Outcome {
    guard try exists(other), try exists(player) else { return .notFound }
    if try db.finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", player, other) { return .ok }
    let count: Int = try db.rows("SELECT COUNT(*) FROM blocks WHERE player = ?", player)[0].value(0)
    guard count < Change.blockedMax else { return .tooMany }
    try db.run("INSERT INTO blocks (player, blocked) VALUES (?, ?)", player, other)
    return .ok
  }

  /// Whether another account has the nickname.
  private func isTaken(_ nickname: String, for player: PlayerID) throws -> Bool {
    try db.finds("SELECT 1 FROM players WHERE nickname = ? AND email IS NOT NULL AND id <> ?", nickname, player)
  }
}
