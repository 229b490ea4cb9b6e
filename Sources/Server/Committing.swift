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
  static let rankingTimer: UInt64 = 1 << 58

  /// How long after a failed commit the next is tried.
  private static let retryMilliseconds: Int64 = 500
  /// How often the store folds and forgets.
  private static let careSeconds: Int64 = 5

  package func turnEnding() {
    answerStateRequests()
    guard let due = journal.due else { return }
    guard due > core.now else { return journal.cut(at: core.now) }
    guard !isCommitTimerSet else { return }
    isCommitTimerSet = true
    _ = core.setTimer(Self.commitTimer, at: due)
  }

  /// Something of the group commit's.
  func take(_ news: GroupCommit.News) {
    switch news {
    case .committed(let number, let outcomes):
      journal.committed(number, outcomes)
      releaseFollowers()
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

  /// Does what follows commits, for at most half a turn's time; the next turn goes on.
  private func releaseFollowers() {
    let began = core.readClock()
    journal.release { core.readClock().microseconds(since: began) > core.limits.turnMicroseconds / 2 }
    guard journal.hasReleased, !isReleasePosted else { return }
    isReleasePosted = true
    ownShard.post { service in
      service.isReleasePosted = false
      service.releaseFollowers()
    }
  }

  /// Whether a durable command can be taken now.
  var canPromise: Bool { journal.canPromise(at: core.now) }

  /// Begins to take care of the store from time to time; for one shard of all.
  func beginCaring() {
    _ = core.setTimer(Self.careTimer, at: core.now.advanced(seconds: Self.careSeconds))
  }

  func care() {
    let (shards, ownShard) = (shards, ownShard)
    for news in commons.expiry.alerts(at: now) { commons.tell(news) }
    // Where nobody taps, commits for nothing else write the tally's rows.
    if commons.tally.hasChangedRows { journal.touch() }
    let time = now
    commons.store.care(at: commons.expiry.now(time), keepJournals: commons.configuration.keepJournals) {
      [commons] result in
      for news in commons.expiry.review(at: time) { commons.tell(news) }
      var failure: String?
      switch result {
      case .success(let damaged):
        for segment in damaged { commons.tell(.segmentLost(segment)) }
        // Memory has what the disk has lost.
        if !damaged.isEmpty { shards.postToAll { $0.writeDownRooms() } }
      case .failure(let why):
        failure = "\(why)"
      }
      ownShard.post { [failure] in $0.endCare(with: failure) }
    }
  }

  /// What fails at each care is told once, and again when it has worked meanwhile or fails for another reason.
  private func endCare(with failure: String?) {
    if let failure, failure != careFailure { commons.tell(.careFails(failure)) }
    careFailure = failure
    tellOfRefused()
    tellOfData()
    beginCaring()
  }

  /// Tells once that the data folder is nearly full, and again when it has had room meanwhile.
  private func tellOfData() {
    guard let usage = commons.store.usage else { return }
    if usage.isNearBound, !isToldOfData {
      commons.tell(.dataNearBound(usedBytes: usage.usedBytes, bytesMax: usage.bytesMax))
    }
    isToldOfData = usage.isNearBound
  }

  /// Newcomers come in on the first shard, which is the one that takes care.
  private func tellOfRefused() {
    let refused = core.counters.connectionsRefused - refusedToldOf
    if refused > 0 { commons.tell(.newcomersRefused(refused)) }
    refusedToldOf += refused
  }

  /// Writes every room down as it is: no recovery needs what came before.
  private func writeDownRooms() {
    forEachRoom { $0.writeSnapshot(of: $0.room) }
  }

  /// The last that the journal hears before the server ends: every room as it is, and the tally.
  func finishJournal() {
    writeDownRooms()
    commons.tally.writeAllRows()
    journal.touch()
    journal.cut(at: core.now)
  }
}
