// What a player who is in changes of their account and of their session. Plain values.
import Game

/// A change of an account.
package enum AccountChange: Hashable, Sendable {
  /// A guest becomes an account. E-mails and nicknames are compared byte by byte, so whoever registers has brought them
  /// into one form. Outcome `.ok`, `.emailTaken`, `.nicknameTaken`, `.alreadyRegistered` or `.notFound`.
  case register(PlayerID, email: String, passwordHash: String, nickname: String)
  /// Outcome `.ok`, `.nicknameTaken` (among accounts; guests may share one) or `.notFound`.
  case setNickname(PlayerID, String)
  /// Ends all of the player's sessions but the one with this digest, and forgets the stored device unless it is this
  /// one. Outcome `.ok`, or `.notFound` for who has no account.
  case setPassword(PlayerID, hash: String, session: [UInt8], device: [UInt8]?)
  /// The session with this digest is in use: its expiry moves on to this one, `sessionRenewalMin` or more at a time.
  /// Nothing where it has ended. Outcome `.ok`.
  case useSession([UInt8], expiresAt: Instant)
  /// Logs out of the session with this digest; with `forgetDevice` the player's device is unknown from now on. Nothing
  /// where a newer session has come in its place: who has that is not the one who logs out. Outcome `.ok`.
  case endSession([UInt8], at: Instant, forgetDevice: Bool)
  /// The first player wants to see nothing of the second. Outcome `.ok`, `.notFound`, or `.tooMany` beyond
  /// `blockedMax`.
  case block(PlayerID, PlayerID)
  /// Outcome `.ok`, also when nobody was blocked.
  case unblock(PlayerID, PlayerID)

  /// How many players one may block.
  package static let blockedMax = 10
}

/// What came of an account's change. Any but `.ok` has changed nothing.
package enum AccountOutcome: Hashable, Sendable {
  case ok
  case emailTaken, nicknameTaken, alreadyRegistered
  case tooMany, notFound
  /// What is stored is damaged there, so it can't be done; all other changes of the batch are.
  case unavailable
}
