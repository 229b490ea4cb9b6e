// The changes of rows that a batch may bring, and what comes of each. Plain values. A change never fails its batch:
// what can't be done (a name that is taken, a player who is gone) is an outcome.
// Decisions: 047 (docs/decisions).
import Game

/// One change of rows.
package enum Change: Sendable {
  /// A room begins. Outcome `.ok`.
  case openRoom(RoomRow)
  /// This batch's segments have a snapshot of the room: recovery begins there. Outcome `.ok`.
  case markSnapshot(RoomID)
  /// This batch's segments have the snapshot that the game's replay begins with. Outcome `.ok`.
  case beginGame(GameID)
  /// A game has ended. Each badge is awarded once for ever, and a game that is stored already changes nothing: outcome
  /// `.awarded`, with the new badges. Results of players who are gone are left out.
  case endGame(GameRow, [ResultRow])
  /// A room ends; a game that it has not ended is forgotten. Outcome `.ok`.
  case closeRoom(RoomID)
  /// A solo run has captured its land. Outcome `.ok`, also when the player or the land is gone.
  case addLandRun(LandRunResult, at: Instant)
  /// A player came into a room, as player or spectator, so that their texts may be in its journal. Outcome `.ok`.
  case presence(PlayerID, RoomID)

  /// The player of this device, or a new one. A guest's nickname is set, an account's stays. Ends the player's other
  /// sessions. Outcome `.player`; `.banned`, at the batch's time, and then nothing has changed; `.replaced`: then a
  /// newer connection has begun or resumed the player's session already; or `.noNewPlayers` for a new device where none
  /// may be made.
  case hello(HelloChange)
  /// After the password was checked against this hash, nil for a player without one. Ends the player's other sessions.
  /// Outcome `.player`; `.notFound`, also when the account has another password by now; or `.banned` and `.replaced` as
  /// above.
  case login(PlayerID, passwordHash: String? = nil, session: NewSession, at: Instant)
  /// Finds a session by its digest; it is its connection's from now on, and its expiry moves on, a day or more at a
  /// time. Outcome `.player`, `.badToken`, `.sessionEnded`, `.sessionExpired`, or `.banned` and `.replaced` as above.
  case resume(session: NewSession, at: Instant)
  /// The session with this digest is in use: its expiry moves on to this one, a day or more at a time. Nothing where it
  /// has ended. Outcome `.ok`.
  case useSession([UInt8], expiresAt: Instant)
  /// A guest becomes an account. E-mails and nicknames are compared byte by byte, so whoever registers has brought them
  /// into one form. Outcome `.ok`, `.emailTaken`, `.nicknameTaken`, `.alreadyRegistered` or `.notFound`.
  case register(PlayerID, email: String, passwordHash: String, nickname: String)
  /// Outcome `.ok`, `.nicknameTaken` (among accounts; guests may share one) or `.notFound`.
  case setNickname(PlayerID, String)
  /// Ends all of the player's sessions but the one with this digest, and forgets the stored device unless it is this
  /// one. Outcome `.ok`, or `.notFound` for who has no account.
  case setPassword(PlayerID, hash: String, session: [UInt8], device: [UInt8]?)
  /// Logs out of the session with this digest; with `forgetDevice` the player's device is a stranger from now on.
  /// Nothing where a newer session has come in its place: who has that is not the one who logs out. Outcome `.ok`.
  case endSession([UInt8], at: Instant, forgetDevice: Bool)
  /// The first player wants to see nothing of the second. Outcome `.ok`, `.notFound`, or `.tooMany` beyond
  /// `blockedMax`.
  case block(PlayerID, PlayerID)
  /// Outcome `.ok`, also when nobody was blocked.
  case unblock(PlayerID, PlayerID)
  /// A player is about to be forgotten, of whom rooms still tell. At once nobody gets in as them any more, as by
  /// `.deletePlayer`, which comes when rooms tell of them no longer; until then nothing else of theirs goes, whatever
  /// happens in between (`Store.unfinishedDeletions`). Outcome `.ok`, also when there was no such player.
  case beginDeletion(PlayerID, at: Instant)
  /// Forgets a player, of whom no room tells in anything that is committed later. At once nobody gets in as them any
  /// more: session, device, e-mail, nickname and sanctions are gone, and e-mail and nickname may be taken again. The
  /// rest is only marked, and goes piece by piece (`DeletionStore.erase`, `MaintenanceStore.maintain`): results, runs
  /// and badges, the journals of their games, and their texts in the journals of all rooms where they have been.
  /// Others' results stay as they were, and so does the audit log, which has the player's identifier and no other word
  /// of them. School taps are the tally's to forget, which brings that as rows (`TallyChange`): nothing of them changes
  /// here. Outcome `.ok`, also when there was no such player.
  case deletePlayer(PlayerID, at: Instant)

  /// Keeps something from a player, in place of what was kept of the kind before, and writes that into the audit log.
  /// Outcome `.ok`, or `.notFound`: then there is no such player, and nothing is written.
  indirect case sanction(Sanction, AuditEntry)
  /// Ends the sanction of a kind that is in force at a moment, and writes that into the audit log. Outcome `.ok`, or
  /// `.notFound`: then there is none, and nothing is written.
  indirect case liftSanction(PlayerID, SanctionKind, at: Instant, AuditEntry)
  /// Writes into the audit log what is done otherwise. Outcome `.ok`.
  indirect case audit(AuditEntry)

  /// How many players one may block.
  package static let blockedMax = 10
}

/// What came of a change.
package enum Outcome: Hashable, Sendable {
  case ok
  case awarded([Award])
  case player(PlayerRow)
  case badToken, sessionExpired, sessionEnded, replaced
  /// Until then; nil until it is lifted.
  case banned(until: Instant?)
  case emailTaken, nicknameTaken, alreadyRegistered
  case tooMany, notFound
  /// The device is new, and no new player may be made now; nothing is written.
  case noNewPlayers
  /// What is stored is damaged there, so it can't be done; all other changes of the batch are.
  case unavailable
}

/// A badge that a player has just won.
package struct Award: Hashable, Sendable {
  package var player: PlayerID
  package var badge: Int

  package init(player: PlayerID, badge: Int) {
    self.player = player
    self.badge = badge
  }
}
