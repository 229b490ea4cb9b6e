// The end of a player: no client gets in as them, then rooms forget them, then the store erases them.
//
// On the shard's queue. First the store records that the deletion has begun, which survives a crash. Then all rooms
// forget the player, each followed by a snapshot. Then the store records that they have, so nothing written later
// brings the player back. That commit only marks the player; the answer waits until the store has erased the rest. If
// the store fails or takes too long, the answer says so. The erasure then continues without a waiting client, over a
// restart too.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Accounts {
  func deletePlayer(_ request: PlayerRequest) {
    let (player, session) = (request.player, request.session)
    guard gateway.directory.lockOut(player, except: session.state.number) else {
      return session.close(.replaced)
    }
    rooms.leave(session)
    awaitOutcome(of: DeletionChange.begin(player, at: gateway.now), for: session) { [self] outcome, session in
      guard outcome == .ok else {
        gateway.directory.endLockout(of: player)
        session?.refuseForStore(request.id)
        return
      }
      notify(.playerDeleted)
      guard let session else { return finishDeletion(of: player) }
      session.part(orAdd: AccountSession()).erasure = AwaitedErasure(requestID: request.id)
      session.connection.serviceDeadline = gateway.core.now.advanced(seconds: Self.erasureSecondsMax)
      awaitAnswer(for: request) {
        finishDeletion(of: player, $0)
      } then: { accounts, request, isErased in
        accounts.answerDeletion(request.session, isErased: isErased)
      }
    }
  }

  /// Makes rooms and store forget a player whose deletion has begun. `completion` is called on any thread, with whether
  /// the store has erased everything; never if it could not record that the rooms have forgotten.
  func finishDeletion(of player: PlayerID, _ completion: @escaping @Sendable (_ isErased: Bool) -> Void = { _ in }) {
    rooms.forgetting.forget(player) { [ownShard] in
      ownShard.post { $0.forget(player, completion) }
    }
  }

  private func forget(_ player: PlayerID, _ completion: @escaping @Sendable (_ isErased: Bool) -> Void) {
    for feature in gateway.features { feature.erased(player) }
    // The last event of the player: no room names them from this commit on.
    if webhooks.wants(.playerDeleted) {
      webhooks.add(.playerDeleted(webhooks.eventNumber, player, at: gateway.now), of: [player])
    }
    gateway.journal.add(DeletionChange.finish(player, at: gateway.now)) { [self] outcome in
      // An earlier commit may have let a client in as the player. All shards are notified of that before the walk. The
      // walk waits on each shard until it has run the actions after its commits.
      gateway.context.commits.whenAllNotified { [shards, ownShard, context = gateway.context] in
        shards.walk { accounts, next in
          accounts.gateway.journal.whenReleased(next)
        } completion: {
          context.directory.endLockout(of: player)
          // A connection that was replaced may have used a feature until now.
          ownShard.post { accounts in for feature in accounts.gateway.features { feature.erased(player) } }
        }
      }
      // The next start continues a deletion that is not committed.
      guard outcome == .ok else { return }
      gateway.context.store.erase(player) { [ownShard] result in
        // Players may watch what the store has erased by now.
        ownShard.post { accounts in for feature in accounts.gateway.features { feature.erased(player) } }
        let isErased = if case .success = result { true } else { false }
        completion(isErased)
      }
    }
  }

  /// Answers a deleted player; no client gets in as them any more, even if the erasure failed.
  func answerDeletion(_ session: Session, isErased: Bool) {
    guard let erasure = session.part(AccountSession.self)?.erasure, session.connection.isOpen else { return }
    if isErased {
      session.reply(to: erasure.requestID, .ok(WireOk()))
    } else {
      // No player remains who could ask again.
      let text = "the account is gone; the rest is erased as soon as that can be"
      session.refuse(erasure.requestID, .storeUnavailable, text)
    }
    session.closeForGood("the account is deleted")
  }

  /// A player's longest wait for rooms and store to erase the rest.
  private static let erasureSecondsMax: Int64 = 60
}
