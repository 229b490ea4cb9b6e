// Many shards' pieces, one transaction: whatever has been cut off while the last commit was under way goes with the next.
//
// Any thread; guarded by a lock that is never held over a call to the store. When a commit fails, its pieces wait in their
// order and are tried again; nobody who waits for them hears anything until they are committed. What the tally has decided
// by then goes with each, so a piece is not committed before what its shard had heard from the tally when it was cut off.
import Game
import Net
import Store
import Synchronization

final class GroupCommit: Sendable {
  /// What one shard has cut off.
  struct Part: Sendable {
    let shard: Int
    let number: UInt64
    let at: Instant
    let segment: Segment
    let changes: [Change]
    /// Done once, when the first commit with the part is made.
    var deeds: [TallyDeed] = []
  }

  /// Something that is done to the tally when a commit is made: that commit has both what comes of it and the changes that
  /// tell of it, which are handed back. Called under the lock of the commits, with the commit's time.
  typealias TallyDeed = @Sendable (SharedTally, Instant) -> [Change]

  /// What shards are told.
  enum News: Sendable {
    case committed(number: UInt64, [Outcome])
    case failed(StoreFailure)
    /// The store works again.
    case recovered
  }

  fileprivate struct State {
    /// In the order in which they came.
    var waiting: [Part] = []
    var waitingBytes = 0
    var committing: [Part] = []
    /// What the commit brings of the tally, and what those before it brought that failed.
    var tallyPieces: [SharedTally.Piece] = []
    /// What tells of deeds in them.
    var deedChanges: [Change] = []
    var commitBegan = Timestamp(microseconds: 0)
    var failure: StoreFailure?
    var tell: (@Sendable (Int, News) -> Void)?
    var shardCount = 0
    var idleActions: [@Sendable () -> Void] = []
    /// Nothing is taken any more.
    var isSevered = false
    var statistics = CommitStatistics()
  }

  /// So much may wait for a store that fails before positions are no longer taken; bytes.
  static let waitingBytesMax = 64 * 1_024 * 1_024

  /// No more than this and one piece are committed at once.
  static let commitBytesMax = 4 * 1_024 * 1_024

  private let store: any Store
  private let tally: SharedTally
  private let metrics: ServerMetrics
  private let expiry: ExpiryClock
  private let clock: any Clock
  private let state = Mutex(State())

  init(_ store: any Store, _ tally: SharedTally, _ metrics: ServerMetrics, _ expiry: ExpiryClock, clock: any Clock) {
    self.store = store
    self.tally = tally
    self.metrics = metrics
    self.expiry = expiry
    self.clock = clock
  }

  /// Learns how shards are told.
  func attach(shardCount: Int, _ tell: @escaping @Sendable (Int, News) -> Void) {
    state.withLock {
      $0.tell = tell
      $0.shardCount = shardCount
    }
  }

  /// Takes what a shard has cut off; it is told when that is committed.
  func submit(_ part: Part) {
    state.withLock { state in
      guard !state.isSevered else { return }
      state.waiting.append(part)
      state.waitingBytes += part.segment.bytes.count
    }
    begin(evenAfterFailure: false)
  }

  /// Takes nothing any more, forgets what waits and tells nobody, as a crash does; a commit that is under way may still be
  /// done. Until then it has the shards, which have it.
  func sever() {
    state.withLock { state in
      state.isSevered = true
      state.waiting = []
      state.tell = nil
    }
  }

  /// Tries again after a failure.
  func retry() {
    begin(evenAfterFailure: true)
  }

  /// Returns when all shards have been told of the commit that one of them has been told of: they are under one lock.
  func awaitTelling() {
    state.withLock { _ in }
  }

  /// What waits for a store that is busy or fails; bytes.
  var waitingBytes: Int { state.withLock { $0.waitingBytes } }

  var statistics: CommitStatistics { state.withLock { $0.statistics } }

  /// Why the last commit failed; nil when it did not.
  var failure: StoreFailure? { state.withLock { $0.failure } }

