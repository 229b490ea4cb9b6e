// Open rooms and journals. Part of the contract. They are written by `RoomChange` and by segments.
import Game

/// Rooms and their journals. All calls block and see one state of the store.
///
/// A journal is the concatenation of a room's chunks from all segments, in the order of the commits. An unreadable
/// segment is left out: the chunks' own numbers show the gap. No result depends on how far segments are folded.
package protocol RoomStore: Sendable {
  /// Hands over every open room, in the order of identifiers, with its journal from its newest snapshot on
  /// (`RoomChange.markSnapshot`, else `RoomChange.open`). `StoredRoom.mayLackEnd` reports an unreadable segment behind
  /// the journal's end, because no chunk can show it. A `StoreFailure` of `body` ends the call as it is, any other
  /// error as `.other`.
  func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure)

  /// The room's journal from the beginning of a running game (`RoomChange.beginGame`), as far as it is committed; nil
  /// when no such game is running.
  func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]?

  /// The room's journal from the beginning of a game to the batch that ended it, as a replay needs it. Nil when the
  /// game has not ended, or its journal is no longer kept.
  func journal(of id: GameID) throws(StoreFailure) -> [UInt8]?
}
