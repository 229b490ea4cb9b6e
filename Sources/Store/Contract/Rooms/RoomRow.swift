// What is stored of rooms. Plain values, the same for every back end.
import Game

/// A room.
package struct RoomRow: Hashable, Sendable {
  package var id: RoomID
  /// The bits of its code, which another room may have once this one has ended.
  package var code: UInt64
  package var openedAt: Instant

  package init(id: RoomID, code: UInt64, openedAt: Instant) {
    self.id = id
    self.code = code
    self.openedAt = openedAt
  }
}

/// A room that is open, with its journal from its newest snapshot on.
package struct StoredRoom: Hashable, Sendable {
  package var row: RoomRow
  package var journal: [UInt8]
  /// The highest number of its games that have begun; 0 before the first.
  package var lastGame: UInt32
  /// A segment behind the journal's end can't be read: what the room did last may have been in it.
  package var mayLackEnd: Bool

  package init(row: RoomRow, journal: [UInt8], lastGame: UInt32 = 0, mayLackEnd: Bool = false) {
    self.row = row
    self.journal = journal
    self.lastGame = lastGame
    self.mayLackEnd = mayLackEnd
  }
}
