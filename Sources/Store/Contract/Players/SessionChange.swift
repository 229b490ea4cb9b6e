// How somebody comes in as a player: by a device, by a password, or by a session that was begun before. Plain values. A
// player has one live session.
import Game

/// A change that begins or finds a session.
package enum SessionChange: Hashable, Sendable {
  /// The player of this device, or a new one. A guest's nickname is set, an account's stays. Ends the player's other
  /// sessions. Outcome `.player`; `.banned`; `.replaced`; or `.noNewPlayers` for a new device where none may be made.
  /// Only `.player` has changed anything.
  case hello(HelloChange)
  /// After the password was checked against this hash, nil for a player without one. Ends the player's other sessions.
  /// Outcome `.player`; `.notFound`, also when the account has another password by now; `.banned`; or `.replaced`. Only
  /// `.player` has changed anything.
  case login(PlayerID, passwordHash: String? = nil, session: NewSession, at: Instant)
  /// Finds a session by its digest. It belongs to its connection from now on, and its expiry moves on,
  /// `sessionRenewalMin` or more at a time. Outcome `.player`, `.badToken`, `.sessionEnded`, `.sessionExpired` from the
  /// moment of expiry on, `.banned`, or `.replaced`.
  case resume(session: NewSession, at: Instant)
}

/// What came of a session's change.
package enum SessionOutcome: Hashable, Sendable {
  /// In as this player.
  case player(PlayerRow)
  /// No session has this digest.
  case badToken
  case sessionExpired, sessionEnded
  /// A connection with a higher number has begun or resumed the player's session already.
  case replaced
  /// A ban is in force at the batch's `expiryAt`: until then; nil until it is lifted.
  case banned(until: Instant?)
  case notFound
  /// The device is new, and no new player may be made now; nothing is written.
  case noNewPlayers
  /// What is stored is damaged there, so it can't be done; all other changes of the batch are.
  case unavailable
}

/// A session that begins, or is resumed.
package struct NewSession: Hashable, Sendable {
  /// The SHA-256 digest of the token's secret, 32 bytes. The secret itself is never stored.
  package var digest: [UInt8]
  /// Which connection begins it: a later one has a higher number.
  package var connection: UInt64
  package var expiresAt: Instant

  package init(digest: [UInt8], connection: UInt64, expiresAt: Instant) {
    precondition(digest.count == 32, "a session is stored by a SHA-256 digest")
    self.digest = digest
    self.connection = connection
    self.expiresAt = expiresAt
  }
}

/// A device says hello.
package struct HelloChange: Hashable, Sendable {
  /// The SHA-256 digest of the device's secret, 32 bytes.
  package var device: [UInt8]
  /// Who this is if the device is new.
  package var newPlayer: PlayerID
  package var nickname: String
  package var session: NewSession
  package var at: Instant
  /// Whether a device that is new may become a new player.
  package var mayMakePlayer: Bool

  package init(
    device: [UInt8],
    newPlayer: PlayerID,
    nickname: String,
    session: NewSession,
    at: Instant,
    mayMakePlayer: Bool = true
  ) {
    precondition(device.count == 32, "a device is stored by a SHA-256 digest")
    self.device = device
    self.newPlayer = newPlayer
    self.nickname = nickname
    self.session = session
    self.at = at
    self.mayMakePlayer = mayMakePlayer
  }
}
