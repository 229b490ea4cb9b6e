// Many shards' pieces, one transaction: pieces that were cut off during a commit go with the next one.
//
// Any thread; guarded by a lock that is never held over a call to the store. The pieces of a failed commit wait in
// their order and are tried again. Nobody is notified of them until they are committed. Contributors add to each commit
// everything they have decided by then. So a shard's piece is not committed before the contributors' decisions that the
// shard knew when it cut the piece.
import Game
import Locks
import Net
import Store

package final class GroupCommit: Sendable {
  /// A piece that one shard has cut off.
  package struct Part: Sendable {
    package let shard: Int
    package let number: UInt64
    package let at: Instant
    package let segment: Segment
    package let changes: [Change]
    /// Called once, when the first commit with the part is made.
    package var actions: [CommitAction] = []
    /// Whether the commit marks the time, also if it has nothing to write.
    package var marksTime = false
  }

  /// Changes a contributor's state when a commit is made. That commit has both the contributor's changes for it and the
  /// row changes that the action returns. Called under the lock of the commits, with the commit's time.
  package typealias CommitAction = @Sendable (Instant) -> [Change]

  /// A notification to shards.
  package enum Notification: Sendable {
    case committed(number: UInt64, [Outcome])
    case failed(StoreFailure)
    /// The store works again.
    case recovered
  }

  fileprivate enum Phase {
    /// The next commit may be made.
    case idle
    /// The store has a commit.
    case committing
    /// A commit is over, and shards are being notified of it. No other one is made until all are.
    case notifying
  }

  fileprivate struct State {
    var phase = Phase.idle
    /// In the order of arrival.
    var waiting: [Part] = []
    var waitingBytes = 0
    var committing: [Part] = []
    /// Called when all shards have been notified.
    var notifiedActions: [@Sendable () -> Void] = []
    /// The retry of a failed commit came due before all shards had been notified of the failure.
    var wantsRetry = false
    /// The changes of actions, of this commit and of failed ones before it.
    var actionChanges: [Change] = []
    var commitBegan = Timestamp(microseconds: 0)
    var failure: StoreFailure?
    var notify: (@Sendable (Int, Notification) -> Void)?
    var shardCount = 0
    var idleActions: [@Sendable () -> Void] = []
    /// No more parts are accepted.
    var isSevered = false
    var statistics = CommitStatistics()
  }

  /// The bytes that may wait for a failing store before positions are refused.
  package static let waitingBytesMax = 64 * 1_024 * 1_024

  /// The bytes of one commit: at most this and one piece.
  package static let commitBytesMax = 4 * 1_024 * 1_024

  private let store: any Store
  private let contributors: [any CommitContributor]
  private let metrics: GatewayMetrics
  private let expiry: ExpiryClock
  private let clock: any Clock
  private let state = OrderedMutex(.commits, State())

  package init(
    _ store: any Store,
    _ contributors: [any CommitContributor],
    _ metrics: GatewayMetrics,
    _ expiry: ExpiryClock,
    clock: any Clock
  ) {
    self.store = store
    self.contributors = contributors
    self.metrics = metrics
    self.expiry = expiry
    self.clock = clock
  }

  /// Sets how shards are notified.
  package func attach(shardCount: Int, _ notify: @escaping @Sendable (Int, Notification) -> Void) {
    state.withLock {
      $0.notify = notify
      $0.shardCount = shardCount
    }
  }

  /// Takes a shard's piece; the shard is notified when it is committed.
  package func submit(_ part: Part) {
    state.withLock { state in
      guard !state.isSevered else { return }
      state.waiting.append(part)
      state.waitingBytes += part.segment.bytes.count
    }
    begin()
  }

  /// Stops all work as a crash does: accepts nothing more, forgets waiting parts and notifies of no commit that ends
  /// later.
  ///
  /// A commit that is under way may still finish. Until then it holds the shards, which hold it.
  package func sever() {
    state.withLock { state in
      state.isSevered = true
      state.waiting = []
      state.notify = nil
    }
  }

  /// Tries again after a failure.
  package func retry() {
    state.withLock { $0.wantsRetry = true }
    begin()
  }

  /// Contributors have changes that no shard's journal waits for.
  package var hasContributions: Bool { contributors.contains(where: \.hasChanges) }

  /// Makes the next commit hold everything that contributors have.
  package func writeDownContributions() {
    for contributor in contributors { contributor.writeDown() }
  }

  /// Calls `action`, on any thread, when every commit that one shard has been notified of has reached all shards.
  /// Actions are called in the order in which they came.
  package func whenAllNotified(_ action: @escaping @Sendable () -> Void) {
    let areNotified = state.withLock { state in
      guard state.phase == .notifying else { return true }
      state.notifiedActions.append(action)
      return false
    }
    if areNotified { action() }
  }

  /// The bytes that wait for a busy or failing store.
  package var waitingBytes: Int { state.withLock { $0.waitingBytes } }

  package var statistics: CommitStatistics { state.withLock { $0.statistics } }

  /// The failure of the last commit; nil when it did not fail.
  package var failure: StoreFailure? { state.withLock { $0.failure } }

  /// Calls `action` when nothing waits, or the store fails.
  package func whenIdle(_ action: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      guard state.phase != .idle || !state.waiting.isEmpty && state.failure == nil else { return true }
      state.idleActions.append(action)
      return false
    }
    if isIdle { action() }
  }

  /// Makes the next commit, unless one is under way, nothing waits, or the store fails and no retry is due.
  private func begin() {
    let batch: Batch? = state.withLock { state in
      guard state.phase == .idle, state.wantsRetry || state.failure == nil else { return nil }
      state.wantsRetry = false
      state.takeNextParts(at: clock.now())
      let parts = state.committing
      guard let at = parts.map(\.at).max() else { return nil }
      state.phase = .committing
      state.callActions(at: at)
      var batch = Batch(
        at: at,
        expiryAt: expiry.now(at),
        segments: parts.map(\.segment),
        changes: parts.flatMap(\.changes) + state.actionChanges,
        marksTime: parts.contains(where: \.marksTime)
      )
      for contributor in contributors { contributor.contribute(to: &batch) }
      return batch
    }
    if let batch { store.commit(batch) { self.finish($0) } }
  }

  private func finish(_ result: Result<[Outcome], StoreFailure>) {
    let now = clock.now()
    if case .success = result {
      for contributor in contributors { contributor.contributionsCommitted() }
    }
    let (notify, notifications) = state.withLock { state in
      let parts = state.committing
      state.committing = []
      state.phase = .notifying
      switch result {
      case .success(let outcomes):
        let bytes = parts.reduce(0) { $0 + $1.segment.bytes.count }
        let microseconds = now.microseconds(since: state.commitBegan)
        state.statistics.record(bytes, microseconds: microseconds)
        metrics.commitSize.record(bytes)
        metrics.commitDuration.record(microseconds: microseconds)
        return (state.notify, state.take(outcomes, of: parts))
      case .failure(let failure):
        return (state.notify, state.take(failure, of: parts))
      }
    }
    // No other commit is made meanwhile, so each shard is notified of its pieces in their order.
    for (shard, notification) in notifications { notify?(shard, notification) }
    while let actions = takeNotifiedActions() {
      for action in actions { action() }
    }
    for action in takeIdleActions() { action() }
    begin()
  }

  /// The actions that waited for notified shards. Nil when there are none left, and the next commit may be made.
  private func takeNotifiedActions() -> [@Sendable () -> Void]? {
    state.withLock { state in
      guard !state.notifiedActions.isEmpty else {
        state.phase = .idle
        return nil
      }
      defer { state.notifiedActions = [] }
      return state.notifiedActions
    }
  }

  /// The actions that waited for an empty queue or a failing store; none while parts wait.
  private func takeIdleActions() -> [@Sendable () -> Void] {
    state.withLock { state in
      guard state.phase == .idle, state.waiting.isEmpty || state.failure != nil else { return [] }
      defer { state.idleActions = [] }
      return state.idleActions
    }
  }
}

