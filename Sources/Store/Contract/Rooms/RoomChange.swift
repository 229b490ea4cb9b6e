// What a room brings to a batch beside its journal. Plain values. All are idempotent.
import Game

/// A change of a room. Outcome: `WriteOutcome`. What belongs to a room or a player who is not there is left out, and is
/// `.ok`: one stray row must not undo what came with it.
package enum RoomChange: Hashable, Sendable {
  /// A room begins, before all other changes of its batch. One that is known stays as it is.
  case open(RoomRow)
  /// This batch's segments have a snapshot of the room: recovery begins with this batch's chunk. Nothing for a closed
  /// room.
  case markSnapshot(RoomID)
  /// This batch's segments have the snapshot that the game's replay begins with: the game's journal begins with this
  /// batch's chunk. A game that is known stays as it is.
  case beginGame(GameID)
  /// A room ends; a game that it has not ended is forgotten.
  case close(RoomID)
  /// A solo run has captured its land. A player has one run around a land at one moment.
  case addLandRun(LandRunResult, at: Instant)
  /// A player came into a room, as player or spectator, so that their texts may be in its journal.
  case addPresence(PlayerID, RoomID)
}
