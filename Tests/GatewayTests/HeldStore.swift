// A store that has commits until the test ends them.
//
// Any thread; guarded by a lock.
import Store
import StoreDoubles
import Synchronization

final class HeldStore: ForwardingStore {
  private struct State {
    var held: [(batch: Batch, completion: @Sendable (Result<[Outcome], StoreFailure>) -> Void)] = []
    var batches: [Batch] = []
  }

  let inner: any Store = MemoryStore()
  private let state = Mutex(State())

  func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    state.withLock { state in
      state.held.append((batch, completion))
      state.batches.append(batch)
    }
  }

  /// The batches that were to be committed so far.
  var batches: [Batch] { state.withLock { $0.batches } }

  /// Ends the commit that is held: its changes are done, or it fails.
  func end(with failure: StoreFailure? = nil) {
    let held = state.withLock { $0.held.removeFirst() }
    if let failure { return held.completion(.failure(failure)) }
    held.completion(.success(held.batch.changes.map { _ in .write(.ok) }))
  }
}
