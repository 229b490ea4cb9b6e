// The thread of imports, for work that would hold up a shard. Any thread may use it.
import Dispatch
import Synchronization

/// The thread of imports, with the number of those that wait for it.
final class ImportQueue: Sendable {
  /// Each waiting import keeps one message of an operator.
  private static let waitingMax = 8

  private let queue = DispatchQueue(label: "madang.imports")
  private let waiting = Atomic<Int>(0)

  /// Runs `body` behind the imports before; false when too many wait.
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingMax else {
      waiting.subtract(1, ordering: .relaxed)
      return false
    }
    queue.async {
      body()
      self.waiting.subtract(1, ordering: .relaxed)
    }
    return true
  }

  /// Runs `body` behind the imports before, however many wait.
  func runAlways(_ body: @escaping @Sendable () -> Void) {
    queue.async(execute: body)
  }
}
