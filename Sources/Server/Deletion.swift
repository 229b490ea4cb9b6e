// The end of a player: nobody comes in as them any more, then they are out of the rooms, then out of what is stored.
//
// On the shard's thread. First the store is told that the deletion has begun, which outlasts a crash. Then all rooms forget the
// player, each with a snapshot behind it, and the store is told that they have: nothing that is written later brings them back.
// That commit only marks the player; the answer waits until the store has erased the rest. Where the store can't, or where it
// takes too long, the answer says so, and it goes on without anybody who waits, over a restart too.
import Game
import MadangProtocol
import Net
import Store

extension PlayService {
  func deletePlayer(_ request: PlayerRequest) {
    let (player, session) = (request.player, request.session)
    guard directory.beginDeparture(player, number: session.state.number) else { return session.close(.replaced) }
    session.room?.leave(session)
    session.connection.suspend()
    let token = session.connection.token
    journal.add(.beginDeletion(player, at: now)) { [self] outcome in
      let session = self.session(token)
      guard outcome == .ok else {
        directory.endDeparture(player)
        session?.connection.goOn()
        session?.refuseForStore(request.id)
        return
      }
      commons.tell(.playerDeleted)
      session?.erasure = AwaitedErasure(requestID: request.id)
      session?.connection.serviceDeadline = core.now.advanced(seconds: Self.erasureSecondsMax)
      finishDeletion(of: player, for: token)
    }
  }

  /// Has rooms and store forget a player whose deletion has begun; the connection with this token waits for it.
  func finishDeletion(of player: PlayerID, for token: UInt64? = nil) {
    depart(player) { [ownShard] in
      ownShard.post { $0.forget(player, token) }
    }
  }

  private func forget(_ player: PlayerID, _ token: UInt64?) {
    journal.add(.deletePlayer(player, at: now)) { [self] outcome in
      // An earlier commit may have let somebody in as the player. All shards hear of that before the walk, which waits on each
      // until it has done what follows its commits.
      commons.commits.awaitTelling()
      shards.walk { service, next in
        service.journal.whenReleased(next)
      } completion: { [directory] in
        directory.endDeparture(player)
      }
      // The next start goes on with a deletion that is not committed.
      guard outcome == .ok else { return }
      commons.store.erase(player) { [ownShard] result in
        let isErased = if case .success = result { true } else { false }
        ownShard.post { service in
          guard let token, let session = service.session(token) else { return }
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
      let text = "the account is gone; the rest is erased as soon as that can be"
      session.refuse(erasure.requestID, .storeUnavailable, text)
    }
    session.closeForGood("the account is deleted")
  }

  /// A player waits so long for rooms and store to erase the rest.
  private static let erasureSecondsMax: Int64 = 60
}
