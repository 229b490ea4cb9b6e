// Sessions: begun, found, ended; one live session per player. Part of `BatchWriting`. Only the digest of a token's
// secret comes here, so a reader of the file can't log in as anybody.
// Decisions: 072 (docs/decisions).
import GRDB
import Game

extension BatchWriting {
  func write(_ change: SessionChange) throws -> SessionOutcome {
    switch change {
    case .hello(let hello): try greet(hello)
    case .login(let player, let hash, let session, let at): try login(player, hash, session, at: at)
    case .resume(let session, let at): try resume(session, at: at)
    }
  }

  private func greet(_ hello: HelloChange) throws -> SessionOutcome {
    let player: PlayerID
    if let row = try db.row("SELECT id FROM players WHERE device = ?", Blob(hello.device)) {
      player = try row.value(0)
      if let refusal = try bans.refusalOfBanned(player, hello.session) { return refusal }
      guard try !hasNewerSession(player, than: hello.session) else { return .replaced }
      // An account keeps its nickname, whatever a device sends.
      if hello.setsNickname {
        try db.run(
          "UPDATE players SET nickname = ? WHERE id = ? AND email IS NULL AND nickname <> ?",
          hello.nickname,
          player,
          hello.nickname
        )
      }
    } else {
      player = hello.newPlayer
      if let refusal = try bans.refusalOfBanned(player, hello.session) ?? bans.refusalOfNewGuest(hello.session) {
        return refusal
      }
      guard hello.mayMakePlayer else { return .noNewPlayers }
      try db.run(
        "INSERT INTO players (id, nickname, device, look_at, made_at) VALUES (?, ?, ?, ?, ?)",
        player,
        hello.nickname,
        Blob(hello.device),
        hello.session.expiresAt - guestSessionsRest,
        hello.at
      )
    }
    try begin(hello.session, of: player, at: hello.at, byDevice: true)
    return try outcome(of: player, in: hello.session, at: hello.at)
  }

  private func login(
    _ player: PlayerID,
    _ passwordHash: String?,
    _ session: NewSession,
    at: Instant
  ) throws -> SessionOutcome {
    let row = try db.row("SELECT password_hash FROM players WHERE id = ?", player)
    guard try exists(player), try row?.value(0, String?.self) == passwordHash else { return .notFound }
    if let refusal = try bans.refusalOfBanned(player, session) { return refusal }
    guard try !hasNewerSession(player, than: session) else { return .replaced }
    try begin(session, of: player, at: at, byDevice: false)
    return try outcome(of: player, in: session, at: at)
  }

  private func resume(_ session: NewSession, at: Instant) throws -> SessionOutcome {
    guard
      let row = try db.row(
        "SELECT player, expires_at, ended_at IS NOT NULL, connection FROM sessions WHERE digest = ?",
        Blob(session.digest)
      )
    else { return .badToken }
    let player: PlayerID = try row.value(0)
    let expiry: Instant = try row.value(1)
    // A player who is being erased may still have ended sessions.
    guard try !row.value(2, Bool.self) else { return try exists(player) ? .sessionEnded : .badToken }
    guard at < expiry else { return .sessionExpired }
    if let refusal = try bans.refusalOfBanned(player, session) { return refusal }
    let connection = Int64(clamping: session.connection)
    guard try row.value(3, Int64.self) <= connection else { return .replaced }
    try db.run(
      "UPDATE sessions SET connection = ?, expires_at = ? WHERE digest = ?",
      connection,
      session.expiresAt - expiry >= sessionRenewalMin ? session.expiresAt : expiry,
      Blob(session.digest)
    )
    return try outcome(of: player, in: session, at: at)
  }

  func use(_ session: [UInt8], until expiry: Instant) throws {
    try db.run(
      "UPDATE sessions SET expires_at = ? WHERE digest = ? AND ended_at IS NULL AND expires_at <= ?",
      expiry,
      Blob(session),
      expiry - sessionRenewalMin
    )
  }

  func end(_ session: [UInt8], at: Instant, forgetDevice: Bool) throws {
    let row = try db.row("SELECT player FROM sessions WHERE digest = ? AND ended_at IS NULL", Blob(session))
    guard let player: PlayerID = try row?.value(0) else { return }
    try endSessions(of: player, at: at, reason: "loggedOut")
    if forgetDevice { try db.run("UPDATE players SET device = NULL WHERE id = ?", player) }
  }

  private func endSessions(of player: PlayerID, at: Instant, reason: String) throws {
    try db.run(
      "UPDATE sessions SET ended_at = ?, end_reason = ? WHERE player = ? AND ended_at IS NULL",
      at,
      reason,
      player
    )
  }

  /// Whether a newer connection has the player's session; a request of an older one may arrive late.
  private func hasNewerSession(_ player: PlayerID, than session: NewSession) throws -> Bool {
    try db.finds(
      "SELECT 1 FROM sessions WHERE player = ? AND ended_at IS NULL AND connection > ?",
      player,
      Int64(clamping: session.connection)
    )
  }

  private func begin(_ session: NewSession, of player: PlayerID, at: Instant, byDevice: Bool) throws {
    try endSessions(of: player, at: at, reason: "replaced")
    try forgetEndedSessions(of: player)
    try db.run(
      "INSERT INTO sessions (digest, player, connection, expires_at, is_by_device) VALUES (?, ?, ?, ?, ?)",
      Blob(session.digest),
      player,
      Int64(clamping: session.connection),
      session.expiresAt,
      byDevice ? 1 : 0
    )
  }

  /// Keeps only the newest ended sessions, so that endless hellos of a player don't pile up rows.
  private func forgetEndedSessions(of player: PlayerID) throws {
    try db.run(
      """
      DELETE FROM sessions WHERE player = ? AND ended_at IS NOT NULL AND digest NOT IN (
        SELECT digest FROM sessions WHERE player = ? AND ended_at IS NOT NULL ORDER BY connection DESC LIMIT ?
      )
      """,
      player,
      player,
      endedSessionsMax
    )
  }

  private func outcome(of player: PlayerID, in session: NewSession, at moment: Instant) throws -> SessionOutcome {
    try bans.note(session.browser, of: player, at: moment)
    let found = try db.row(
      """
      SELECT nickname, email, CASE WHEN is_by_device = 1 THEN device END
      FROM players JOIN sessions ON sessions.player = players.id WHERE players.id = ? AND digest = ?
      """,
      player,
      Blob(session.digest)
    )
    guard let row = found else { return .badToken }
    let blocked = try db.rows("SELECT blocked FROM blocks WHERE player = ? ORDER BY blocked", player)
    return .player(
      PlayerRow(
        id: player,
        nickname: try row.value(0),
        email: try row.value(1, String?.self),
        blocked: try blocked.map { try $0.value(0) },
        mute: try mute(of: player),
        warnings: try db.warnings(of: player),
        session: session.digest,
        device: try row.value(2, Blob?.self)?.bytes,
        companions: try bans.companions(of: player, by: session.browser),
        barredRooms: try bans.barredRooms(of: player, from: session.network)
      )
    )
  }
}
