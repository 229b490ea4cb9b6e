// The ways to log in as a player: by a device, a password, or an earlier session. Plain values. A player has one live
// session.
import Game

/// A change that begins or finds a session.
package enum SessionChange: Hashable, Sendable {
  /// Logs in the player of this device, or a new one. It may set a guest's nickname; an account keeps its own. Ends the
  /// player's other sessions. Outcome `.player`; `.banned`, for a new device also where the network's new guests are;
  /// `.replaced`; or `.noNewPlayers` for a new device where none may be made. Only `.player` has changed anything.
  case hello(HelloChange)
  /// Logs in after the password was checked against this hash, nil for a player without one. Ends the player's other
  /// sessions. Outcome `.player`; `.notFound`, also when the account has another password by now; `.banned`; or
  /// `.replaced`. Only `.player` has changed anything.
  case login(PlayerID, passwordHash: String? = nil, session: NewSession, at: Instant)
  /// Finds a session by its digest and gives it to this connection. The expiry moves on, by `sessionRenewalMin` or more
  /// at a time. Outcome `.player`, `.badToken`, `.sessionEnded`, `.sessionExpired` from the moment of expiry on,
  /// `.banned`, or `.replaced`.
  case resume(session: NewSession, at: Instant)
}

/// The outcome of a session's change.
package enum SessionOutcome: Hashable, Sendable {
  /// The connection is logged in as this player.
  case player(PlayerRow)
  /// No session has this digest.
  case badToken
  case sessionExpired, sessionEnded
  /// A connection with a higher number has begun or resumed the player's session already.
  case replaced
  /// A ban is in force at the batch's `expiryAt`. It ends at `until`; nil until it is lifted. It is of the player, or
  /// of another who has come with the session's browser: of a guest for all who come with it, of an account for guests.
  case banned(until: Instant?)
  case notFound
  /// The device is new, and no new player may be made now; nothing is written.
  case noNewPlayers
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}

/// A session that begins, or is resumed.
package struct NewSession: Hashable, Sendable {
  /// The SHA-256 digest of the token's secret, 32 bytes. The secret itself is never stored.
  package var digest: [UInt8]
  /// The number of the connection that begins it; a later connection has a higher number.
  package var connection: UInt64
  package var expiresAt: Instant
  /// The SHA-256 digest of the number in the browser's cookie, 32 bytes; nil without one, as for apps.
  package var browser: [UInt8]?
  /// The keyed digest of the connection's network, as address bans have it; nil where it is not known.
  package var network: [UInt8]?

  package init(
    digest: [UInt8],
    connection: UInt64,
    expiresAt: Instant,
    browser: [UInt8]? = nil,
    network: [UInt8]? = nil
  ) {
    precondition(digest.count == 32, "a session is identified by a SHA-256 digest")
    precondition(browser.map { $0.count == 32 } ?? true, "a browser is identified by a SHA-256 digest")
    self.digest = digest
    self.connection = connection
    self.expiresAt = expiresAt
    self.browser = browser
    self.network = network
  }
}

/// A login by a device.
package struct HelloChange: Hashable, Sendable {
  /// The SHA-256 digest of the device's secret, 32 bytes.
  package var device: [UInt8]
  /// The identifier of the new player if the device is new.
  package var newPlayer: PlayerID
  package var nickname: String
  package var session: NewSession
  package var at: Instant
  /// Whether a new device may make a new player.
  package var mayMakePlayer: Bool
  /// Whether a known guest gets the nickname, or keeps the one before.
  package var setsNickname: Bool

  package init(
    device: [UInt8],
    newPlayer: PlayerID,
    nickname: String,
    session: NewSession,
    at: Instant,
    mayMakePlayer: Bool = true,
    setsNickname: Bool = true
  ) {
    precondition(device.count == 32, "a device is identified by a SHA-256 digest")
    self.device = device
    self.newPlayer = newPlayer
    self.nickname = nickname
    self.session = session
    self.at = at
    self.mayMakePlayer = mayMakePlayer
    self.setsNickname = setsNickname
  }
}
