// One room that a deleted player has been in: games given up, rows of its journal forgotten or their texts erased. On
// the writer's queue, in pieces of an erasure, which remembers the last row that is done.
import GRDB
import Game

/// Goes through a room that the player has been in, some rows of its journal at a time.
struct ErasedRoom {
  /// A piece ends with whichever comes first; a single row may be larger.
  private static let pieceBytes = 1 << 20
  private static let rowsAtOnce = 50

  private let room: RoomID
  private let player: PlayerID
  /// The segments in which the deletion began, and in which it was said that no room tells of the player.
  private let since: Int64
  private let through: Int64
  private let db: Database

  init(_ room: RoomID, of player: PlayerID, since: Int64, through: Int64, on db: Database) {
    self.room = room
    self.player = player
    self.since = since
    self.through = through
    self.db = db
  }

  /// Does a piece; how much it wrote.
  func piece() throws -> (bytes: Int, rows: Int) {
    let done: Int64? = try db.row(
      "SELECT done_segment FROM erasures WHERE player = ? AND room = ?",
      player,
      room
    )?.value(0)
    if done == nil { try begin() }
    let keys = try db.rows(
      """
      SELECT first_segment, length(bytes) FROM journals WHERE room = ? AND first_segment > ? AND first_segment <= ?
      ORDER BY first_segment LIMIT ?
      """,
      room,
      done ?? .min,
      through,
      Self.rowsAtOnce
    )
    var (read, written) = (0, 0)
    var last: Int64?
    for key in keys {
      let bytes: Int = try key.value(1)
      if last != nil, read + bytes > Self.pieceBytes { break }
      let first: Int64 = try key.value(0)
      written += try erase(row: first)
      read += bytes
      last = first
    }
    if let last {
      try db.run("UPDATE erasures SET room = ?, done_segment = ? WHERE player = ?", room, last, player)
    } else {
      try db.run("DELETE FROM presences WHERE player = ? AND room = ?", player, room)
      try db.run("UPDATE erasures SET room = NULL, done_segment = NULL WHERE player = ?", player)
    }
    return (written, 1 + keys.count)
  }

  /// Gives up games that ran while the player was deleted: only the room knew whether they were in them.
  private func begin() throws {
    try db.run(
      """
      UPDATE games SET first_segment = NULL
      WHERE room = ? AND first_segment <= ? AND (ended_at IS NULL OR last_segment >= ?)
      """,
      room,
      through,
      since
    )
    try db.run("UPDATE rooms SET trim_segment = COALESCE(trim_segment, 0) WHERE id = ?", room)
  }

  /// Forgets a row that nothing needs, or erases the texts in it; how many bytes it wrote. What an open room needs to
  /// be recovered stays until its next snapshot.
  private func erase(row first: Int64) throws -> Int {
    guard try Forgetting(db: db).trimJournal(of: room, row: first) == 0 else { return 0 }
    guard let journal = try db.row("SELECT bytes FROM journals WHERE room = ? AND first_segment = ?", room, first)
    else { return 0 }
    let bytes = try journal.value(0, Blob.self).bytes
    do {
      let erased = try Journal.erasing(player, from: bytes)
      guard erased != bytes else { return 0 }
      try db.run("UPDATE journals SET bytes = ? WHERE room = ? AND first_segment = ?", Blob(erased), room, first)
      return erased.count
    } catch is JournalFault {
      // What can't be read can't be played again either: it goes as a whole.
      try db.run("DELETE FROM journals WHERE room = ? AND first_segment = ?", room, first)
      return 0
    }
  }
}
