// The rows of links to games and of consents, read on a connection's queue.
import GRDB
import Game

/// Links and consents, read on one snapshot.
struct TrackReading {
  let db: Database

  func isKept(_ game: GameID) throws -> Bool {
    try db.finds(
      """
      SELECT 1 FROM games WHERE room = ? AND number = ? AND first_segment IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM results JOIN erasures ON erasures.player = results.player
        WHERE results.room = games.room AND results.number = games.number)
      """,
      game.room,
      Int64(game.number)
    )
  }

  func sharing(of player: PlayerID, in game: GameID) throws -> TrackSharing {
    let (room, number) = (game.room, Int64(game.number))
    return TrackSharing(
      linksCount: try db.rows(
        "SELECT COUNT(*) FROM track_links WHERE room = ? AND number = ? AND player = ?",
        room,
        number,
        player
      )[0].value(0),
      showsWay: try db.finds(
        "SELECT 1 FROM track_consents WHERE room = ? AND number = ? AND player = ?",
        room,
        number,
        player
      )
    )
  }

  func shared(_ digest: [UInt8]) throws -> SharedTrack? {
    guard let row = try db.row("\(TrackLink.query) WHERE digest = ?", Blob(digest)) else { return nil }
    let link = try TrackLink(row: row)
    guard let game = try StoredGame(link.game, on: db) else { return nil }
    let consenting = try db.rows(
      "SELECT player FROM track_consents WHERE room = ? AND number = ?",
      link.game.room,
      Int64(link.game.number)
    )
    return SharedTrack(link: link, game: game, shown: Set(try consenting.map { try $0.value(0) } + [link.player]))
  }
}

extension TrackLink {
  static let query = "SELECT digest, room, number, player, made_at FROM track_links"

  init(row: Row) throws {
    self.init(
      digest: try row.value(0, Blob.self).bytes,
      game: GameID(room: try row.value(1), number: try row.value(2)),
      player: try row.value(3),
      madeAt: try row.value(4)
    )
  }
}
