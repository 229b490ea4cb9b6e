// Changes of a logged-in player's account and session. Plain values.
import Game

/// A change of an account.
package enum AccountChange: Hashable, Sendable {
  /// A guest becomes an account. E-mails and nicknames are compared byte by byte, so the caller must normalize them.
  /// Outcome `.ok`, `.emailTaken`, `.nicknameTaken`, `.alreadyRegistered` or `.notFound`.
  case register(PlayerID, email: String, passwordHash: String, nickname: String)
  /// Outcome `.ok`, `.nicknameTaken` (among accounts; guests may share one) or `.notFound`.
  case setNickname(PlayerID, String)
  /// Ends all of the player's sessions but the one with this digest, and forgets the stored device unless it is this
  /// one. Outcome `.ok`, or `.notFound` for a player without an account.
  case setPassword(PlayerID, hash: String, session: [UInt8], device: [UInt8]?)
  /// The session with this digest is in use: its expiry moves to this one, by `sessionRenewalMin` or more at a time. An
  /// ended session does not change. Outcome `.ok`.
  case useSession([UInt8], expiresAt: Instant)
  /// Logs out of the session with this digest; `forgetDevice` also forgets the player's device. Nothing changes where a
  /// newer session has replaced it, because that session's holder does not log out. Outcome `.ok`.
  case endSession([UInt8], at: Instant, forgetDevice: Bool)
  /// Lets whoever has the secret with this digest set the password of an account, once, before a moment; in place of an
  /// earlier offer. Writes that into the audit log. Outcome `.ok`, or `.notFound` for a player without an account.
  case offerReset(PlayerID, digest: [UInt8], expiresAt: Instant, AuditEntry)
  /// Sets the password of the account for which a secret with this digest was offered, ends all of its sessions and
  /// forgets its device. Outcome `.reset`, or `.notFound` for a digest that is unknown, used or expired.
  case resetPassword(digest: [UInt8], hash: String)
  /// The first player blocks the second. Outcome `.ok`, `.notFound`, or `.tooMany` beyond `blockedMax`.
  case block(PlayerID, PlayerID)
  /// The first player unblocks the second. Outcome `.ok`, also when nobody was blocked.
  case unblock(PlayerID, PlayerID)

  /// The most players that one player may block.
  package static let blockedMax = 10
}

/// The outcome of an account's change. Any but `.ok` and `.reset` has changed nothing.
package enum AccountOutcome: Hashable, Sendable {
  case ok
  /// The password of this player was reset.
  case reset(PlayerID)
  case emailTaken, nicknameTaken, alreadyRegistered
  case tooMany, notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
