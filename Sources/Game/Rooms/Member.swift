// Who is where in a room, as a room shows it to others. Plain values, copied out of the room's own state.

/// Where someone is in a room.
package enum Place: Hashable, Sendable {
  /// A player's seat, from 0, below the room's capacity.
  case seat(Int)
  /// A watcher's number: the smallest that was free.
  case spectator(Int)
}

/// A player or a spectator of a room.
package struct Member: Hashable, Sendable {
  package var id: PlayerID
  package var place: Place
  /// As the room shows it: with a number behind it where another has the same.
  package var nickname: String
  /// The connection is lost, the place held.
  package var isHeld: Bool
  /// The number of the newest chat event that they have read; 0 for none.
  package var readUpTo: UInt32

  package init(id: PlayerID, place: Place, nickname: String, isHeld: Bool = false, readUpTo: UInt32 = 0) {
    self.id = id
    self.place = place
    self.nickname = nickname
    self.isHeld = isHeld
    self.readUpTo = readUpTo
  }
}

/// How far someone has read the chat.
package struct Cursor: Hashable, Sendable {
  package var place: Place
  /// The number of the newest chat event that they have read.
  package var upTo: UInt32

  package init(place: Place, upTo: UInt32) {
    self.place = place
    self.upTo = upTo
  }
}
