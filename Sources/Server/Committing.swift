// When what has happened on a shard is cut off for the next commit, and what the shard hears of it.
//
// On the shard's thread. At most one piece in an interval, the first one at once: who is alone on a server waits for the
// disk and for nothing else.
import Game
import Net
import Store

extension PlayService {
  // The room codes' timers have 45 bits.
  static let commitTimer: UInt64 = 1 << 61
  static let retryTimer: UInt64 = 1 << 60
  static let careTimer: UInt64 = 1 << 59

  /// How long after a failed commit the next is tried.
  private static let retryMilliseconds: Int64 = 500
  /// How often the store folds and forgets.
  private static let careSeconds: Int64 = 5

  package func turnEnding() {
    guard let due = journal.due else { return }
    guard due > core.now else { return journal.cut(at: core.now) }
    guard !isCommitTimerSet else { return }
    isCommitTimerSet = true
    _ = core.setTimer(Self.commitTimer, at: due)
  }

  /// Something of the group commit's.
  func take(_ news: GroupCommit.News) {
    switch news {
    case .committed(let number, let outcomes, let order):
      journal.committed(number, outcomes, order: order)
    case .failed(let failure):
      // One shard speaks and tries for all.
      if core.index == 0 {
        if journal.failure == nil { commons.report(failure) }
        _ = core.setTimer(Self.retryTimer, at: core.now.advanced(milliseconds: Self.retryMilliseconds))
      }
      journal.failed(failure)
    case .recovered:
      if core.index == 0 { commons.reportRecovery() }
      journal.recovered()
    }
  }

  /// Whether a durable command can be taken now.
  var canPromise: Bool { journal.canPromise(at: core.now) }

  /// Begins to take care of the store from time to time; for one shard of all.
  func beginCaring() {
    _ = core.setTimer(Self.careTimer, at: core.now.advanced(seconds: Self.careSeconds))
  }

  func care() {
    let shard = core.siblings[core.index]
    commons.store.care(at: now, keepJournals: commons.configuration.keepJournals) { [commons] result in
      if case .failure(let failure) = result { commons.configuration.tellOperator(.careFails("\(failure)")) }
      shard.post { ($0.core.service as? PlayService)?.beginCaring() }
    }
  }

  /// The last that the journal hears before the server ends: every room as it is.
  func finishJournal() {
    forEachRoom { $0.writeSnapshot(of: $0.room) }
    journal.cut(at: core.now)
  }
}
