// The week and the month of a moment, and the rankings that the store keeps of them.
//
// Weeks begin on Monday. The store learns of a period before it begins, so that each run goes into all of its periods.
import Game
import Gateway
import Net
import Store

extension DayRanges {
  private static let dayMs: Int64 = 86_400_000

  package func week(of moment: Instant) -> RankingPeriod {
    // 1 January 1970 was a Thursday.
    period(of: moment) { (Int(($0.number + 3) % 7), 7) }
  }

  package func month(of moment: Instant) -> RankingPeriod {
    period(of: moment) { date in
      let first = date.number - (date.day - 1)
      let length = (28...31).first { CivilDate(day: first + Int64($0)).day == 1 } ?? 31
      return (Int(date.day - 1), length)
    }
  }

  /// The period of `length` days of which `before` come before the moment's day.
  private func period(
    of moment: Instant,
    _ place: (CivilDate) -> (before: Int, length: Int)
  ) -> RankingPeriod {
    let (before, length) = place(CivilDate(days(1, moment.milliseconds)[0].date))
    let beginMs = days(before + 1, moment.milliseconds)[0].range.lowerBound.milliseconds
    // Noon of the first day behind it, or about noon where clocks were changed meanwhile.
    let behindMs = beginMs + Int64(length) * Self.dayMs + Self.dayMs / 2
    return RankingPeriod(Instant(milliseconds: beginMs)..<days(1, behindMs)[0].range.lowerBound)
  }

  /// The periods whose rankings are read now or next.
  func rankingPeriods(at now: Instant) -> [RankingPeriod] {
    let (week, month) = (week(of: now), month(of: now))
    return [week, self.week(of: week.range.upperBound), month, self.month(of: month.range.upperBound)]
  }
}

extension Records {
  private static let rankingsSeconds: Int64 = 3_600
  private static let retrySeconds: Int64 = 5

  /// Has the store keep the rankings of now and of what comes next; for one shard of all, again and again.
  func keepRankings() {
    let ownShard = ownShard
    gateway.context.store.keepRankings(of: days.rankingPeriods(at: gateway.now)) { result in
      let isKept = if case .success = result { true } else { false }
      ownShard.post { $0.setRankingsTimer(isKept: isKept) }
    }
  }

  /// Sets the time of the next `keepRankings`.
  func setRankingsTimer(isKept: Bool) {
    let seconds = isKept ? Self.rankingsSeconds : Self.retrySeconds
    _ = gateway.core.setTimer(rankingsTimer, at: gateway.core.now.advanced(seconds: seconds))
  }
}
