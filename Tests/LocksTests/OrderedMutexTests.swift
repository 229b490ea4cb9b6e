// Locks are taken in their order, or the thread traps, where the order is checked.
import Locks
import Testing

@Suite("Locks have an order")
struct OrderedMutexTests {
  @Test("A thread may take later locks while it holds earlier ones, and earlier ones after it has released those")
  func orderHolds() {
    let commits = OrderedMutex(.commits, 1)
    let tally = OrderedMutex(.tally, 2)
    let leaf = OrderedMutex(.leaf, 3)
    let sum = commits.withLock { first in
      tally.withLock { second in leaf.withLock { first + second + $0 } } + leaf.withLock { $0 }
    }
    #expect(sum == 9)
    #expect(tally.withLock { $0 } + commits.withLock { $0 } == 3)
  }

  @Test("A thrown error releases the lock")
  func errorReleases() {
    struct Fault: Error {}
    let lock = OrderedMutex(.directory, 0)
    #expect(throws: Fault.self) { try lock.withLock { _ throws(Fault) in throw Fault() } }
    #expect(lock.withLock { $0 } == 0)
  }

  @Test(
    "An earlier lock, or one of the same rank, traps",
    .enabled(if: HeldLock.isChecked, "scripts/swift-test turns the check on")
  )
  func disorderTraps() async {
    await #expect(processExitsWith: .failure) {
      let tally = OrderedMutex(.tally, 0)
      let commits = OrderedMutex(.commits, 0)
      tally.withLock { _ in commits.withLock { _ in } }
    }
    await #expect(processExitsWith: .failure) {
      let one = OrderedMutex(.leaf, 0)
      let other = OrderedMutex(.leaf, 0)
      one.withLock { _ in other.withLock { _ in } }
    }
  }
}
