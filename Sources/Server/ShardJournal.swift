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

final class ShardJournal {
  typealias Completion = (Outcome) -> Void

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
    /// Rooms with new events, each with the number of its newest.
    let rooms: [(room: LiveRoom, event: UInt32)]
    let changeCount: Int
    /// In the order in which they came, so that answers keep the order of their requests.
    var followers: [Follower]
  }

  private let shard: Int
  private let commits: GroupCommit
  private let intervalMilliseconds: Int64

  // What is gathered for the next piece.
  private var rooms: [LiveRoom] = []
  private var changes: [Change] = []
  private var deeds: [GroupCommit.TallyDeed] = []
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
  private(set) var failure: StoreFailure?

  init(shard: Int, commits: GroupCommit, intervalMilliseconds: Int64) {
    self.shard = shard
    self.commits = commits
    self.intervalMilliseconds = intervalMilliseconds
  }

  // Gathering.

  /// The room has records that no piece has; called once for each piece.
  func note(_ room: LiveRoom) {
    rooms.append(room)
  }

  /// Adds a row change; `completion` is called on the shard when it is committed.
  func add(_ change: Change, _ completion: @escaping Completion = { _ in }) {
    changes.append(change)
    followers.append(.outcome(completion))
  }

  /// Does something to the tally in the commit of the next piece; `completion` is called on the shard when that is done.
  func add(deed: @escaping GroupCommit.TallyDeed, _ completion: @escaping () -> Void) {
    deeds.append(deed)
    followers.append(.action(completion))
  }

  /// Something has happened that a commit brings which no piece has: what is behind this waits for the next piece all the
  /// same.
  func touch() {
    isTouched = true
  }

  /// Calls `action` when everything that has happened on the shard so far is committed, at once when it is.
  func whenCommitted(_ action: @escaping () -> Void) {
    guard !isSettled else { return action() }
    if isCommitted {
      released.append(.action(action))
    } else if isEmpty {
      pieces[pieces.count - 1].followers.append(.action(action))
    } else {
      followers.append(.action(action))
    }
  }

  private var isEmpty: Bool { rooms.isEmpty && changes.isEmpty && deeds.isEmpty && !isTouched }

  /// Nothing is gathered or on its way.
  var isSettled: Bool { isCommitted && released.isEmpty }

  /// Everything that has happened is committed, if not answered yet.
  var isCommitted: Bool { isEmpty && pieces.isEmpty }

  // Cutting.

  /// When the next piece may be cut off; nil when there is nothing to cut.
  var due: Timestamp? {
    guard !isEmpty else { return nil }
    // Many small pieces would only weigh on a store that fails.
    return lastCut.advanced(milliseconds: failure == nil ? intervalMilliseconds : Self.failingIntervalMilliseconds)
  }

  /// Cuts off what has been gathered and hands it on.
  func cut(at now: Timestamp) {
    guard !isEmpty else { return }
    var segment = Segment()
    var newest: [(room: LiveRoom, event: UInt32)] = []
    for room in rooms { newest.append((room, room.moveJournal(to: &segment))) }
    pieces.append(
      Piece(number: nextNumber, cutAt: now, rooms: newest, changeCount: changes.count, followers: followers)
    )
    let part = GroupCommit.Part(
      shard: shard,
      number: nextNumber,
      at: Instant(now),
      segment: segment,
      changes: changes,
      deeds: deeds
    )
    commits.submit(part)
    rooms.removeAll(keepingCapacity: true)
    changes = []
    deeds = []
    followers = []
    isTouched = false
    nextNumber += 1
    lastCut = now
  }

  // News.

  /// The oldest piece is committed: releases what waited for it.
  func committed(_ number: UInt64, _ outcomes: [Outcome]) {
    guard let piece = pieces.popFirst(), piece.number == number, piece.changeCount == outcomes.count else {
      preconditionFailure("pieces are committed in order, each change with an outcome")
    }
    for (room, event) in piece.rooms { room.committed(throughEvent: event) }
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
  func release(until isOver: () -> Bool) {
    while let follower = released.popFirst() {
      switch follower {
      case .outcome(let completion, let outcome): completion(outcome)
      case .action(let action): action()
      }
      if isOver() { return }
    }
  }

  /// Calls `action` when all that follows the commits so far has been done, at once when it has.
  func whenReleased(_ action: @escaping () -> Void) {
    if released.isEmpty { action() } else { released.append(.action(action)) }
  }

  /// Something follows commits and has not been done.
  var hasReleased: Bool { !released.isEmpty }

  func failed(_ failure: StoreFailure) {
    self.failure = failure
  }

  func recovered() {
    failure = nil
  }

  /// Whether something new can be promised: the store works, and what is on its way has not been so for too long.
  func canPromise(at now: Timestamp) -> Bool {
    guard failure == nil else { return false }
    guard let oldest = pieces.first else { return true }
    return now < oldest.cutAt.advanced(seconds: Self.stallSecondsMax)
  }

  /// How long the oldest of what was cut off has waited for its commit; microseconds.
  func lagMicroseconds(at now: Timestamp) -> Int64 {
    pieces.first.map { now.microseconds(since: $0.cutAt) } ?? 0
  }

  /// Whether so much waits for the store that nothing more may be added to it. Asked for every position, so the other
  /// shards' share is looked at only when the store is behind.
  var isFull: Bool { pieces.count > Self.piecesBehind && commits.waitingBytes > GroupCommit.waitingBytesMax }

  /// With so many pieces on their way the store is behind.
  private static let piecesBehind = 8

  private static let failingIntervalMilliseconds: Int64 = 1_000
  /// How long a commit may take before nothing more is promised.
  private static let stallSecondsMax: Int64 = 5
}
