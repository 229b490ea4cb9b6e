// The lateness of rankings: after their due time, from the first watcher to each other, and behind the batches that
// they show.
//
// Shared by all shards of bots, under a lock.
import MadangProtocol
import Net
import Synchronization

final class RankingTimes: Sendable {
  /// An answered batch that a ranking has to show.
  fileprivate struct Batch {
    let schoolCount: Int64
    let sent: Timestamp
    let answered: Timestamp
  }

  fileprivate struct State {
    /// The server's clock minus the bots', microseconds: the greatest seen, since a message takes its time.
    var clockOffset = Int64.min
    /// The batches by school, ascending in their counts.
    var batches: [String: [Batch]] = [:]
    /// The arrival of the first ranking with a given content; earlier ones are in the older half.
    var firsts: [Int: Timestamp] = [:]
    var olderFirsts: [Int: Timestamp] = [:]
    var isOver = false
  }

  /// The lateness of one ranking; microseconds.
  struct Lateness {
    /// The time since another watcher was sent the same.
    var afterFirst: Int64
    /// The times since the first batch that only this ranking shows was answered, and since that was sent.
    var sinceAnswer: Int64?
    var sinceSending: Int64?
  }

  /// The most batches kept for a school: older ones have been shown, or have no watcher.
  private static let batchesMax = 4_096
  fileprivate static let firstsMax = 1_024

  private let state = Mutex(State())

  func note(serverTimeMs: Int64, at now: Timestamp) {
    state.withLock { $0.clockOffset = max($0.clockOffset, serverTimeMs * 1_000 - now.microseconds) }
  }

  /// A batch that was sent once has counted.
  func counted(for school: String, schoolCount: Int64, sent: Timestamp, answered: Timestamp) {
    state.withLock { state in
      guard !state.isOver else { return }
      let batch = Batch(schoolCount: schoolCount, sent: sent, answered: answered)
      var batches = state.batches.removeValue(forKey: school) ?? []
      // Answers come over many connections, nearly in order.
      var index = batches.count
      while index > 0, batches[index - 1].schoolCount > schoolCount { index -= 1 }
      batches.insert(batch, at: index)
      if batches.count > Self.batchesMax { batches.removeFirst(batches.count / 2) }
      state.batches[school] = batches
    }
  }

  /// Schools' counts may have fallen: no ranking has to show earlier answers.
  func beginAnew() {
    state.withLock { $0.batches = [:] }
  }

  /// The load is over: batches are no longer counted.
  func end() {
    state.withLock { $0.isOver = true }
  }

  /// The time from the ranking's own time to its arrival; microseconds. Nil when the load is over.
  func afterDue(_ timeMs: Int64, at now: Timestamp) -> Int64? {
    state.withLock { state in
      guard !state.isOver, state.clockOffset > .min else { return nil }
      return now.microseconds + state.clockOffset - timeMs * 1_000
    }
  }

  /// Measures a watcher's ranking. The school had `before` in the last one and has `count` in this one; `head`
  /// identifies the part that all watchers of a tick get. Nil when the load is over.
  func lateness(of head: Int, school: String?, before: Int64, count: Int64, at now: Timestamp) -> Lateness? {
    state.withLock { state -> Lateness? in
      guard !state.isOver else { return nil }
      var lateness = Lateness(afterFirst: now.microseconds(since: state.first(head, at: now)))
      if let school, before < count, let batch = state.batch(above: before, of: school), batch.schoolCount <= count {
        lateness.sinceAnswer = now.microseconds(since: batch.answered)
        lateness.sinceSending = now.microseconds(since: batch.sent)
      }
      return lateness
    }
  }
}

extension RankingTimes.State {
  /// The time at which the first ranking with this head came.
  fileprivate mutating func first(_ head: Int, at now: Timestamp) -> Timestamp {
    if let first = firsts[head] ?? olderFirsts[head] { return first }
    if firsts.count >= RankingTimes.firstsMax {
      olderFirsts = firsts
      firsts = [:]
    }
    firsts[head] = now
    return now
  }

  /// The first batch that brought a school above a count.
  fileprivate func batch(above count: Int64, of school: String) -> RankingTimes.Batch? {
    guard let batches = batches[school] else { return nil }
    var (low, high) = (0, batches.count)
    while low < high {
      let middle = (low + high) / 2
      if batches[middle].schoolCount > count { high = middle } else { low = middle + 1 }
    }
    return low < batches.count ? batches[low] : nil
  }
}
