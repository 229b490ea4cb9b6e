// The effects of operators' decisions on one shard's players: removals and mutes.
//
// On the shard's queue. A connection may be on its way to another shard. So a decision about it waits in the
// directory, by its number. It is carried out where the connection is found or where it arrives, whichever comes first.
// Decisions: 074 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

/// The room that a player was removed from, if any.
struct Expelled {
  let room: RoomID?
}

extension Operations {
  /// Removes a player: out of their room for good, and off their connection. Continues on the shard of their room,
  /// where `completion` is called in that same turn; with nil for a player who is neither connected nor in a room.
  func expel(_ player: PlayerID, _ completion: @escaping @Sendable (Operations, Expelled?) -> Void) {
    // A stopped shard has no players.
    guard !gateway.core.isStopped else { return completion(self, nil) }
    switch gateway.directory.expel(player, onShard: gateway.core.index) {
    case .nowhere:
      completion(self, nil)
    case .elsewhere(let shard):
      shards[shard].post { $0.expel(player, completion) }
    case .expelled(fromGroup: let group, let connection):
      if let connection { gateway.close(connection, .removed) }
      completion(self, Expelled(room: group.flatMap { rooms.expel(player, fromGroup: $0) }))
    }
  }

  /// Applies a mute order to a connection; a connection that has moved on gets it on its arrival.
  func carryOutMuteOrder(at place: ConnectionPlace) {
    if let session = gateway.session(at: place) { carryOutMuteOrder(of: session) }
  }

  func carryOutMuteOrder(of session: Session) {
    guard let order = gateway.directory.takeMuteOrder(ofConnection: session.state.number) else { return }
    session.state.identity?.mute = order.mute
  }
}
