// A shard's events that are not known to be committed yet, and the actions that wait for their commit.
//
// Owned by one shard's service. Gathered events are cut off as one piece at the end of a turn, at most once in an
// interval, and handed to the group commit. Pieces are numbered from 1 and committed in that order. Every message that
// promises durability waits here. Positions alone, which nobody waits for, are cut off in every fourth interval.
// Decisions: 044, 045, 128 (docs/decisions).
import DequeModule
import Game
import Net
import Store

/// A log of one feature's records, of which a shard's journal takes those that no segment has.
package protocol RecordLog: AnyObject {
  /// Moves the records that no segment has into one.
  ///
  /// - Returns: the number of the newest event in them or before them.
  func moveRecords(to segment: inout Segment) -> UInt32

  /// Every event up to this one is committed.
  func committed(throughEvent number: UInt32)
}

package final class ShardJournal {
  package typealias Completion = (Outcome) -> Void

  /// An answer that waits for a commit. When that takes too long, the promise is broken: once, and for good.
  package final class Promise {
    private var onBreak: (() -> Void)?

    /// `onBreak` is called on the shard.
    package init(onBreak: @escaping () -> Void) {
      self.onBreak = onBreak
    }

    /// Whether the answer may still be given.
    package var isKept: Bool { onBreak != nil }

    fileprivate func breakNow() {
      let action = onBreak
      onBreak = nil
      action?()
    }
  }

  /// An action after a commit.
  private enum Follower {
    /// Takes the outcome of the next change.
    case outcome(Completion, Promise?)
    case action(() -> Void, Promise?)

    var promise: Promise? {
      switch self {
      case .outcome(_, let promise), .action(_, let promise): promise
      }
    }
  }

  /// A piece that was cut off and is not committed yet.
  private struct Piece {
    let number: UInt64
    let cutAt: Timestamp
    /// The logs with new events, each with the number of its newest event.
    let logs: [(log: any RecordLog, event: UInt32)]
    let changeCount: Int
    /// In the order of arrival, so that answers keep the order of their requests.
    var followers: [Follower]
  }

  private let shard: Int
  private let commits: GroupCommit
  private let intervalMilliseconds: Int64

  /// The content of the next piece so far.
  private struct Gathered {
    var logs: [(log: any RecordLog, event: UInt32)] = []
    var changes: [Change] = []
    var actions: [GroupCommit.CommitAction] = []
    var followers: [Follower] = []
  }

  private var gathered = Gathered()
  /// Whether there is a next piece; every turn looks at it.
  private var hasGathered = false
  /// Whether somebody waits for the next piece's commit.
  private var isAwaited = false
  private var nextNumber: UInt64 = 1
  /// Whether each piece marks the time, even one that changes nothing.
  package var marksTime = false
  /// The time of the newest piece.
  package var lastCut: Timestamp { newestCut }
  private var newestCut = Timestamp(microseconds: 0)
  /// The size of the newest piece's segment; the next one is about as long.
  private var newestSegmentBytes = 0

  private var pieces: Deque<Piece> = []
  /// The number of pieces; every position looks at it.
  private var pieceCount = 0

  /// An action that follows a finished commit.
  private enum Released {
    case outcome(Completion, Outcome)
    case action(() -> Void)
  }

  private var released: Deque<Released> = []
  /// Called with each outcome, behind the completion of its change.
  private var observers: [(Outcome) -> Void] = []
  /// The reason why nothing can be committed now; nil when all is well.
  package var failure: StoreFailure? { presentFailure }
  private var presentFailure: StoreFailure?

  package init(shard: Int, commits: GroupCommit, intervalMilliseconds: Int64) {
    self.shard = shard
    self.commits = commits
    self.intervalMilliseconds = intervalMilliseconds
  }

  // Gathering.

  /// Notes that the log has records that no piece has; called once for each piece. They wait for others that somebody
  /// waits for, or for four intervals since the newest piece.
  package func note(_ log: any RecordLog) {
    gathered.logs.append((log, 0))
    hasGathered = true
  }

  /// Adds a row change. `completion` is called on the shard with its family's outcome when it is committed, whatever
  /// has become of the promise.
  package func add<Family: ChangeFamily>(
    _ change: Family,
    _ promise: Promise? = nil,
    _ completion: @escaping (Family.FamilyOutcome) -> Void = { _ in }
  ) {
    gathered.changes.append(change.change)
    touch()
    gathered.followers.append(.outcome({ completion(Family.outcome(in: $0)) }, promise))
  }

  /// Has `action` called when the commit of the next piece is made. `completion` is called on the shard after that
  /// commit.
  package func add(action: @escaping GroupCommit.CommitAction, _ completion: @escaping () -> Void) {
    gathered.actions.append(action)
    touch()
    gathered.followers.append(.action(completion, nil))
  }

  /// Notes that somebody waits for the next piece, which may be an empty one: it is cut off in the next interval. Later
  /// actions wait for it too.
  package func touch() {
    hasGathered = true
    isAwaited = true
  }

  /// Has a piece cut off that marks the time, unless the store is behind.
  package func markTime() {
    guard pieceCount < 2, failure == nil else { return }
    touch()
  }

  /// Calls `action` when everything so far on the shard is committed, whatever has become of the promise; at once when
  /// it is.
  package func whenCommitted(_ promise: Promise? = nil, _ action: @escaping () -> Void) {
    guard !isIdle else { return action() }
    if isCommitted {
      released.append(.action(action))
    } else if !hasGathered {
      pieces[pieces.count - 1].followers.append(.action(action, promise))
    } else {
      gathered.followers.append(.action(action, promise))
      isAwaited = true
    }
  }

  /// Has `observe` called on the shard with the outcome of each of its changes, when the change's own completion has
  /// run. It is for what a commit brings to others than its asker.
  package func addObserver(_ observe: @escaping (Outcome) -> Void) {
    observers.append(observe)
  }

  // Promises.

  /// The time at which the oldest piece has waited too long; nil where none waits.
  package var promisesDue: Timestamp? {
    pieceCount == 0 ? nil : pieces.first?.cutAt.advanced(seconds: Self.stallSecondsMax)
  }

  /// Breaks the promises of all pieces that have waited too long.
  package func breakPromises(at now: Timestamp) {
    for piece in pieces where now >= piece.cutAt.advanced(seconds: Self.stallSecondsMax) {
      for follower in piece.followers { follower.promise?.breakNow() }
    }
  }

  /// Nothing is gathered, on its way or released.
  package var isIdle: Bool { isCommitted && released.isEmpty }

  /// Everything so far is committed, though perhaps not answered yet.
  package var isCommitted: Bool { !hasGathered && pieceCount == 0 }

  // Cutting.

  /// The time at which the next piece may be cut off; nil when there is nothing to cut.
  package var due: Timestamp? {
    guard hasGathered else { return nil }
    // Many small pieces would only burden a failing store.
    guard presentFailure == nil else { return newestCut.advanced(milliseconds: Self.failingIntervalMilliseconds) }
    let intervals = isAwaited ? 1 : Self.intervalsUnawaited
    return newestCut.advanced(milliseconds: intervals * intervalMilliseconds)
  }

  /// Cuts off everything gathered and hands it on.
  package func cut(at now: Timestamp) {
    guard hasGathered else { return }
    var piece = Gathered()
    swap(&piece, &gathered)
    hasGathered = false
    isAwaited = false
    var segment = Segment(bytesExpected: newestSegmentBytes)
    for index in piece.logs.indices { piece.logs[index].event = piece.logs[index].log.moveRecords(to: &segment) }
    newestSegmentBytes = segment.bytes.count
    let number = nextNumber
    nextNumber += 1
    newestCut = now
    pieceCount += 1
    pieces.append(
      Piece(
        number: number,
        cutAt: now,
        logs: piece.logs,
        changeCount: piece.changes.count,
        followers: piece.followers
      )
    )
    commits.submit(
      GroupCommit.Part(
        shard: shard,
        number: number,
        at: Instant(now),
        segment: segment,
        changes: piece.changes,
        actions: piece.actions,
        marksTime: marksTime
      )
    )
  }

  // Commits.

  /// The oldest piece is committed: releases its followers.
  package func committed(_ number: UInt64, _ outcomes: [Outcome]) {
    guard let piece = pieces.popFirst(), piece.number == number, piece.changeCount == outcomes.count else {
      preconditionFailure("pieces are committed in order, and each change has an outcome")
    }
    pieceCount -= 1
    for (log, event) in piece.logs { log.committed(throughEvent: event) }
    var index = 0
    for follower in piece.followers {
      switch follower {
      case .outcome(let completion, _):
        released.append(.outcome(completion, outcomes[index]))
        index += 1
      case .action(let action, _):
        released.append(.action(action))
      }
    }
  }

  /// Runs the actions that follow the commits so far, in order, until `isOver` says that others must have their turn.
  package func release(until isOver: () -> Bool) {
    while let follower = released.popFirst() {
      switch follower {
      case .outcome(let completion, let outcome):
        completion(outcome)
        for observe in observers { observe(outcome) }
      case .action(let action): action()
      }
      if isOver() { return }
    }
  }

  /// Calls `action` when all actions after the commits so far have run; at once when they have.
  package func whenReleased(_ action: @escaping () -> Void) {
    if released.isEmpty { action() } else { released.append(.action(action)) }
  }

  /// Actions that follow commits have not run yet.
  package var hasReleased: Bool { !released.isEmpty }

  package func failed(_ failure: StoreFailure) {
    presentFailure = failure
  }

  package func recovered() {
    presentFailure = nil
  }

  /// Whether new durability can be promised: the store works, and the oldest piece has not waited too long.
  package func canPromise(at now: Timestamp) -> Bool {
    guard failure == nil else { return false }
    guard let oldest = pieces.first else { return true }
    return now < oldest.cutAt.advanced(seconds: Self.stallSecondsMax)
  }

  /// The oldest piece's wait for its commit, in microseconds.
  package func lagMicroseconds(at now: Timestamp) -> Int64 {
    pieces.first.map { now.microseconds(since: $0.cutAt) } ?? 0
  }

  /// Whether too much waits for the store to add more. Every position checks this, so the other shards' share is looked
  /// at only when the store is behind.
  package var isFull: Bool { pieceCount > Self.piecesBehind && commits.waitingBytes > GroupCommit.waitingBytesMax }

  /// The number of pieces on their way that means a store is behind.
  private static let piecesBehind = 8

  /// The intervals between two pieces that nobody waits for: a crash reverts as much walking.
  private static let intervalsUnawaited: Int64 = 4
  private static let failingIntervalMilliseconds: Int64 = 1_000
  /// The longest time of a commit before promises are broken, and nothing more is promised.
  private static let stallSecondsMax: Int64 = 5
}