  /// Calls `action` once nothing waits, or the store fails.
  func whenIdle(_ action: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      guard !state.committing.isEmpty || !state.waiting.isEmpty && state.failure == nil else { return true }
      state.idleActions.append(action)
      return false
    }
    if isIdle { action() }
  }

  private func begin(evenAfterFailure: Bool) {
    let batch: Batch? = state.withLock { state in
      guard state.committing.isEmpty, evenAfterFailure || state.failure == nil else { return nil }
      state.takeNextParts(at: clock.now())
      let parts = state.committing
      guard let at = parts.map(\.at).max() else { return nil }
      state.doDeeds(tally, at: at)
      let changes = parts.flatMap(\.changes) + state.deedChanges
      // In the commit that deletes them, no earlier one.
      for case .beginDeletion(let player, _) in changes { tally.forget(player) }
      for case .deletePlayer(let player, _) in changes { tally.forget(player) }
      if let piece = tally.take() { state.tallyPieces.append(piece) }
      return Batch(
        at: at,
        expiryAt: expiry.now(at),
        segments: parts.map(\.segment),
        changes: changes,
        tally: state.tallyPieces.map(\.change)
      )
    }
    if let batch { store.commit(batch) { self.finish($0) } }
  }

  private func finish(_ result: Result<[Outcome], StoreFailure>) {
    let now = clock.now()
    if case .success = result {
      let pieces = state.withLock { state in
        defer { state.tallyPieces = [] }
        return state.tallyPieces
      }
      tally.committed(pieces)
    }
    let idleActions = state.withLock { state in
      let parts = state.committing
      state.committing = []
      switch result {
      case .success(let outcomes):
        let (bytes, microseconds) = state.take(outcomes, of: parts, at: now)
        metrics.commitSize.record(bytes)
        metrics.commitDuration.record(microseconds: microseconds)
      case .failure(let failure): state.take(failure, of: parts)
      }
      guard state.waiting.isEmpty || state.failure != nil else { return [] as [@Sendable () -> Void] }
      defer { state.idleActions = [] }
      return state.idleActions
    }
    for action in idleActions { action() }
    begin(evenAfterFailure: false)
  }
}

extension GroupCommit.State {
  /// Moves what is committed next out of what waits: all of it, or a few megabytes after a long failure.
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

  /// Does what the parts that are committed next bring to be done to the tally.
  fileprivate mutating func doDeeds(_ tally: SharedTally, at now: Instant) {
    for index in committing.indices {
      for deed in committing[index].deeds { deedChanges += deed(tally, now) }
      committing[index].deeds = []
    }
  }

  /// How many bytes of journals were committed, and how long that took.
  fileprivate mutating func take(
    _ outcomes: [Outcome],
    of parts: [GroupCommit.Part],
    at now: Timestamp
  ) -> (bytes: Int, microseconds: Int64) {
    let changeCount = parts.reduce(deedChanges.count) { $0 + $1.changes.count }
    precondition(outcomes.count == changeCount, "each change has an outcome")
    deedChanges = []
    let bytes = parts.reduce(0) { $0 + $1.segment.bytes.count }
    let microseconds = now.microseconds(since: commitBegan)
    statistics.record(bytes, microseconds: microseconds)
    var first = 0
    for part in parts {
      let own = Array(outcomes[first..<first + part.changes.count])
      tell?(part.shard, .committed(number: part.number, own))
      first += part.changes.count
    }
    if failure != nil {
      failure = nil
      for shard in 0..<shardCount { tell?(shard, .recovered) }
    }
    return (bytes, microseconds)
  }

  fileprivate mutating func take(_ failure: StoreFailure, of parts: [GroupCommit.Part]) {
    statistics.failures += 1
    waiting = parts + waiting
    waitingBytes = waiting.reduce(0) { $0 + $1.segment.bytes.count }
    self.failure = failure
    for shard in 0..<shardCount { tell?(shard, .failed(failure)) }
  }
}

/// What has been committed since the server began.
package struct CommitStatistics: Sendable {
  package var commits = 0
  package var failures = 0
  /// Of journals, in segments.
  package var bytes = 0
  /// How long commits took.
  package var durations = Durations()

  package init() {}

  mutating func record(_ segmentBytes: Int, microseconds: Int64) {
    commits += 1
    bytes += segmentBytes
    durations.record(microseconds: microseconds)
  }
}
