// A store that has commits until the test ends them.
//
// Any thread; guarded by a lock.
import Store
import StoreDoubles
import Synchronization

final class HeldStore: ForwardingStore {
  private struct State {
    var held: [Completion<[Outcome]>] = []
    var batches: [Batch] = []
  }

  let inner: any Store = MemoryStore()
  private let state = Mutex(State())

  func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    state.withLock { state in
      state.held.append(completion)
      state.batches.append(batch)
    }
  }

  /// The batches that were to be committed so far.
  var batches: [Batch] { state.withLock { $0.batches } }

  /// Ends the commit that is held, whose batch has no changes, or makes it fail.
  func end(with failure: StoreFailure? = nil) {
    let completion = state.withLock { $0.held.removeFirst() }
    completion(failure.map { .failure($0) } ?? .success([]))
  }
}
