// What one group commit brings: the segments that the shards have cut, the row changes that go with them, and what the tally
// of school taps has decided. Plain values, made by the shards and handed to the store.
import Game

/// One transaction.
package struct Batch: Sendable {
  /// When it was made: what a restart takes for the last moment that the server was alive.
  package var at: Instant
  /// Bans and mutes that have ended by then are not in force: `at`, but where the server lets nothing expire.
  package var expiryAt: Instant
  package var segments: [Segment]
  package var changes: [Change]
  /// In the order in which they were made; they have no outcomes.
  package var tally: [TallyChange]

  package init(
    at: Instant,
    expiryAt: Instant? = nil,
    segments: [Segment] = [],
    changes: [Change] = [],
    tally: [TallyChange] = []
  ) {
    self.at = at
    self.expiryAt = expiryAt ?? at
    self.segments = segments
    self.changes = changes
    self.tally = tally
  }
}

/// A session that begins.
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
