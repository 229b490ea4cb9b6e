// The removal of a player by an operator, on one shard.
//
// On the shard's queue. A connection may be on its way to another shard. So the removal waits in the directory, by the
// connection's number. It is carried out where the connection is found or where it arrives, whichever comes first.
import Game
import Gateway
import MadangProtocol
import Net
import Store

/// The room that a player was removed from, if any.
struct RemovedPlayer {
  let room: RoomID?
  let code: RoomCode?
}

extension Operations {
  /// Removes a player: out of their room for good, and off their connection; with `bars` they can't come back into that
  /// room. Continues on the shard of their room, where `completion` is called in that same turn; with nil for a player
  /// who is neither connected nor in a room.
  func remove(
    _ player: PlayerID,
    bars: Bool,
    _ completion: @escaping @Sendable (Operations, RemovedPlayer?) -> Void
  ) {
    // A stopped shard has no players.
    guard !gateway.core.isStopped else { return completion(self, nil) }
    // A room that comes from another shard waits in this one's mailbox.
    if let group = gateway.directory.group(of: player), rooms.isArriving(RoomCode(drawing: group)) {
      return ownShard.post { $0.remove(player, bars: bars, completion) }
    }
    switch gateway.directory.remove(player, onShard: gateway.core.index) {
    case .nowhere:
      completion(self, nil)
    case .elsewhere(let shard):
      shards[shard].post { $0.remove(player, bars: bars, completion) }
    case .removed(fromGroup: let group, let connection):
      if let connection { gateway.close(connection, .removed) }
      let room = group.flatMap { rooms.remove(player, fromGroup: $0, bars: bars) }
      completion(self, RemovedPlayer(room: room, code: room == nil ? nil : group.map { RoomCode(drawing: $0) }))
    }
  }
}
