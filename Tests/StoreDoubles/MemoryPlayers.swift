// Players and sessions of the double. Part of `MemoryTables`.
import Game
import Store

extension MemoryTables {
  mutating func write(_ change: SessionChange) -> SessionOutcome {
    switch change {
    case .hello(let hello): greet(hello)
    case .login(let player, let hash, let session, let at): login(player, hash, session, at: at)
    case .resume(let session, let at): resume(session, at: at)
    }
  }

  mutating func write(_ change: AccountChange) -> AccountOutcome {
    switch change {
    case .register(let player, let email, let hash, let nickname):
      return register(player, email: email, passwordHash: hash, nickname: nickname)
    case .setNickname(let player, let nickname): return setNickname(of: player, to: nickname)
    case .setPassword(let player, let hash, let session, let device):
      return setPassword(of: player, to: hash, session: session, device: device)
    case .useSession(let digest, let expiresAt): use(digest, until: expiresAt)
    case .endSession(let digest, let at, let forgetDevice): end(digest, at: at, forgetDevice: forgetDevice)
    case .offerReset(let player, let digest, let expiresAt, let entry):
      guard players[player]?.email != nil else { return .notFound }
      players[player]?.reset = (digest, expiresAt)
      audit.append(entry)
    case .resetPassword(let digest, let hash): return resetPassword(by: digest, to: hash)
    case .block(let player, let other): return block(other, for: player)
    case .unblock(let player, let other): players[player]?.blocked.remove(other)
    }
    return .ok
  }

  private mutating func greet(_ hello: HelloChange) -> SessionOutcome {
    guard let id = players.first(where: { $0.value.device == hello.device })?.key else {
      if let refusal = players.refusalOfBanned(hello.newPlayer, hello.session, at: sanctionsAt)
        ?? players.refusalOfNewGuest(hello.session, at: sanctionsAt)
      {
        return refusal
      }
      guard hello.mayMakePlayer else { return .noNewPlayers }
      players[hello.newPlayer] = PlayerEntry(nickname: hello.nickname, device: hello.device, madeAt: hello.at)
      return begin(hello.session, of: hello.newPlayer, at: hello.at, byDevice: true)
    }
    if let refusal = players.refusalOfBanned(id, hello.session, at: sanctionsAt) { return refusal }
    guard !hasNewerSession(id, than: hello.session) else { return .replaced }
    if players[id]?.email == nil, hello.setsNickname { players[id]?.nickname = hello.nickname }
    return begin(hello.session, of: id, at: hello.at, byDevice: true)
  }

  private mutating func login(
    _ id: PlayerID,
    _ passwordHash: String?,
    _ session: NewSession,
    at: Instant
  ) -> SessionOutcome {
    guard let player = players[id], player.passwordHash == passwordHash else { return .notFound }
    if let refusal = players.refusalOfBanned(id, session, at: sanctionsAt) { return refusal }
    guard !hasNewerSession(id, than: session) else { return .replaced }
    return begin(session, of: id, at: at, byDevice: false)
  }

  private func hasNewerSession(_ player: PlayerID, than session: NewSession) -> Bool {
    sessions.values.contains { $0.player == player && $0.endedAt == nil && $0.connection > session.connection }
  }

  private mutating func begin(
    _ session: NewSession,
    of player: PlayerID,
    at: Instant,
    byDevice: Bool
  ) -> SessionOutcome {
    endSessions(of: player, at: at)
    let ended = sessions.filter { $0.value.player == player && $0.value.endedAt != nil }
    for (digest, _) in ended.sorted(by: { $0.value.connection > $1.value.connection }).dropFirst(endedSessionsMax) {
      sessions[digest] = nil
    }
    sessions[session.digest] = SessionEntry(
      player: player,
      connection: session.connection,
      expiresAt: session.expiresAt,
      isByDevice: byDevice
    )
    return outcome(of: player, in: session, at: at)
  }

  private mutating func resume(_ session: NewSession, at: Instant) -> SessionOutcome {
    guard let found = sessions[session.digest] else { return .badToken }
    guard found.endedAt == nil else { return .sessionEnded }
    guard at < found.expiresAt else { return .sessionExpired }
    if let refusal = players.refusalOfBanned(found.player, session, at: sanctionsAt) { return refusal }
    guard found.connection <= session.connection else { return .replaced }
    sessions[session.digest]?.connection = session.connection
    if session.expiresAt - found.expiresAt >= sessionRenewalMin {
      sessions[session.digest]?.expiresAt = session.expiresAt
    }
    noteChange()
    return outcome(of: found.player, in: session, at: at)
  }

  private mutating func use(_ digest: [UInt8], until expiry: Instant) {
    guard let found = sessions[digest], found.endedAt == nil, expiry - found.expiresAt >= sessionRenewalMin
    else { return }
    sessions[digest]?.expiresAt = expiry
    noteChange()
  }

  private mutating func end(_ digest: [UInt8], at: Instant, forgetDevice: Bool) {
    guard let session = sessions[digest], session.endedAt == nil else { return }
    endSessions(of: session.player, at: at)
    if forgetDevice { players[session.player]?.device = nil }
  }

