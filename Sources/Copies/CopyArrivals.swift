// The news for the copy's second queue: pictures that have come, and a generation that has become whole. Any thread.
import Locks
import Store

package final class CopyArrivals: Sendable {
  package init() {}

  private struct State {
    var names: [BlobName] = []
    var isTooMuch = false
    var hasGeneration = false
  }

  private static let namesMax = 10_000
  private let state = OrderedMutex(.leaf, State())

  package func add(_ name: BlobName) {
    state.withLock { state in
      if state.names.count < Self.namesMax { state.names.append(name) } else { state.isTooMuch = true }
    }
  }

  package func addGeneration() {
    state.withLock { $0.hasGeneration = true }
  }

  /// Takes the names out, in the order of their coming; nil when there were too many to keep.
  func take() -> [BlobName]? {
    state.withLock { state in
      defer { (state.names, state.isTooMuch) = ([], false) }
      return state.isTooMuch ? nil : state.names
    }
  }

  func takeGeneration() -> Bool {
    state.withLock { state in
      defer { state.hasGeneration = false }
      return state.hasGeneration
    }
  }
}
