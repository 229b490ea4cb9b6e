// The answers to taps: the server's required answer for each purpose of a tap.
//
// On the tapper's shard.
import MadangProtocol
import Net

extension Tapper {
  func take(_ tapped: WireTapped, _ purpose: Purpose, sent: Timestamp) {
    let now = context.core.readClock()
    switch purpose {
    case .new, .resent, .waited: counted(tapped, purpose, sent: sent, at: now)
    case .again: expect(.sameAnswer, tapped.outcome == ledger.lastOutcome, "\(tapped.outcome) again for \(ledger)")
    case .earlier:
      let isNow = ledger.isNow(myCount: tapped.myCount, schoolCount: tapped.schoolCount)
      expect(.pastAnswer, isNow, "\(tapped.outcome) for an earlier number; \(ledger)")
    case .audit(let schoolCount):
      let isOwn = tapped.myCount == ledger.myCount && tapped.schoolCount == schoolCount
      expect(.ownCount, isOwn, "\(tapped.outcome) at the end, with \(schoolCount) for the school; \(ledger)")
    case .gap: expect(.gapRefused, false, "\(tapped.outcome) for a number that is not next")
    case .withoutSchool: expect(.schoolNeeded, false, "\(tapped.outcome) without a school")
    }
  }

  private func counted(_ tapped: WireTapped, _ purpose: Purpose, sent: Timestamp, at now: Timestamp) {
    guard let kept = ledger.kept else { return }
    if kept.isAbnormal { expect(.abnormalTaps, false, "\(kept.count) taps have counted") }
    let first = keptSince
    let verdict = window.verdict(on: kept.count, sent: first.microseconds, answered: now.microseconds)
    if verdict == .isLimited, !kept.isAbnormal { expect(.tooManyTaps, false, "\(kept.count) more taps have counted") }
    if case .waited = purpose { expect(.tooManyTaps, true, "") } else { expect(.withinTheRules, true, "") }
    let isRight = ledger.confirm(batch: tapped.batch, myCount: tapped.myCount, schoolCount: tapped.schoolCount)
    expect(.countedOnce, isRight, "batch \(kept.number) of \(kept.count): \(tapped.outcome); \(ledger)")
    if hasJustChosen { expect(.schoolChosen, tapped.myCount == kept.count, "\(tapped.outcome) after a choice") }
    hasJustChosen = false
    testify()
    window.counted(kept.count, sent: first.microseconds, answered: now.microseconds)
    context.results.counted += 1
    if case .resent = purpose { return }
    _ = context.results.roundTrips.record(UInt64(max(1, now.microseconds(since: sent))))
    context.times.counted(for: ledger.school, schoolCount: tapped.schoolCount, sent: sent, answered: now)
  }

  /// A welcome has reported the state of a tapper that had crashed. An unanswered batch has counted or is lost.
  func goOn(from player: WireOwnPlayer) {
    hasCrashed = false
    context.results.crashesUnanswered += ledger.kept == nil ? 0 : 1
    let taken = ledger.goOn(school: player.schoolID, lastBatch: player.lastTapBatch, myCount: player.myCount)
    guard let taken, !taken.isAbnormal else { return }
    context.results.crashesTaken += 1
    context.results.counted += 1
    window.counted(taken.count, sent: keptSince.microseconds, answered: context.core.readClock().microseconds)
  }

  /// An answer on a replaced connection must have been the same.
  private func testify() {
    if let witness {
      expect(.sameAnswer, witness == ledger.lastOutcome, "\(witness) on the older connection; \(ledger)")
    }
    witness = nil
  }

  func refused(_ error: WireError, _ purpose: Purpose, _ count: Int64, sent: Timestamp) {
    switch (error.code, purpose) {
    case (.abnormalTaps, .new), (.abnormalTaps, .resent), (.abnormalTaps, .waited):
      expect(.abnormalTaps, count > Limits.batchTaps.upperBound, "\(count) taps are abnormal")
      ledger.dropKept()
      testify()
    case (.abnormalTaps, .again):
      expect(.sameAnswer, ledger.lastOutcome == .abnormal, "abnormal again for \(ledger)")
    case (.rateLimited, .new), (.rateLimited, .resent), (.rateLimited, .waited):
      limited(error, purpose, count)
    case (.batchGap, .gap):
      expect(.gapRefused, error.expectedBatch == ledger.lastBatch + 1, "told \(error.expectedBatch); \(ledger)")
    case (.schoolNeeded, .withoutSchool):
      expect(.schoolNeeded, true, "")
    default:
      context.results.note(error: error.code.name)
      // After any other error the batch is still to be counted.
      if ledger.kept != nil { setWake(.batchAgain, after: error.retryAfterMs) }
      return
    }
    context.results.refusals[error.code.name, default: 0] += 1
  }

  private func limited(_ error: WireError, _ purpose: Purpose, _ count: Int64) {
    let now = context.core.readClock()
    let verdict = window.verdict(on: count, sent: keptSince.microseconds, answered: now.microseconds)
    let isInWindow = (1...UInt32(Limits.tapsWindowSeconds) * 1_000).contains(error.retryAfterMs)
    if case .waited = purpose {
      expect(
        .tooManyTaps,
        false,
        "\(count) taps are limited after the time that was told, for \(error.retryAfterMs) ms"
      )
    } else if verdict == .counts {
      expect(.withinTheRules, false, "\(count) taps are limited, for \(error.retryAfterMs) ms: \(error.message)")
    } else {
      expect(.tooManyTaps, isInWindow, "\(count) taps are limited, for \(error.retryAfterMs) ms")
    }
    setWake(.batchAgain, after: error.retryAfterMs)
  }
}

extension WireTapped {
  var outcome: TapOutcome { .counted(batch: batch, myCount: myCount, schoolCount: schoolCount) }
}
