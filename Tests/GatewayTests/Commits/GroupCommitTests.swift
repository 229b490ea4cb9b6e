// The group commit with a store that ends commits when the test says so: notifications, retries, and the actions that
// wait.
import CoreMetrics
import Game
import Gateway
import Net
import Store
import Synchronization
import TestSupport
import Testing

@Suite("Many shards, one commit at a time")
struct GroupCommitTests {
  private let store = HeldStore()
  private let clock = ManualClock()
  private let contributor = CountingContributor()
  private let commits: GroupCommit
  private let journals: [ShardJournal]
  /// Notifications and actions, in order.
  private let events = EventList()

  init() {
    let commits = GroupCommit(
      store,
      [contributor],
      GatewayMetrics(factory: NOOPMetricsHandler.instance),
      ExpiryClock(MemoryClockRecord(), lastAliveAt: nil, acceptsClock: false, clock: clock),
      clock: clock
    )
    self.commits = commits
    journals = (0..<2).map { ShardJournal(shard: $0, commits: commits, intervalMilliseconds: 0) }
  }

  private func attach(_ notified: @escaping @Sendable (Int, GroupCommit.Notification) -> Void = { _, _ in }) {
    commits.attach(shardCount: journals.count) { [events] shard, notification in
      events.add("\(shard) \(notification.name)")
      notified(shard, notification)
    }
  }

  private func cut(_ shard: Int) {
    journals[shard].touch()
    journals[shard].cut(at: clock.now())
  }

  @Test("A retry that becomes due during the failure's notifications is made after all of them")
  func retryDuringNotification() {
    attach { [commits] shard, notification in
      if shard == 0, case .failed = notification { commits.retry() }
    }
    cut(0)
    store.end(with: .full)
    #expect(events.all == ["0 failed", "1 failed"])
    #expect(store.batches.count == 2)
    store.end()
    #expect(events.all == ["0 failed", "1 failed", "0 committed 1", "0 recovered", "1 recovered"])
  }

  @Test("A failed commit is not retried before its time, whatever else is cut off")
  func noRetryByItself() {
    attach()
    cut(0)
    store.end(with: .full)
    cut(1)
    #expect(store.batches.count == 1)
    commits.retry()
    #expect(store.batches.count == 2)
    store.end()
    #expect(events.all.suffix(4) == ["0 committed 1", "1 committed 1", "0 recovered", "1 recovered"])
  }

  @Test("An action for the end of all notifications waits for the other shards of the commit, and keeps its order")
  func actionsWaitForShards() {
    attach { [commits, events] shard, _ in
      commits.whenAllNotified { events.add("action \(shard)") }
    }
    cut(0)
    cut(0)
    cut(1)
    store.end()
    #expect(events.all == ["0 committed 1", "action 0"])
    store.end()
    #expect(events.all.suffix(4) == ["0 committed 2", "1 committed 1", "action 0", "action 1"])
  }

  @Test("An action for the end of all notifications does not wait for a commit that is still in the store")
  func actionsDoNotWaitForStore() {
    attach()
    cut(0)
    commits.whenAllNotified { [events] in events.add("action") }
    #expect(events.all == ["action"])
  }

  @Test("Contributions to a failed commit are in the next one too, and are confirmed before any shard is notified")
  func contributionsAreKept() {
    attach { [contributor, events] _, _ in events.add("confirmed \(contributor.confirmations)") }
    cut(0)
    store.end(with: .full)
    commits.retry()
    store.end()
    #expect(contributor.contributions == 2)
    #expect(events.all.suffix(6).first == "0 committed 1")
    #expect(events.all.filter { $0.hasPrefix("confirmed") } == ["0", "0", "1", "1", "1"].map { "confirmed \($0)" })
  }

  @Test("A wait for an empty queue ends after the last commit, or when the store fails")
  func idleActions() {
    attach()
    cut(0)
    cut(0)
    commits.whenIdle { [events] in events.add("idle") }
    store.end()
    #expect(!events.all.contains("idle"))
    store.end(with: .full)
    #expect(events.all.last == "idle")
    commits.whenIdle { [events] in events.add("idle again") }
    #expect(events.all.last == "idle again")
  }
}

extension GroupCommit.Notification {
  fileprivate var name: String {
    switch self {
    case .committed(let number, _): "committed \(number)"
    case .failed: "failed"
    case .recovered: "recovered"
    }
  }
}

private final class EventList: Sendable {
  private let events = Mutex<[String]>([])

  var all: [String] { events.withLock { $0 } }

  func add(_ event: String) { events.withLock { $0.append(event) } }
}

/// Counts what it is asked for, and adds nothing.
private final class CountingContributor: CommitContributor {
  private let counts = Mutex((contributions: 0, confirmations: 0))

  var contributions: Int { counts.withLock { $0.contributions } }
  var confirmations: Int { counts.withLock { $0.confirmations } }

  func contribute(to batch: inout Batch) { counts.withLock { $0.contributions += 1 } }
  func contributionsCommitted() { counts.withLock { $0.confirmations += 1 } }
  var hasChanges: Bool { false }
  func writeDown() {}
}
