// The check of links to games and of consents: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  /// Links and consents whose games can't be shown.
  func brokenTracks() throws -> [String] {
    let unkept = try db.rows(
      """
      SELECT room, number FROM track_links WHERE NOT EXISTS (
        SELECT 1 FROM games WHERE games.room = track_links.room AND games.number = track_links.number
          AND games.first_segment IS NOT NULL)
      UNION
      SELECT room, number FROM track_consents WHERE NOT EXISTS (
        SELECT 1 FROM games WHERE games.room = track_consents.room AND games.number = track_consents.number
          AND games.first_segment IS NOT NULL)
      ORDER BY room, number
      """
    )
    return try unkept.map { row in
      "game \(GameID(room: try row.value(0), number: try row.value(1))) is shared, and its journal is no longer kept"
    }
  }
}
