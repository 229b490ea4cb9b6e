// The members of a room and their places, as the room shows them to others. Plain values, copied out of the room's own
// state.

/// A place in a room.
package enum Place: Hashable, Sendable {
  /// A player's seat, from 0, below the room's capacity.
  case seat(Int)
  /// A spectator's number: the smallest that was free.
  case spectator(Int)
}

/// A player or a spectator of a room.
package struct Member: Hashable, Sendable {
  package var id: PlayerID
  package var place: Place
  /// The shown nickname, followed by a number where another member has the same.
  package var nickname: String
  /// Whether the connection is lost and the place held.
  package var isHeld: Bool
  /// The number of the newest chat event that they have read; 0 for none.
  package var readUpTo: UInt32
  /// Whether a spectator came in to watch alone, and takes no seat.
  package var isWatching: Bool

  package init(
    id: PlayerID,
    place: Place,
    nickname: String,
    isHeld: Bool = false,
    readUpTo: UInt32 = 0,
    isWatching: Bool = false
  ) {
    self.id = id
    self.place = place
    self.nickname = nickname
    self.isHeld = isHeld
    self.readUpTo = readUpTo
    self.isWatching = isWatching
  }
}

/// A member's read position in the chat.
package struct Cursor: Hashable, Sendable {
  package var place: Place
  /// The number of the newest chat event that they have read.
  package var upTo: UInt32

  package init(place: Place, upTo: UInt32) {
    self.place = place
    self.upTo = upTo
  }
}
