// The store of a simulated server: the double behind a disk that takes its time, stalls, and is full or broken for a while.
// What it has written outlives the server, and what it was only asked to write may be lost when the server is.
//
// Used by one simulation on its thread; guarded by a lock because a store may be called anywhere. Commits are written and
// answered in their order, at moments that are drawn; nothing is answered inside a call.
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
    /// When it is written, or fails.
    var due: Timestamp
  }

  /// Something to tell the server.
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
    /// Asked for and not written yet.
    var commits: [Commit] = []
    var answers: [Answer] = []
    var reads: [Read] = []
    /// Written, and not looked at by the simulation yet.
    var written: [Batch] = []
    var failure: (why: StoreFailure, until: Timestamp)?
    var stalledUntil = Timestamp(microseconds: 0)
    var isCalm = false
    var failures = 0
  }

  let inner: any Store = MemoryStore { $0() }
  private let clock: VirtualClock
  private let commitMs: Int
  private let state: Mutex<State>

  init(_ plan: Plan, clock: VirtualClock, random: SplitMix64) {
    self.clock = clock
    commitMs = plan.commitMs
    state = Mutex(State(random: random))
  }

  // Faults.

  /// Whatever is asked fails until then.
  func fail(_ why: StoreFailure, until time: Timestamp) {
    state.withLock { $0.failure = (why, time) }
  }

  /// Nothing is written until then.
  func stall(until time: Timestamp) {
    state.withLock { state in
      state.stalledUntil = time
      for index in state.commits.indices { state.commits[index].due = max(state.commits[index].due, time) }
    }
  }

  /// No more faults.
  func calm() {
    let now = clock.current
    state.withLock { state in
      state.isCalm = true
      state.failure = nil
      state.stalledUntil = now
      for index in state.commits.indices { state.commits[index].due = min(state.commits[index].due, now) }
    }
  }

  /// The server is no more and hears nothing. What it was having written may be, or not: all up to some commit.
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

  /// How often something has failed.
  var failures: Int { state.withLock { $0.failures } }

  /// How many rows the audit log has.
  var auditCount: Int {
    let count = Mutex(0)
    inner.audit(before: nil, limit: .max) { result in
      if case .success(let rows) = result { count.withLock { $0 = rows.count } }
    }
    return count.withLock { $0 }
  }

  // Time.

  /// When something is to be written or answered.
  var nextDue: Timestamp? {
    state.withLock { [$0.commits.first?.due, $0.answers.first?.due, $0.reads.first?.due].compactMap { $0 }.min() }
  }

  /// Writes and answers what is due.
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
    // What is told may ask for more.
    for give in due { give() }
  }

  private func write(_ batch: Batch, _ state: inout State) -> Result<[Outcome], StoreFailure> {
    let box = Mutex(Result<[Outcome], StoreFailure>.success([]))
    inner.commit(batch) { result in box.withLock { $0 = result } }
    state.written.append(batch)
    return box.withLock { $0 }
  }

  /// What has been written since this was asked last.
  func takeWritten() -> [Batch] {
    state.withLock { state in
      defer { state.written = [] }
      return state.written
    }
  }

  // What it does not only forward.

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

  /// What fails is tried again until it succeeds.
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

  /// What it has written outlives the server.
  func close() {}
}

extension FaultyStore.State {
  /// Why nothing can be done now, counted.
  fileprivate mutating func failureNow(at now: Timestamp) -> StoreFailure? {
    guard let failure, now < failure.until else { return nil }
    failures += 1
    return failure.why
  }

  fileprivate mutating func later(than now: Timestamp, byUpTo milliseconds: Int) -> Timestamp {
    now.advanced(milliseconds: Int64(isCalm ? random.draw(0...2) : random.draw(0...milliseconds)))
  }
}
