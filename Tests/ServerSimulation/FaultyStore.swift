// The store of a simulated server: the double behind a disk that takes its time, stalls, and is full or broken for a
// while. Written batches outlive the server; batches not yet written may be lost with it.
//
// Used by one simulation on its thread; guarded by a lock because a store may be called anywhere. Commits are written
// and answered in their order, at drawn moments; nothing is answered inside a call.
import Game
import Net
import SeededRandom
import Store
import StoreDoubles
import Synchronization

final class FaultyStore: ForwardingStore {
  fileprivate struct Commit {
    let batch: Batch
    let completion: Completion<[Outcome]>
    /// The time at which it is written, or fails.
    var due: Timestamp
  }

  /// An answer for the server.
  fileprivate struct Answer {
    var due: Timestamp
    let give: @Sendable () -> Void
  }

  /// A read, an erasure or maintenance: done and answered in one.
  fileprivate struct Read {
    var due: Timestamp
    let answer: @Sendable (StoreFailure?) -> Void
  }

  fileprivate struct State {
    var random: SplitMix64
    /// The commits that are not written yet.
    var commits: [Commit] = []
    var answers: [Answer] = []
    var reads: [Read] = []
    /// The written batches that the simulation has not looked at yet.
    var written: [Batch] = []
    var failure: (why: StoreFailure, until: Timestamp)?
    var stalledUntil = Timestamp(microseconds: 0)
    var isCalm = false
    var failures = 0
  }

  let inner: any Store = MemoryStore { $0() }
  private let clock: VirtualClock
  private let commitMs: Int
  private let brokenOnPurpose: BrokenOnPurpose?
  private let state: Mutex<State>

  init(_ plan: Plan, clock: VirtualClock, random: SplitMix64, _ brokenOnPurpose: BrokenOnPurpose? = nil) {
    self.brokenOnPurpose = brokenOnPurpose
    self.clock = clock
    commitMs = plan.commitMs
    state = Mutex(State(random: random))
  }

  // Faults.

  /// Every call fails until `time`.
  func fail(_ why: StoreFailure, until time: Timestamp) {
    state.withLock { $0.failure = (why, time) }
  }

  /// Nothing is written until `time`.
  func stall(until time: Timestamp) {
    state.withLock { state in
      state.stalledUntil = time
      for index in state.commits.indices { state.commits[index].due = max(state.commits[index].due, time) }
    }
  }

  /// Ends all faults.
  func calm() {
    let now = clock.current
    state.withLock { state in
      state.isCalm = true
      state.failure = nil
      state.stalledUntil = now
      for index in state.commits.indices { state.commits[index].due = min(state.commits[index].due, now) }
    }
  }

  /// The server is lost and gets no answers. Its unwritten commits are lost, or written up to some commit.
  func crash() {
    let now = clock.current
    state.withLock { state in
      for commit in state.commits {
        guard state.failure.map({ $0.until <= now }) ?? true, state.random.chance(50) else { break }
        _ = write(commit.batch, &state)
      }
      state.commits = []
      state.answers = []
      state.reads = []
    }
  }

  /// The number of failures.
  var failures: Int { state.withLock { $0.failures } }

  /// The number of rows in the audit log.
  var auditCount: Int {
    let count = Mutex(0)
    inner.audit(before: nil, limit: .max) { result in
      if case .success(let rows) = result { count.withLock { $0 = rows.count } }
    }
    return count.withLock { $0 }
  }

  // Time.

  /// The time of the next write or answer.
  var nextDue: Timestamp? {
    state.withLock { [$0.commits.first?.due, $0.answers.first?.due, $0.reads.first?.due].compactMap { $0 }.min() }
  }