  private mutating func endSessions(of player: PlayerID, at: Instant) {
    for (digest, session) in sessions where session.player == player && session.endedAt == nil {
      sessions[digest]?.endedAt = at
    }
  }

  private mutating func outcome(of id: PlayerID, in session: NewSession, at moment: Instant) -> SessionOutcome {
    if players.note(session.browser, of: id, at: moment) { noteChange() }
    guard let player = players[id] else { preconditionFailure("a session has a player") }
    return .player(
      PlayerRow(
        id: id,
        nickname: player.nickname,
        email: player.email,
        blocked: player.blocked.sorted(),
        mute: player.sanction(.mute, at: sanctionsAt).map { Mute(until: $0.until) },
        warnings: moderation.warnings(of: id),
        session: session.digest,
        device: sessions[session.digest]?.isByDevice == true ? player.device : nil,
        companions: players.companions(of: id, by: session.browser),
        barredRooms: players.barredRooms(of: id, from: session.network, at: sanctionsAt)
      )
    )
  }

  private mutating func register(
    _ id: PlayerID,
    email: String,
    passwordHash: String,
    nickname: String
  ) -> AccountOutcome {
    guard let player = players[id] else { return .notFound }
    guard player.email == nil else { return .alreadyRegistered }
    guard account(ofEmail: email) == nil else { return .emailTaken }
    guard !isTaken(nickname, for: id) else { return .nicknameTaken }
    players[id]?.email = email
    players[id]?.passwordHash = passwordHash
    players[id]?.nickname = nickname
    players[id]?.registeredAt = batchAt
    return .ok
  }

  private mutating func setNickname(of id: PlayerID, to nickname: String) -> AccountOutcome {
    guard let player = players[id] else { return .notFound }
    if player.email != nil && isTaken(nickname, for: id) { return .nicknameTaken }
    players[id]?.nickname = nickname
    return .ok
  }

  private mutating func setPassword(
    of id: PlayerID,
    to hash: String,
    session: [UInt8],
    device: [UInt8]?
  ) -> AccountOutcome {
    guard let player = players[id], player.email != nil else { return .notFound }
    players[id]?.passwordHash = hash
    players[id]?.reset = nil
    if player.device != device { players[id]?.device = nil }
    for (digest, other) in sessions where other.player == id && other.endedAt == nil && digest != session {
      sessions[digest]?.endedAt = batchAt
    }
    return .ok
  }

  private mutating func resetPassword(by digest: [UInt8], to hash: String) -> AccountOutcome {
    let found = players.first { $0.value.reset.map { $0.digest == digest && sanctionsAt < $0.expiresAt } ?? false }
    guard let id = found?.key else { return .notFound }
    players[id]?.reset = nil
    players[id]?.passwordHash = hash
    players[id]?.device = nil
    endSessions(of: id, at: batchAt)
    return .reset(id)
  }

  private mutating func block(_ other: PlayerID, for id: PlayerID) -> AccountOutcome {
    guard let player = players[id], players[other] != nil else { return .notFound }
    if player.blocked.contains(other) { return .ok }
    guard player.blocked.count < AccountChange.blockedMax else { return .tooMany }
    players[id]?.blocked.insert(other)
    capsules.withdraw(from: id, by: other)
    capsules.withdraw(from: other, by: id)
    return .ok
  }

  /// Begins the deletion: from now on nobody knows the player.
  mutating func beginErasure(of id: PlayerID) {
    guard players[id] != nil else { return }
    erasures[id] = ErasureEntry(began: segment)
    tracks.forget(rooms, erasures.keys)
    players[id] = nil
    sessions = sessions.filter { $0.value.player != id }
    proposals = proposals.filter { $0.value.player != id }
    moderation.dropWarnings(of: id)
  }

  /// Marks the player: from now on no room names them; `erase` does the rest.
  mutating func markForErasure(_ id: PlayerID) {
    beginErasure(of: id)
    if erasures[id]?.ended == nil { erasures[id]?.ended = segment }
  }

  /// Deletes the rows that are the player's alone.
  mutating func forget(_ id: PlayerID) {
    players[id] = nil
    badges[id] = nil
    proposals = proposals.filter { $0.value.player != id }
    for land in lands.indices { lands[land].runs[id] = nil }
    capsules.forget(id)
    stories.forget(id)
    plans.forget(id)
    profiles.forget(id)
    media.forget(id)
    moderation.forget(id)
    sessions = sessions.filter { $0.value.player != id }
    for other in players.keys { players[other]?.blocked.remove(id) }
  }

  func password(ofEmail email: String) -> StoredPassword? { account(ofEmail: email).flatMap(password(of:)) }

  func password(of id: PlayerID) -> StoredPassword? {
    players[id]?.passwordHash.map { StoredPassword(player: id, hash: $0) }
  }

  private func account(ofEmail email: String) -> PlayerID? {
    players.first { $0.value.email.map { Self.areSame($0, email) } ?? false }?.key
  }

  private func isTaken(_ nickname: String, for id: PlayerID) -> Bool {
    players.contains { $0.key != id && $0.value.email != nil && Self.areSame($0.value.nickname, nickname) }
  }

  /// Compares by bytes, as databases do; Swift treats composed and decomposed letters as equal.
  private static func areSame(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }
}
