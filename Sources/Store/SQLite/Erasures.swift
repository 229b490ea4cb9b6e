// The running erasures of one store. They take turns piece by piece, so that a large one delays no other, and a commit
// waits for one piece at most. Any thread; guarded by a lock that is never held over a call. This state is lost with
// the process; the marks in the database are not.
import Game
import Locks

/// The players who are being erased, and the callers that wait.
final class Erasures: Sendable {
  private struct Waiter {
    /// Whether the caller waits until a full disk has space again; others get `.full`.
    let isPatient: Bool
    let completion: Completion<Void>
  }

  private struct State {
    var queue: [PlayerID] = []
    /// The players in the queue or with a piece in progress.
    var running: Set<PlayerID> = []
    var isBusy = false
    var isClosed = false
    var waiting: [PlayerID: [Waiter]] = [:]
  }

  private let state = OrderedMutex(.leaf, State())

  /// Adds an erasure, or a caller that waits for a running one. Returns whether the caller has to begin with `next`;
  /// nil when the store is closed and `completion` will not be called.
  func add(_ player: PlayerID, isPatient: Bool, _ completion: @escaping Completion<Void>) -> Bool? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.waiting[player, default: []].append(Waiter(isPatient: isPatient, completion: completion))
      if state.running.insert(player).inserted { state.queue.append(player) }
      defer { state.isBusy = true }
      return !state.isBusy
    }
  }

  /// The player whose turn it is; nil ends the work until `add` starts it again.
  func next() -> PlayerID? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.isBusy = false
        return nil
      }
      return state.queue.removeFirst()
    }
  }

  /// Queues the player again after a piece when there is more.
  func requeue(_ player: PlayerID) {
    state.withLock { $0.queue.append(player) }
  }

  /// Ends an erasure after its last piece or a failure; returns the callers to notify.
  func end(_ player: PlayerID, _ failure: StoreFailure?) -> [Completion<Void>] {
    state.withLock { state in
      state.running.remove(player)
      let waiters = state.waiting.removeValue(forKey: player) ?? []
      // Maintenance makes space on a full disk, but does not repair damage.
      let isFull = failure == .full
      let patient = isFull ? waiters.filter(\.isPatient) : []
      if !patient.isEmpty { state.waiting[player] = patient }
      return waiters.filter { !(isFull && $0.isPatient) }.map(\.completion)
    }
  }

  /// Returns all callers that still wait.
  func close() -> [Completion<Void>] {
    state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [:] }
      return state.waiting.values.flatMap { $0.map(\.completion) }
    }
  }
}
