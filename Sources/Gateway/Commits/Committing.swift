// When a shard's journal is cut off, what follows commits, and what happens when they fail.
//
// Part of the gateway, on the shard's thread.
import Game
import Net
import Store

extension ShardGateway {
  /// How long after a failed commit the next is tried.
  private static let retryMilliseconds: Int64 = 500

  /// All that has come in this turn has been dealt with.
  package func turnEnding() {
    guard let due = journal.due else { return }
    guard due > core.now else { return journal.cut(at: core.now) }
    guard !isCommitTimerSet else { return }
    isCommitTimerSet = true
    _ = core.setTimer(commitTimer, at: due)
  }

  /// Takes a notification of the group commit.
  package func take(_ notification: GroupCommit.Notification) {
    switch notification {
    case .committed(let number, let outcomes):
      journal.committed(number, outcomes)
      releaseFollowers()
    case .failed(let failure):
      // One shard speaks and tries for all.
      if core.index == 0 {
        if journal.failure == nil { context.notify(.storeFails("\(failure)")) }
        _ = core.setTimer(retryTimer, at: core.now.advanced(milliseconds: Self.retryMilliseconds))
      }
      journal.failed(failure)
    case .recovered:
      if core.index == 0 { context.notify(.storeWorks) }
      journal.recovered()
    }
  }

  /// Does what follows commits, for at most half a turn's time; the next turn goes on.
  private func releaseFollowers() {
    let began = core.readClock()
    journal.release { !hasTime(since: began) }
    guard journal.hasReleased, !isReleasePosted else { return }
    isReleasePosted = true
    ownShard.post { gateway in
      gateway.isReleasePosted = false
      gateway.releaseFollowers()
    }
  }

  /// Whether work of a shard's own that began then may go on in this turn: it has half a turn's time.
  package func hasTime(since began: Timestamp) -> Bool {
    core.readClock().microseconds(since: began) <= core.limits.turnMicroseconds / 2
  }

  /// Whether a durable request can be taken now.
  package var canPromise: Bool { journal.canPromise(at: core.now) }
}