  /// Writes and answers everything due.
  func act(at now: Timestamp) {
    let due = state.withLock { state -> [@Sendable () -> Void] in
      while let commit = state.commits.first, commit.due <= now {
        state.commits.removeFirst()
        let result = state.failureNow(at: now).map(Result.failure) ?? write(commit.batch, &state)
        let completion = commit.completion
        let answerAt = max(state.answers.last?.due ?? now, state.later(than: now, byUpTo: 5))
        state.answers.append(Answer(due: answerAt) { completion(result) })
      }
      var due: [@Sendable () -> Void] = []
      while let answer = state.answers.first, answer.due <= now {
        state.answers.removeFirst()
        due.append(answer.give)
      }
      while let read = state.reads.first, read.due <= now {
        state.reads.removeFirst()
        let failure = state.failureNow(at: now)
        due.append { read.answer(failure) }
      }
      return due
    }
    // An answer may cause further calls.
    for give in due { give() }
  }

  private func write(_ batch: Batch, _ state: inout State) -> Result<[Outcome], StoreFailure> {
    let box = Mutex(Result<[Outcome], StoreFailure>.success([]))
    inner.commit(broken(batch)) { result in box.withLock { $0 = result } }
    state.written.append(batch)
    return box.withLock { $0 }
  }

  /// The batch as a store with the fault that is played writes it.
  private func broken(_ batch: Batch) -> Batch {
    var batch = batch
    batch.changes = batch.changes.map { change in
      switch (brokenOnPurpose, change) {
      case (.forgetsEdits, .story(.edit(var edit))):
        edit.text = nil
        return .story(.edit(edit))
      case (.forgetsEdits, .capsule(.edit(var edit))):
        edit.text = nil
        return .capsule(.edit(edit))
      case (.forgetsLikes, .story(.like(let id, let player, at: _))): return .story(.unlike(id, player))
      case (.losesEvents, .webhook(.delivered(let id, let last))): return .webhook(.delivered(id, through: last + 1))
      default: return change
      }
    }
    return batch
  }

  /// The batches written since the last call.
  func takeWritten() -> [Batch] {
    state.withLock { state in
      defer { state.written = [] }
      return state.written
    }
  }

  // Calls that are not just forwarded.

  func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>) {
    let now = clock.current
    state.withLock { state in
      let wanted = max(state.later(than: now, byUpTo: commitMs), state.stalledUntil)
      let due = max(wanted, state.commits.last?.due ?? wanted)
      state.commits.append(Commit(batch: batch, completion: completion, due: due))
    }
  }

  func forward<Value>(
    _ completion: @escaping Completion<Value>,
    _ call: @escaping @Sendable (any Store, @escaping Completion<Value>) -> Void
  ) {
    let now = clock.current
    let inner = inner
    state.withLock { state in
      let wanted = state.later(than: now, byUpTo: commitMs)
      let due = max(wanted, state.reads.last?.due ?? wanted)
      state.reads.append(
        Read(due: due) { failure in
          if let failure { completion(.failure(failure)) } else { call(inner, completion) }
        }
      )
    }
  }

  func erase(_ player: PlayerID, _ completion: @escaping Completion<Void>) {
    erase(player, afterMs: 0, completion)
  }

  /// Tries a failed erasure again until it succeeds.
  private func erase(_ player: PlayerID, afterMs: Int64, _ completion: @escaping Completion<Void>) {
    let now = clock.current
    let inner = inner
    state.withLock { state in
      let wanted = state.later(than: now.advanced(milliseconds: afterMs), byUpTo: commitMs)
      let due = max(wanted, state.reads.last?.due ?? wanted)
      state.reads.append(
        Read(due: due) { [weak self] failure in
          if failure == nil { inner.erase(player, completion) } else { self?.erase(player, afterMs: 100, completion) }
        }
      )
    }
  }

  /// Written batches outlive the server.
  func close() {}
}

extension FaultyStore.State {
  /// The current failure, counted; nil without one.
  fileprivate mutating func failureNow(at now: Timestamp) -> StoreFailure? {
    guard let failure, now < failure.until else { return nil }
    failures += 1
    return failure.why
  }

  fileprivate mutating func later(than now: Timestamp, byUpTo milliseconds: Int) -> Timestamp {
    now.advanced(milliseconds: Int64(isCalm ? random.draw(0...2) : random.draw(0...milliseconds)))
  }
}
