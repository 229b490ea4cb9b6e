// Whom a ban covers: the player, those who come with the same browser, and new guests of the same network. Used by
// `BatchWriting`, whose expiry time decides which bans are in force.
// Decisions: 140 (docs/decisions).
import GRDB
import Game

extension BatchWriting {
  var bans: BanWriting { BanWriting(db: db, expiryAt: expiryAt) }
}

/// The part of a batch that is about bans.
struct BanWriting {
  let db: Database
  let expiryAt: Instant

  /// The end of a player's sanction in force, itself nil for no end; nil without a sanction.
  func end(of kind: SanctionKind, for player: PlayerID) throws -> Instant?? {
    try db.row(
      "SELECT until FROM sanctions WHERE player = ? AND kind = ? AND (until IS NULL OR until > ?)",
      player,
      kind,
      expiryAt
    ).map { try $0.value(0, Instant?.self) }
  }

  /// Puts the part of a ban for new guests of a network, in place of the one before.
  func put(_ ban: AddressBan?, of sanction: Sanction) throws {
    try liftAddressBan(of: sanction.player)
    guard let ban else { return }
    try db.run(
      "INSERT INTO address_bans (player, network, room, since, until) VALUES (?, ?, ?, ?, ?)",
      sanction.player,
      Blob(ban.network),
      ban.room,
      sanction.since,
      ban.until
    )
  }

  func liftAddressBan(of player: PlayerID) throws {
    try db.run("DELETE FROM address_bans WHERE player = ?", player)
  }

  /// The outcome for a session of a banned player, or with a banned player's browser; nil for all others. A player who
  /// is not stored yet is a guest.
  func refusalOfBanned(_ player: PlayerID, _ session: NewSession) throws -> SessionOutcome? {
    if let until = try end(of: .ban, for: player) { return .banned(until: until) }
    guard let browser = session.browser else { return nil }
    // Of several bans the one that ends last.
    return try db.row(
      """
      SELECT sanctions.until FROM browsers
      JOIN sanctions ON sanctions.player = browsers.player AND sanctions.kind = 'ban'
      JOIN players ON players.id = browsers.player
      WHERE browsers.browser = ? AND (sanctions.until IS NULL OR sanctions.until > ?)
        AND (players.email IS NULL OR NOT EXISTS (
          SELECT 1 FROM players AS arriving WHERE arriving.id = ? AND arriving.email IS NOT NULL))
      ORDER BY CASE WHEN sanctions.until IS NULL THEN 0 ELSE 1 END, sanctions.until DESC LIMIT 1
      """,
      Blob(browser),
      expiryAt,
      player
    ).map { .banned(until: try $0.value(0, Instant?.self)) }
  }

  /// The outcome for a new guest of a network whose new guests are banned; nil for all others.
  func refusalOfNewGuest(_ session: NewSession) throws -> SessionOutcome? {
    guard let network = session.network else { return nil }
    return try db.row(
      """
      SELECT until FROM address_bans WHERE network = ? AND room IS NULL AND until > ? ORDER BY until DESC LIMIT 1
      """,
      Blob(network),
      expiryAt
    ).map { .banned(until: try $0.value(0, Instant.self)) }
  }

  /// Notes the browser that a player has come with. A known one is written once a day at most.
  func note(_ browser: [UInt8]?, of player: PlayerID, at moment: Instant) throws {
    guard let browser = browser.map(Blob.init) else { return }
    let known = try db.row("SELECT seen_at FROM browsers WHERE player = ? AND browser = ?", player, browser)
    if let seenAt = try known?.value(0, Instant.self) {
      guard moment - seenAt >= sessionRenewalMin else { return }
      try db.run("UPDATE browsers SET seen_at = ? WHERE player = ? AND browser = ?", moment, player, browser)
      return
    }
    try db.run("INSERT INTO browsers (player, browser, seen_at) VALUES (?, ?, ?)", player, browser, moment)
    try db.run(
      """
      DELETE FROM browsers WHERE player = ? AND browser NOT IN (
        SELECT browser FROM browsers WHERE player = ? ORDER BY seen_at DESC, browser LIMIT ?)
      """,
      player,
      player,
      browsersMax
    )
    try db.run(
      """
      DELETE FROM browsers WHERE browser = ? AND player NOT IN (
        SELECT player FROM browsers WHERE browser = ? ORDER BY seen_at DESC, player LIMIT ?)
      """,
      browser,
      browser,
      browserPlayersMax
    )
  }

  /// The others who have come with a browser, those who came last first.
  func companions(of player: PlayerID, by browser: [UInt8]?) throws -> [PlayerID] {
    guard let browser else { return [] }
    return try db.rows(
      "SELECT player FROM browsers WHERE browser = ? AND player <> ? ORDER BY seen_at DESC, player LIMIT ?",
      Blob(browser),
      player,
      browserPlayersMax
    ).map { try $0.value(0) }
  }

  /// The rooms that the player may not enter as a new guest of a network, by identifier.
  func barredRooms(of player: PlayerID, from network: [UInt8]?) throws -> [BarredRoom] {
    guard let network else { return [] }
    return try db.rows(
      """
      SELECT address_bans.room, MAX(address_bans.until) FROM address_bans JOIN players ON players.id = ?
      WHERE address_bans.network = ? AND address_bans.room IS NOT NULL AND address_bans.until > ?
        AND players.email IS NULL AND players.made_at >= address_bans.since
      GROUP BY address_bans.room ORDER BY address_bans.room
      """,
      player,
      Blob(network),
      expiryAt
    ).map { BarredRoom(room: try $0.value(0), until: try $0.value(1)) }
  }
}
