// The erasures of one store that are under way: a piece of each in turn, so that a large one keeps no other waiting,
// and a commit waits for one piece at most. Any thread; guarded by a lock that is never held over a call. What is here
// is lost with the process; the marks in the database are not.
import Game
import Synchronization

/// Who is being erased, and who waits for it.
final class Erasures: Sendable {
  private struct Waiter {
    /// Waits until a full disk has room; others hear of that too.
    let isPatient: Bool
    let completion: Completion<Void>
  }

  private struct State {
    var queue: [PlayerID] = []
    /// In the queue, or a piece of theirs is being done.
    var running: Set<PlayerID> = []
    var isBusy = false
    var isClosed = false
    var waiting: [PlayerID: [Waiter]] = [:]
  }

  private let state = Mutex(State())

  /// Adds an erasure, or who waits for one that is under way. Whether the caller has to begin with `next`; nil when the
  /// store is closed, and nobody will be called.
  func add(_ player: PlayerID, isPatient: Bool, _ completion: @escaping Completion<Void>) -> Bool? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.waiting[player, default: []].append(Waiter(isPatient: isPatient, completion: completion))
      if state.running.insert(player).inserted { state.queue.append(player) }
      defer { state.isBusy = true }
      return !state.isBusy
    }
  }

  /// Whose turn it is; nil ends the work until somebody is told to begin again.
  func next() -> PlayerID? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.queue.removeFirst()
    }
  }

  /// A piece is done, and there is more.
  func goOn(with player: PlayerID) {
    state.withLock { $0.queue.append(player) }
  }

  /// Nothing is left of the player, or a piece has failed; who is to be told of that.
  func end(_ player: PlayerID, _ failure: StoreFailure?) -> [Completion<Void>] {
    state.withLock { state in
      state.running.remove(player)
      let waiters = state.waiting.removeValue(forKey: player) ?? []
      // Maintenance makes room on a full disk, and damage stays.
      let isFull = failure == .full
      let patient = isFull ? waiters.filter(\.isPatient) : []
      if !patient.isEmpty { state.waiting[player] = patient }
      return waiters.filter { !(isFull && $0.isPatient) }.map(\.completion)
    }
  }

  /// Whoever still waits.
  func close() -> [Completion<Void>] {
    state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [:] }
      return state.waiting.values.flatMap { $0.map(\.completion) }
    }
  }
}
