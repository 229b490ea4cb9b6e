// The erasure of a deleted player's chats, and of their nickname beside them. Both are texts in the journals of rooms;
// chats are stored nowhere else. On the writer's queue, for an `ErasedRoom`.
import GRDB
import Game

/// Erases one player's texts from the journal of one room.
struct ChatErasure {
  private let room: RoomID
  private let player: PlayerID
  private let db: Database

  init(of player: PlayerID, in room: RoomID, on db: Database) {
    self.player = player
    self.room = room
    self.db = db
  }

  /// Erases the texts in a row of the journal; returns the number of written bytes.
  func erase(row first: Int64) throws -> Int {
    guard let journal = try db.row("SELECT bytes FROM journals WHERE room = ? AND first_segment = ?", room, first)
    else { return 0 }
    let bytes = try journal.value(0, Blob.self).bytes
    do {
      let erased = try Journal.erasing(player, from: bytes)
      guard erased != bytes else { return 0 }
      try db.run("UPDATE journals SET bytes = ? WHERE room = ? AND first_segment = ?", Blob(erased), room, first)
      return erased.count
    } catch is JournalFault {
      // An unreadable row can't be replayed either, so it is deleted as a whole.
      try db.run("DELETE FROM journals WHERE room = ? AND first_segment = ?", room, first)
      return 0
    }
  }
}
