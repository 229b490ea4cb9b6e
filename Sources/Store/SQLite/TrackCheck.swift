// The check of links to games and of consents: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  /// Links and consents whose games can't be shown.
  func brokenTracks() throws -> [String] {
    try ["track_links", "track_consents"].flatMap { table in
      try db.rows(
        """
        SELECT DISTINCT room, number FROM \(table) WHERE NOT EXISTS (
          SELECT 1 FROM games WHERE games.room = \(table).room AND games.number = \(table).number
            AND games.first_segment IS NOT NULL)
        ORDER BY room, number
        """
      ).map { row in
        "game \(GameID(room: try row.value(0), number: try row.value(1))) is shared, and its journal is no longer kept"
      }
    }
  }
}
