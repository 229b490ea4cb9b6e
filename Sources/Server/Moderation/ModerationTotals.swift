// The totals of reported things, for operators: read of the store when somebody asks, at most every few seconds.
//
// Any thread; guarded by a lock that is not held over the read. Nobody waits for the store: the answer is what it said
// last.
import Locks
import Net
import Store

final class ModerationTotals: Sendable {
  private struct Newest {
    var counts = ModerationCounts()
    var askedAt: Timestamp?
    var isReading = false
  }

  private static let secondsBetween: Int64 = 5

  private let newest = OrderedMutex(.leaf, Newest())

  /// The totals as they were last read, zeros before the first read. If that was some seconds ago, a read begins.
  func counts(at now: Timestamp, from store: any ModerationStore) -> ModerationCounts {
    let (counts, isDue) = newest.withLock { newest -> (ModerationCounts, Bool) in
      let isFresh = newest.askedAt.map { now < $0.advanced(seconds: Self.secondsBetween) } ?? false
      guard !isFresh, !newest.isReading else { return (newest.counts, false) }
      newest.askedAt = now
      newest.isReading = true
      return (newest.counts, true)
    }
    if isDue { store.moderationCounts { [self] in take($0) } }
    return counts
  }

  /// Takes the outcome of a read; after a failed one the totals stay.
  private func take(_ read: Result<ModerationCounts, StoreFailure>) {
    newest.withLock { newest in
      newest.isReading = false
      if case .success(let counts) = read { newest.counts = counts }
    }
  }
}