extension GroupCommit.State {
  /// Moves the parts of the next commit out of the waiting ones: all of them, or a few megabytes after a long failure.
  fileprivate mutating func takeNextParts(at now: Timestamp) {
    var bytes = 0
    var count = 0
    while count < waiting.count, bytes < GroupCommit.commitBytesMax {
      bytes += waiting[count].segment.bytes.count
      count += 1
    }
    committing = Array(waiting[..<count])
    waiting.removeFirst(count)
    waitingBytes -= bytes
    commitBegan = now
  }

  /// Calls the actions of the next commit's parts.
  fileprivate mutating func callActions(at now: Instant) {
    for index in committing.indices {
      for action in committing[index].actions { actionChanges += action(now) }
      committing[index].actions = []
    }
  }

  /// The notifications of a successful commit.
  fileprivate mutating func take(
    _ outcomes: [Outcome],
    of parts: [GroupCommit.Part]
  ) -> [(shard: Int, GroupCommit.Notification)] {
    let changeCount = parts.reduce(actionChanges.count) { $0 + $1.changes.count }
    precondition(outcomes.count == changeCount, "each change has an outcome")
    actionChanges = []
    var notifications: [(shard: Int, GroupCommit.Notification)] = []
    var first = 0
    for part in parts {
      let own = Array(outcomes[first..<first + part.changes.count])
      notifications.append((part.shard, .committed(number: part.number, own)))
      first += part.changes.count
    }
    if failure != nil {
      failure = nil
      for shard in 0..<shardCount { notifications.append((shard, .recovered)) }
    }
    return notifications
  }

  /// The notifications of a failed commit.
  fileprivate mutating func take(
    _ failure: StoreFailure,
    of parts: [GroupCommit.Part]
  ) -> [(shard: Int, GroupCommit.Notification)] {
    statistics.failures += 1
    waiting = parts + waiting
    waitingBytes = waiting.reduce(0) { $0 + $1.segment.bytes.count }
    self.failure = failure
    return (0..<shardCount).map { ($0, .failed(failure)) }
  }
}
