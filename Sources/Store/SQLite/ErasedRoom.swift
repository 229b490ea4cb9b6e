// The erasure in one room that a deleted player has been in: games are given up, and rows of the journal are forgotten
// or their texts erased. On the writer's queue, in pieces of an erasure, which remembers the last finished row.
import GRDB
import Game

/// Erases the player's texts in one room, some rows of its journal at a time.
struct ErasedRoom {
  /// The bounds of a piece, whichever comes first; a single row may be larger.
  private static let pieceBytes = 1 << 20
  private static let rowsAtOnce = 50

  private let room: RoomID
  private let player: PlayerID
  /// The segments of the deletion's two steps: its begin, and the mark that no room names the player any more.
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

  /// Does a piece; returns the written amount.
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

  /// Gives up games that ran during the deletion: only the room knew whether the player took part.
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
    try TrackRemoval(db: db).removeUnkept(in: room)
    try db.run("UPDATE rooms SET trim_segment = COALESCE(trim_segment, 0) WHERE id = ?", room)
  }

  /// Forgets a row that nothing needs, or erases the texts in it; returns the number of written bytes. Rows that an
  /// open room needs for its recovery stay until its next snapshot.
  private func erase(row first: Int64) throws -> Int {
    guard try Forgetting(db: db).trimJournal(of: room, row: first) == 0 else { return 0 }
    return try ChatErasure(of: player, in: room, on: db).erase(row: first)
  }
}
