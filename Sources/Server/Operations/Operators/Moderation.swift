// What operators' decisions do to the players on one shard: who is taken out, who may not chat.
//
// On the shard's thread. A connection may be on its way to another shard: what is decided about it waits in the directory, by
// its number, and is carried out where it is found or where it arrives, whichever comes first.
// Decisions: 074 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

/// What somebody was taken out of.
struct Expelled {
  let room: RoomID?
}

extension Operations {
  /// Takes a player out: out of their room for good, and off their connection. Goes on on the shard of their room, where
  /// `completion` is called in that same turn; with nil for who is neither connected nor in a room.
  func expel(_ player: PlayerID, _ completion: @escaping @Sendable (Operations, Expelled?) -> Void) {
    // A shard that has stopped has nobody.
    guard !gateway.core.isStopped else { return completion(self, nil) }
    switch gateway.directory.expel(player, onShard: gateway.core.index) {
    case .nowhere:
      completion(self, nil)
    case .elsewhere(let shard):
      shards[shard].post { $0.expel(player, completion) }
    case .expelled(let code, let connection):
      if let connection { gateway.close(connection, .removed) }
      completion(self, Expelled(room: code.flatMap { rooms.expel(player, from: $0) }))
    }
  }

  /// Tells a connection whether its player may chat; one that has moved on is told on its arrival.
  func carryOutMuteOrder(at place: ConnectionPlace) {
    if let session = gateway.session(at: place) { carryOutMuteOrder(of: session) }
  }

  func carryOutMuteOrder(of session: Session) {
    guard let order = gateway.directory.takeMuteOrder(ofConnection: session.state.number) else { return }
    session.state.identity?.mute = order.mute
  }
}
