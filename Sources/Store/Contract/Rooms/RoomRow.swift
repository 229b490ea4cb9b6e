// The stored rows of rooms. Plain values, the same for every back end.
import Game

/// A room.
package struct RoomRow: Hashable, Sendable {
  package var id: RoomID
  /// The bits of the room's code. Another room may get the code once this one has ended.
  package var code: UInt64
  package var openedAt: Instant

  package init(id: RoomID, code: UInt64, openedAt: Instant) {
    self.id = id
    self.code = code
    self.openedAt = openedAt
  }
}

/// An open room with its journal from its newest snapshot on.
package struct StoredRoom: Hashable, Sendable {
  package var row: RoomRow
  package var journal: [UInt8]
  /// The highest number of its games that have begun; 0 before the first.
  package var lastGame: UInt32
  /// Whether a segment behind the journal's end is unreadable, which may have held the room's last actions.
  package var mayLackEnd: Bool

  package init(row: RoomRow, journal: [UInt8], lastGame: UInt32 = 0, mayLackEnd: Bool = false) {
    self.row = row
    self.journal = journal
    self.lastGame = lastGame
    self.mayLackEnd = mayLackEnd
  }
}
