// What has happened on a shard and is not known to be committed yet, and what waits until it is.
//
// Owned by one shard's service. What is gathered is cut off as one piece at the end of a turn, at most once in an interval,
// and handed to the group commit; pieces are numbered from 1 and committed in that order. Whatever tells somebody that
// something lasts waits here.
// Decisions: 044, 045 (docs/decisions).
import DequeModule
import Game
import Net
import Store

/// The log of one room, of which a shard's journal takes records.
package protocol RoomLog: AnyObject {
  /// Moves the records that no segment has into one.
  ///
  /// - Returns: the number of the newest event in them or before them.
  func moveRecords(to segment: inout Segment) -> UInt32

  /// Everything up to this event is committed.
  func committed(throughEvent number: UInt32)
}

package final class ShardJournal {
  package typealias Completion = (Outcome) -> Void

  /// What follows a commit.
  private enum Follower {
    /// Of the next change.
    case outcome(Completion)
    case action(() -> Void)
  }

  /// What was cut off and is on its way.
  private struct Piece {
    let number: UInt64
    let cutAt: Timestamp
    /// Rooms' logs with new events, each with the number of its newest.
    let logs: [(log: any RoomLog, event: UInt32)]
    let changeCount: Int
    /// In the order in which they came, so that answers keep the order of their requests.
    var followers: [Follower]
  }

  private let shard: Int
  private let commits: GroupCommit
  private let intervalMilliseconds: Int64

  // What is gathered for the next piece.
  private var logs: [any RoomLog] = []
  private var changes: [Change] = []
  private var actions: [GroupCommit.CommitAction] = []
  private var followers: [Follower] = []
  private var isTouched = false
  private var nextNumber: UInt64 = 1
  private var lastCut = Timestamp(microseconds: 0)

  private var pieces: Deque<Piece> = []

  /// What follows a commit that is done.
  private enum Released {
    case outcome(Completion, Outcome)
    case action(() -> Void)
  }

  private var released: Deque<Released> = []
  /// Why nothing can be committed now; nil when all is well.
  package private(set) var failure: StoreFailure?

  package init(shard: Int, commits: GroupCommit, intervalMilliseconds: Int64) {
    self.shard = shard
    self.commits = commits
    self.intervalMilliseconds = intervalMilliseconds
  }

  // Gathering.

  /// The log has records that no piece has; called once for each piece.
  package func note(_ log: any RoomLog) {
    logs.append(log)
  }

  /// Adds a row change; `completion` is called on the shard with its family's outcome when it is committed.
  package func add<Family: ChangeFamily>(
    _ change: Family,
    _ completion: @escaping (Family.FamilyOutcome) -> Void = { _ in }
  ) {
    changes.append(change.change)
    followers.append(.outcome { completion(Family.outcome(in: $0)) })
  }

  /// Has `action` called when the commit of the next piece is made; `completion` is called on the shard behind that commit.
  package func add(action: @escaping GroupCommit.CommitAction, _ completion: @escaping () -> Void) {
    actions.append(action)
    followers.append(.action(completion))
  }

  /// Something has happened that a commit brings which no piece has: what is behind this waits for the next piece all the
  /// same.
  package func touch() {
    isTouched = true
  }

  /// Calls `action` when everything that has happened on the shard so far is committed, at once when it is.
  package func whenCommitted(_ action: @escaping () -> Void) {
    guard !isIdle else { return action() }
    if isCommitted {
      released.append(.action(action))
    } else if isEmpty {
      pieces[pieces.count - 1].followers.append(.action(action))
    } else {
      followers.append(.action(action))
    }
  }

  private var isEmpty: Bool { logs.isEmpty && changes.isEmpty && actions.isEmpty && !isTouched }

  /// Nothing is gathered or on its way.
  package var isIdle: Bool { isCommitted && released.isEmpty }

  /// Everything that has happened is committed, if not answered yet.
  package var isCommitted: Bool { isEmpty && pieces.isEmpty }

  // Cutting.

  /// When the next piece may be cut off; nil when there is nothing to cut.
  package var due: Timestamp? {
    guard !isEmpty else { return nil }
    // Many small pieces would only weigh on a store that fails.
    return lastCut.advanced(milliseconds: failure == nil ? intervalMilliseconds : Self.failingIntervalMilliseconds)
  }

  /// Cuts off what has been gathered and hands it on.
  package func cut(at now: Timestamp) {
    guard !isEmpty else { return }
    var segment = Segment()
    var newest: [(log: any RoomLog, event: UInt32)] = []
    for log in logs { newest.append((log, log.moveRecords(to: &segment))) }
    pieces.append(
      Piece(number: nextNumber, cutAt: now, logs: newest, changeCount: changes.count, followers: followers)
    )
    let part = GroupCommit.Part(
      shard: shard,
      number: nextNumber,
      at: Instant(now),
      segment: segment,
      changes: changes,
      actions: actions
    )
    commits.submit(part)
    logs.removeAll(keepingCapacity: true)
    changes = []
    actions = []
    followers = []
    isTouched = false
    nextNumber += 1
    lastCut = now
  }

  // Commits.

  /// The oldest piece is committed: releases what waited for it.
  package func committed(_ number: UInt64, _ outcomes: [Outcome]) {
    guard let piece = pieces.popFirst(), piece.number == number, piece.changeCount == outcomes.count else {
      preconditionFailure("pieces are committed in order, each change with an outcome")
    }
    for (log, event) in piece.logs { log.committed(throughEvent: event) }
    var index = 0
    for follower in piece.followers {
      switch follower {
      case .outcome(let completion):
        released.append(.outcome(completion, outcomes[index]))
        index += 1
      case .action(let action):
        released.append(.action(action))
      }
    }
  }

  /// Does what follows the commits so far, in order, until `isOver` says that others must have their turn.
  package func release(until isOver: () -> Bool) {
    while let follower = released.popFirst() {
      switch follower {
      case .outcome(let completion, let outcome): completion(outcome)
      case .action(let action): action()
      }
      if isOver() { return }
    }
  }

  /// Calls `action` when all that follows the commits so far has been done, at once when it has.
  package func whenReleased(_ action: @escaping () -> Void) {
    if released.isEmpty { action() } else { released.append(.action(action)) }
  }

  /// Something follows commits and has not been done.
  package var hasReleased: Bool { !released.isEmpty }

  package func failed(_ failure: StoreFailure) {
    self.failure = failure
  }

  package func recovered() {
    failure = nil
  }

  /// Whether something new can be promised: the store works, and what is on its way has not been so for too long.
  package func canPromise(at now: Timestamp) -> Bool {
    guard failure == nil else { return false }
    guard let oldest = pieces.first else { return true }
    return now < oldest.cutAt.advanced(seconds: Self.stallSecondsMax)
  }

  /// How long the oldest of what was cut off has waited for its commit; microseconds.
  package func lagMicroseconds(at now: Timestamp) -> Int64 {
    pieces.first.map { now.microseconds(since: $0.cutAt) } ?? 0
  }

  /// Whether so much waits for the store that nothing more may be added to it. Asked for every position, so the other
  /// shards' share is looked at only when the store is behind.
  package var isFull: Bool { pieces.count > Self.piecesBehind && commits.waitingBytes > GroupCommit.waitingBytesMax }

  /// With so many pieces on their way the store is behind.
  private static let piecesBehind = 8

  private static let failingIntervalMilliseconds: Int64 = 1_000
  /// How long a commit may take before nothing more is promised.
  private static let stallSecondsMax: Int64 = 5
}
