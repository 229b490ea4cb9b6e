// The end of a player: no client gets in as them, then rooms forget them, then the store erases them.
//
// On the shard's thread. First the store records that the deletion has begun, which survives a crash. Then all rooms
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
    guard gateway.directory.beginDeparture(player, number: session.state.number) else {
      return session.close(.replaced)
    }
    rooms.leave(session)
    session.connection.suspend()
    let token = session.connection.token
    gateway.journal.add(DeletionChange.begin(player, at: gateway.now)) { [self] outcome in
      let session = gateway.session(token)
      guard outcome == .ok else {
        gateway.directory.endDeparture(player)
        session?.connection.goOn()
        session?.refuseForStore(request.id)
        return
      }
      notify(.playerDeleted)
      session?.part(orAdd: AccountSession()).erasure = AwaitedErasure(requestID: request.id)
      session?.connection.serviceDeadline = gateway.core.now.advanced(seconds: Self.erasureSecondsMax)
      finishDeletion(of: player, for: token)
    }
  }

  /// Makes rooms and store forget a player whose deletion has begun; the connection with this token waits for it.
  func finishDeletion(of player: PlayerID, for token: UInt64? = nil) {
    rooms.depart(player) { [ownShard] in
      ownShard.post { $0.forget(player, token) }
    }
  }

  private func forget(_ player: PlayerID, _ token: UInt64?) {
    gateway.journal.add(DeletionChange.finish(player, at: gateway.now)) { [self] outcome in
      // An earlier commit may have let a client in as the player. All shards are notified of that before the walk. The
      // walk waits on each shard until it has run the actions after its commits.
      gateway.context.commits.whenAllNotified { [shards, context = gateway.context] in
        shards.walk { accounts, next in
          accounts.gateway.journal.whenReleased(next)
        } completion: {
          context.directory.endDeparture(player)
        }
      }
      // The next start continues a deletion that is not committed.
      guard outcome == .ok else { return }
      gateway.context.store.erase(player) { [ownShard] result in
        let isErased = if case .success = result { true } else { false }
        ownShard.post { accounts in
          guard let token, let session = accounts.gateway.session(token) else { return }
          accounts.answerDeletion(session, isErased: isErased)
        }
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
