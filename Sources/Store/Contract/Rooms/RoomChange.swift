// The changes that a room brings to a batch beside its journal. Plain values. All are idempotent.
import Game

/// A change of a room. Outcome: `WriteOutcome`. A row of an unknown room or player is left out and is `.ok`: one stray
/// row must not undo the rest of the batch.
package enum RoomChange: Hashable, Sendable {
  /// A room begins, before all other changes of its batch. A known room stays as it is.
  case open(RoomRow)
  /// This batch's segments have a snapshot of the room: recovery begins with this batch's chunk. A closed room does not
  /// change.
  case markSnapshot(RoomID)
  /// This batch's segments have the snapshot that the game's replay begins with: the game's journal begins with this
  /// batch's chunk. A known game stays as it is.
  case beginGame(GameID)
  /// A room ends; a game still running in it is forgotten.
  case close(RoomID)
  /// A solo run has captured its land. A player has at most one run around a land at one moment.
  case addLandRun(LandRunResult, at: Instant)
  /// A player has entered a room, as player or spectator, so the room's journal may have their texts.
  case addPresence(PlayerID, RoomID)
}
