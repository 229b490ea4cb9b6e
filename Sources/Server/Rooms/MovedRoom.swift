// A lobby on its way to another shard: the room and everything beside it that is not its sessions'.
//
// A value. Its journal is committed as a whole, so a crash on the way finds the room in the store, once.
import Game
import MadangProtocol

struct MovedRoom: Sendable {
  let id: RoomID
  let code: RoomCode
  /// Nil for a room from before the start of the server.
  let creator: RoomCreator?
  let room: Room
  /// The number of the next chunk of its journal.
  let nextChunk: UInt64
  let schedule: SnapshotCounts
  /// The newest broadcast with rows of a large room.
  let rowsBroadcast: UInt64
  let refusedFixes: RefusedFixes
  /// The players of whom webhooks were told that they are suspect.
  let suspects: Set<PlayerID>
  /// The places whose players were connected.
  let attended: [Place]
}
