// A thread for work that would hold up a shard, with a bound on what waits for it. Any thread may use it.
import Dispatch
import Synchronization

/// A thread, and the number of works that wait for it.
final class BoundedQueue: Sendable {
  let waitingMax: Int
  private let queue: DispatchQueue
  private let count = Atomic<Int>(0)

  /// A queue whose thread has this label.
  init(_ label: String, waitingMax: Int) {
    queue = DispatchQueue(label: label, qos: .utility)
    self.waitingMax = waitingMax
  }

  /// The works that wait, the one under way included.
  var waiting: Int { count.load(ordering: .relaxed) }

  /// Runs `body` behind the works before; false when too many wait.
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard count.add(1, ordering: .relaxed).newValue <= waitingMax else {
      count.subtract(1, ordering: .relaxed)
      return false
    }
    queue.async {
      body()
      self.count.subtract(1, ordering: .relaxed)
    }
    return true
  }

  /// Runs `body` behind the works before, however many wait.
  func runAlways(_ body: @escaping @Sendable () -> Void) {
    queue.async(execute: body)
  }
}
