// Operators' fences of the double. A value, part of the tables.
import Game
import Store

struct MemoryFences: Sendable {
  private(set) var fences: [FenceID: StoredFence] = [:]

  mutating func add(_ new: [StoredFence]) -> ImportOutcome {
    var counts = FenceCounts()
    var imported = fences
    for fence in new {
      switch fences[fence.id] {
      case nil: counts.added += 1
      case let known? where known.bytes == fence.bytes:
        counts.unchanged += 1
        continue
      default: counts.replaced += 1
      }
      imported[fence.id] = fence
    }
    guard imported.count <= StoredFence.countMax else { return .tooManyFences }
    fences = imported
    return .fences(counts)
  }

  mutating func remove(_ ids: [FenceID]) -> ImportOutcome {
    let count = fences.count
    for id in ids { fences[id] = nil }
    return .removedFences(count - fences.count)
  }
}
