// What operators' decisions do to the players on one shard: who is taken out, who may not chat.
//
// On the shard's thread. A connection may be on its way to another shard: what is decided about it waits in the directory, by
// its number, and is carried out where it is found or where it arrives, whichever comes first.
// Decisions: 074 (docs/decisions).
import Game
import MadangProtocol
import Net
import Store

/// What somebody was taken out of.
struct Expelled {
  let room: RoomID?
}

extension PlayService {
  /// Takes a player out: out of their room for good, and off their connection. Goes on on the shard of their room, where
  /// `completion` is called in that same turn; with nil for who is neither connected nor in a room.
  func expel(_ player: PlayerID, _ completion: @escaping @Sendable (PlayService, Expelled?) -> Void) {
    // A shard that has stopped has nobody.
    guard !core.isStopped else { return completion(self, nil) }
    switch directory.expel(player, onShard: core.index) {
    case .nowhere:
      completion(self, nil)
    case .elsewhere(let shard):
      shards[shard].post { $0.expel(player, completion) }
    case .expelled(let code, let connection):
      if let connection { close(connection, .removed) }
      let live = code.flatMap { rooms[$0] }
      live?.expel(player)
      completion(self, Expelled(room: live?.id))
    }
  }

  /// Closes a connection where it is. One that has moved on meanwhile is found out on its arrival.
  func close(_ place: ConnectionPlace, _ code: CloseCode) {
    guard place.shard == core.index else {
      return shards[place.shard].post { $0.close(place, code) }
    }
    session(at: place)?.close(code)
  }

  private func session(at place: ConnectionPlace) -> PlaySession? {
    guard let session = core.connection(for: place.token)?.context as? PlaySession,
      session.state.number == place.number
    else { return nil }
    return session
  }

  /// Tells a connection whether its player may chat; one that has moved on is told on its arrival.
  func carryOutMuteOrder(at place: ConnectionPlace) {
    if let session = session(at: place) { carryOutMuteOrder(of: session) }
  }

  func carryOutMuteOrder(of session: PlaySession) {
    guard let order = directory.takeMuteOrder(ofConnection: session.state.number) else { return }
    session.state.identity?.mute = order.mute
  }

  func chat(_ wire: WireChatRequest, _ request: PlayerRequest) {
    if let mute = request.asker.mute, mute.isInForce(at: commons.expiry.now(now)) {
      return request.refuse(.muted, retryAfterMs: mute.until.map(wait(until:)))
    }
    // A room judges all texts by the rule that its journal began with; what is typed today is judged by today's.
    if request.session.room != nil {
      do throws(TextFault) {
        _ = try ChatText(wire.text)
      } catch {
        return request.refuse(.badText(error.description))
      }
    }
    ask(request) { .chat($0, text: wire.text) }
  }

  /// How long to wait for the moment to come at which a sanction ends, at least a millisecond.
  func wait(until moment: Instant) -> UInt32 {
    max(1, (moment - commons.expiry.now(now)).wireMilliseconds)
  }
}

extension CloseCode {
  /// What a connection is closed with that is its player's no longer; nil for one that is.
  init?(_ standing: Standing) {
    switch standing {
    case .current: return nil
    case .replaced: self = .replaced
    case .removed: self = .removed
    }
  }
}
