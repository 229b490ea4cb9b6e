// What is stored of players. Plain values, the same for every back end.
import Game

/// A player whose session was begun or found.
package struct PlayerRow: Hashable, Sendable {
  package var id: PlayerID
  package var nickname: String
  /// As it was registered; nil for a guest.
  package var email: String?
  /// In order of identifiers.
  package var blocked: [PlayerID]
  /// Nil for who may chat.
  package var mute: Mute?
  /// The digest of the session now.
  package var session: [UInt8]
  /// The digest of the device that began the session; nil where a login did, or where the device has been forgotten
  /// since.
  package var device: [UInt8]?

  package init(
    id: PlayerID,
    nickname: String,
    email: String?,
    blocked: [PlayerID],
    mute: Mute? = nil,
    session: [UInt8],
    device: [UInt8]? = nil
  ) {
    self.id = id
    self.nickname = nickname
    self.email = email
    self.blocked = blocked
    self.mute = mute
    self.session = session
    self.device = device
  }
}

/// What a password is checked against.
package struct StoredPassword: Hashable, Sendable {
  package var player: PlayerID
  package var hash: String

  package init(player: PlayerID, hash: String) {
    self.player = player
    self.hash = hash
  }
}
