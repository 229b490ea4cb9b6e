// The removal of links to games and of consents with what they depend on. On the writer's queue.
import GRDB
import Game

/// The removal of links and consents whose games are not shown any more.
struct TrackRemoval {
  let db: Database

  /// Deletes those of a room's games whose journals are no longer kept.
  func removeUnkept(in room: RoomID) throws {
    for table in ["track_links", "track_consents"] {
      try db.run(
        """
        DELETE FROM \(table) WHERE room = ? AND NOT EXISTS (
          SELECT 1 FROM games WHERE games.room = \(table).room AND games.number = \(table).number
            AND games.first_segment IS NOT NULL)
        """,
        room
      )
    }
  }

  /// Deletes those of all games of a player.
  func removeGames(of player: PlayerID) throws {
    for table in ["track_links", "track_consents"] {
      try db.run(
        """
        DELETE FROM \(table) WHERE (room, number) IN (
          SELECT room, number FROM results WHERE player = ?)
        """,
        player
      )
    }
  }
}
