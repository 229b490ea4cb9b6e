// The stored rows of players. Plain values, the same for every back end.
import Game

/// A player whose session was begun or found.
package struct PlayerRow: Hashable, Sendable {
  package var id: PlayerID
  package var nickname: String
  /// The e-mail as it was registered; nil for a guest.
  package var email: String?
  /// The blocked players, ordered by identifier.
  package var blocked: [PlayerID]
  /// The mute in force; nil for a player who may chat.
  package var mute: Mute?
  /// The operators' warnings that the player has not seen, the oldest first.
  package var warnings: [PlayerWarning]
  /// The digest of the current session.
  package var session: [UInt8]
  /// The digest of the device that began the session; nil after a login, and where the device has been forgotten since.
  package var device: [UInt8]?
  /// The others who have come with the session's browser, those who came last first.
  package var companions: [PlayerID]
  /// The rooms that new guests of the session's network may not enter, where the player is one; by identifier.
  package var barredRooms: [BarredRoom]

  package init(
    id: PlayerID,
    nickname: String,
    email: String?,
    blocked: [PlayerID],
    mute: Mute? = nil,
    warnings: [PlayerWarning] = [],
    session: [UInt8],
    device: [UInt8]? = nil,
    companions: [PlayerID] = [],
    barredRooms: [BarredRoom] = []
  ) {
    self.id = id
    self.nickname = nickname
    self.email = email
    self.blocked = blocked
    self.mute = mute
    self.warnings = warnings
    self.session = session
    self.device = device
    self.companions = companions
    self.barredRooms = barredRooms
  }
}

/// A player whom another one has blocked.
package struct BlockedPlayer: Hashable, Sendable {
  package var id: PlayerID
  package var nickname: String

  package init(id: PlayerID, nickname: String) {
    self.id = id
    self.nickname = nickname
  }
}

/// The hash that a password is checked against.
package struct StoredPassword: Hashable, Sendable {
  package var player: PlayerID
  package var hash: String

  package init(player: PlayerID, hash: String) {
    self.player = player
    self.hash = hash
  }
}
