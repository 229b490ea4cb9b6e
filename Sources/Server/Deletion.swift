// The end of a player: out of the rooms, out of what is stored, and nobody comes in as them meanwhile.
//
// On the shard's thread, with a walk through all shards before the store's change and one behind it. First all rooms forget
// the player, each with a snapshot behind it, then the store: nothing that is written later brings them back. The store's
// commit only marks the player; the answer waits until the store has erased the rest. Where the store can't, or takes too long,
// the answer says so, and the store's care goes on with it, over a restart too.
import Game
import MadangProtocol
import Net
import Store

extension PlayService {
  func deletePlayer(_ player: PlayerID, _ id: UInt32?, _ session: PlaySession) {
    guard directory.beginDeparture(player, number: session.state.number) else { return session.close(.replaced) }
    session.room?.leave(session)
    session.connection.suspend()
    let token = session.connection.token
    let own = core.siblings[core.index]
    depart(player) {
      own.post { ($0.core.service as? PlayService)?.forget(player, id, token) }
    }
  }

  /// Has the store forget the player; the account goes also when its connection has gone meanwhile.
  private func forget(_ player: PlayerID, _ id: UInt32?, _ token: UInt64) {
    journal.add(.deletePlayer(player, at: now)) { [self] outcome in
      // Whom the same commit has let in as the player, all shards have been told of before the walk.
      commons.commits.awaitTelling()
      Self.walk(through: core.siblings[...]) { [directory] in directory.endDeparture(player) }
      guard outcome == .ok else {
        guard let session = session(token) else { return }
        session.connection.goOn()
        return session.refuseForStore(id)
      }
      commons.tell(.playerDeleted)
      if let session = session(token) {
        session.erasure = AwaitedErasure(requestID: id)
        session.connection.serviceDeadline = core.now.advanced(seconds: Self.erasureSecondsMax)
      }
      let own = core.siblings[core.index]
      commons.store.erase(player) { result in
        let isErased = if case .success = result { true } else { false }
        own.post { shard in
          guard let service = shard.core.service as? PlayService, let session = service.session(token) else { return }
          service.answerDeletion(session, isErased: isErased)
        }
      }
    }
  }

  /// Answers who has been deleted; nobody gets in as them any more, whether all is erased or not.
  func answerDeletion(_ session: PlaySession, isErased: Bool) {
    guard let erasure = session.erasure, session.connection.isOpen else { return }
    if isErased {
      session.reply(to: erasure.requestID, .ok(WireOk()))
    } else {
      // There is nobody to ask again.
      let text = "the account is gone; the rest is erased as soon as the store can"
      session.refuse(erasure.requestID, .storeUnavailable, text)
    }
    session.closeForGood("the account is deleted")
  }

  /// So long a player waits for the store to erase what is left.
  private static let erasureSecondsMax: Int64 = 60

  /// Calls `completion` when all shards have done what was posted to them before, and what follows commits: of whomever the
  /// store let in as the player before it forgot them, they have all heard by then.
  private static func walk(through shards: ArraySlice<Shard>, _ completion: @escaping @Sendable () -> Void) {
    guard let first = shards.first else { return completion() }
    first.post { shard in
      let next = { walk(through: shards.dropFirst(), completion) }
      guard let service = shard.core.service as? PlayService else { return next() }
      service.journal.whenReleased(next)
    }
  }
}
