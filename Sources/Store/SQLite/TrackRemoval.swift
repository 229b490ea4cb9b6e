// The removal of links to games and of consents with what they depend on. On the writer's queue.
import GRDB
import Game

/// The removal of links and consents whose games are not shown any more.
struct TrackRemoval {
  let db: Database

  /// Deletes those of a room's games whose journals are no longer kept.
  func removeUnkept(in room: RoomID) throws {
    try db.run(
      """
      DELETE FROM track_links WHERE room = ? AND NOT EXISTS (
        SELECT 1 FROM games WHERE games.room = track_links.room AND games.number = track_links.number
          AND games.first_segment IS NOT NULL)
      """,
      room
    )
    try db.run(
      """
      DELETE FROM track_consents WHERE room = ? AND NOT EXISTS (
        SELECT 1 FROM games WHERE games.room = track_consents.room AND games.number = track_consents.number
          AND games.first_segment IS NOT NULL)
      """,
      room
    )
  }

  /// Deletes those of all games of a player.
  func removeGames(of player: PlayerID) throws {
    try db.run(
      "DELETE FROM track_links WHERE (room, number) IN (SELECT room, number FROM results WHERE player = ?)",
      player
    )
    try db.run(
      "DELETE FROM track_consents WHERE (room, number) IN (SELECT room, number FROM results WHERE player = ?)",
      player
    )
  }
}
