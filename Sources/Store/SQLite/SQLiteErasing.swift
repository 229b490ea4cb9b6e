// Erasures with a waiting caller, one piece after the other on the writer's queue.
import Game
import Locks

/// Several erasures that maintenance waits for.
private final class ErasureRound: Sendable {
  private struct State {
    var left: Int
    var failure: StoreFailure?
  }

  private let state: OrderedMutex<State>
  private let completion: @Sendable (StoreFailure?) -> Void

  init(of count: Int, _ completion: @escaping @Sendable (StoreFailure?) -> Void) {
    state = OrderedMutex(.leaf, State(left: count))
    self.completion = completion
  }

  func end(_ result: Result<Void, StoreFailure>) {
    let ended = state.withLock { state in
      state.left -= 1
      if case .failure(let failure) = result { state.failure = state.failure ?? failure }
      return state
    }
    if ended.left == 0 { completion(ended.failure) }
  }
}

extension SQLiteStore {
  package var unfinishedDeletions: [PlayerID] {
    get throws(StoreFailure) { try read { try Erasure.unfinished(on: $0) } }
  }

  package func erase(_ player: PlayerID, _ done: @escaping Completion<Void>) { erase(player, isPatient: true, done) }

  /// Tries to erase each player; then hands over the first failure.
  func erase(_ players: [PlayerID], _ completion: @escaping @Sendable (StoreFailure?) -> Void) {
    guard !players.isEmpty else { return completion(nil) }
    let round = ErasureRound(of: players.count, completion)
    for player in players { erase(player, isPatient: false) { round.end($0) } }
  }

  private func erase(_ player: PlayerID, isPatient: Bool, _ completion: @escaping Completion<Void>) {
    switch erasures.add(player, isPatient: isPatient, completion) {
    case nil: answerAsClosed([completion])
    case true?: eraseNext()
    case false?: break
    }
  }

  private func eraseNext() {
    guard let player = erasures.next() else { return }
    let done: Completion<(bytes: Int, rows: Int)?> = { [self] result in
      switch result {
      case .success(let written?):
        noteWrites(bytes: written.bytes, rows: written.rows)
        erasures.requeue(player)
      case .success(nil):
        return BlobSweep(store: self).run { [self] failure in
          for completion in erasures.end(player, failure) { completion(failure.map { .failure($0) } ?? .success(())) }
          eraseNext()
        }
      case .failure(let failure):
        for completion in erasures.end(player, failure) { completion(.failure(failure)) }
      }
      eraseNext()
    }
    write(done) { [unreportedDamage] db in
      try db.transaction {
        try Erasure(of: player, on: db).piece { try unreportedDamage.fold(through: $0, at: $1, on: db) }
      }
    }
  }
}
