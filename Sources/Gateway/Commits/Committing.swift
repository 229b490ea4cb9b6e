// The commits of a shard's journal: its cuts, the actions after commits, and failures.
//
// Part of the gateway, on the shard's queue.
import Net
import Store

extension ShardGateway {
  /// The delay of the next try after a failed commit.
  private static let retryMilliseconds: Int64 = 500

  /// All input of this turn has been handled.
  package func turnEnding() {
    if load.isOverloaded != isOverloadReported { reportOverload() }
    cutJournal()
    limitPromises()
  }

  private func cutJournal() {
    guard let due = journal.due else { return }
    guard due > time.now else { return journal.cut(at: time.now) }
    // A piece that nobody waited for may have become an awaited one.
    if let commitTimerSet {
      guard due < commitTimerSet.due else { return }
      core.cancelTimer(commitTimerSet.timer)
    }
    commitTimerSet = (core.setTimer(commitTimer, at: due), due)
  }

  /// Sees to it that answers don't wait for a commit for ever.
  private func limitPromises() {
    guard !isPromiseTimerSet, let due = journal.promisesDue else { return }
    isPromiseTimerSet = true
    // Answers may still come to a piece that has waited too long.
    _ = core.setTimer(promiseTimer, at: max(due, core.now.advanced(milliseconds: Self.retryMilliseconds)))
  }

  func breakPromises() {
    isPromiseTimerSet = false
    journal.breakPromises(at: core.now)
  }

  private func reportOverload() {
    isOverloadReported = load.isOverloaded
    context.notify(isOverloadReported ? .shardOverloaded(core.index) : .shardRecovered(core.index))
  }

  /// Takes a notification of the group commit.
  package func take(_ notification: GroupCommit.Notification) {
    switch notification {
    case .committed(let number, let outcomes):
      journal.committed(number, outcomes)
      releaseFollowers()
    case .failed(let failure):
      // The first shard reports and retries for all.
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

  /// Runs actions that follow commits, for at most half a turn's time; the next turn goes on.
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

  /// Whether a shard's own work that began then may go on in this turn: it has half a turn's time.
  package func hasTime(since began: Timestamp) -> Bool {
    core.readClock().microseconds(since: began) <= core.limits.turnMicroseconds / 2
  }

  /// Whether a durable request can be accepted now.
  package var canPromise: Bool { journal.canPromise(at: core.now) }
}
