// Rooms that are open, and journals. Part of the contract. They are written by `RoomChange` and by segments.
import Game

/// Rooms and their journals. All calls block and see one state of the store.
///
/// A journal is the chunks that a room's segments brought, one behind the other in the order of the commits. A segment
/// that can't be read is left out: the chunks' own numbers show the gap. Nothing depends on how far segments are
/// folded.
package protocol RoomStore: Sendable {
  /// Hands over every room that is open, in the order of identifiers, with its journal from its newest snapshot on
  /// (`RoomChange.markSnapshot`, else `RoomChange.open`). `StoredRoom.mayLackEnd` tells of an unreadable segment behind
  /// the journal's end, which no chunk can show. An error of `body` ends the call: a `StoreFailure` as it is, any other
  /// as `.other`.
  func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure)

  /// The room's journal from the beginning of a game that is on (`RoomChange.beginGame`), as far as it is committed;
  /// nil when no such game is on.
  func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]?

  /// The room's journal from the beginning of a game to the batch that ended it: what is needed to play the game again.
  /// Nil when the game has not ended, or its journal is no longer kept.
  func journal(of id: GameID) throws(StoreFailure) -> [UInt8]?
}
