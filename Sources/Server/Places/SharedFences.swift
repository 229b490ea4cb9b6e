// The operators' fences, which every shard reads. A change replaces the whole catalogue.
//
// Any thread; guarded by a lock that is held to read or set a reference.
import Game
import Locks

final class SharedFences: Sendable {
  private let newest: OrderedMutex<FenceCatalogue>

  init(_ fences: [Fence]) {
    newest = OrderedMutex(.leaf, FenceCatalogue(fences, generation: 1))
  }

  var catalogue: FenceCatalogue { newest.withLock { $0 } }

  /// Adds fences, or replaces those with the same identifiers.
  func take(_ fences: [Fence]) {
    change { $0 + fences }
  }

  func remove(_ ids: Set<FenceID>) {
    change { $0.filter { !ids.contains($0.id) } }
  }

  /// Makes another catalogue; the caller makes one at a time.
  private func change(_ body: (ContiguousArray<Fence>) -> ContiguousArray<Fence>) {
    let old = catalogue
    let new = FenceCatalogue(body(old.fences), generation: old.generation + 1)
    newest.withLock { $0 = new }
  }
}
