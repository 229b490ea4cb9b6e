// A player is forgotten, in the transaction of the batch that says so: it takes as long as the rooms' journals where they
// have been are large. Others' results stay as they were; others' games with them can't be played again, for the tracks
// in those journals are theirs too.
import GRDB
import Game

/// The erasure of one player.
struct Erasure {
  private let player: PlayerID
  private let db: Database

  init(of player: PlayerID, on db: Database) {
    self.player = player
    self.db = db
  }

  func run() throws {
    // No segment may keep their texts, this batch's own included.
    let folding = Folding(db: db, target: try db.newestSegment())
    while try folding.piece() != nil {}
    let rooms: [RoomID] = try db.rows(
      "SELECT room FROM presences WHERE player = ? UNION SELECT room FROM results WHERE player = ?",
      player,
      player
    ).map { try $0.value(0) }
    for room in rooms {
      try giveUpGames(in: room)
      try Forgetting(db: db).trimJournal(of: room)
      try db.run("UPDATE rooms SET trim_segment = COALESCE(trim_segment, 0) WHERE id = ?", room)
      try eraseTexts(in: room)
    }
    // They may have this player's texts, and can't be searched for them.
    try db.run("DELETE FROM damaged_segments")
    try db.run("DELETE FROM players WHERE id = ?", player)
  }

  /// Gives up the journals of their games, of games that share a segment with one of these, and of a game that runs where
  /// they have been: whether they are in it is the room's to know. What an open room needs to be recovered stays until its
  /// next snapshot.
  private func giveUpGames(in room: RoomID) throws {
    try db.run(
      """
      UPDATE games SET first_segment = NULL WHERE room = ? AND first_segment IS NOT NULL
        AND (ended_at IS NULL OR EXISTS (
          SELECT 1 FROM results JOIN games AS own ON own.room = results.room AND own.number = results.number
          WHERE results.player = ? AND results.room = games.room AND own.last_segment >= games.first_segment
            AND COALESCE(own.first_segment, own.last_segment) <= games.last_segment))
      """,
      room,
      player
    )
  }

  private func eraseTexts(in room: RoomID) throws {
    let firsts = try db.rows("SELECT first_segment FROM journals WHERE room = ? ORDER BY first_segment", room)
    for row in firsts {
      let first: Int64 = try row.value(0)
      guard let journal = try db.row("SELECT bytes FROM journals WHERE room = ? AND first_segment = ?", room, first)
      else { continue }
      let bytes = try journal.value(0, Blob.self).bytes
      do {
        let erased = try Journal.erasing(player, from: bytes)
        guard erased != bytes else { continue }
        try db.run("UPDATE journals SET bytes = ? WHERE room = ? AND first_segment = ?", Blob(erased), room, first)
      } catch is JournalFault {
        // What can't be read can't be played again either: it goes as a whole.
        try db.run("DELETE FROM journals WHERE room = ? AND first_segment = ?", room, first)
      }
    }
  }
}
