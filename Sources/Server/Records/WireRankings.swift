// Rankings of the store as messages of the wire.
//
// Pure. Other players' runs show only the day, and only to players in the same ranking.
import Game
import MadangProtocol
import Store

extension WireLandRanking {
  init(_ ranking: LandRanking, _ period: RankingPeriod, to receiver: PlayerID, _ days: DayRanges) {
    self.init()
    let row = { WireRankRow($0, to: receiver, inRanking: ranking.own != nil, days) }
    landID = ranking.land.description
    name = ranking.name
    top = ranking.top.map(row)
    if let own = ranking.own { self.own = row(own) }
    neighbours = ranking.neighbours.map(row)
    ownTimes = ranking.ownTimes.map { time in
      var row = WireOwnTime()
      row.timeMs = UInt32(clamping: time.timeMs)
      row.capturedAtMs = time.capturedAt.milliseconds
      return row
    }
    if let wire = WireRankingPeriod(period) { self.period = wire }
  }
}

extension WireRankRow {
  init(_ run: RankedRun, to receiver: PlayerID, inRanking: Bool, _ days: DayRanges) {
    self.init()
    rank = UInt32(clamping: run.rank)
    playerID = run.player.description
    nickname = run.nickname
    timeMs = UInt32(clamping: run.timeMs)
    if run.player == receiver {
      capturedAtMs = run.capturedAt.milliseconds
    } else if inRanking {
      capturedAtMs = days.beginning(ofDayOf: run.capturedAt).milliseconds
    }
  }
}

extension WireRankingPeriod {
  /// A week or a month; nil for all time.
  init?(_ period: RankingPeriod) {
    guard period != .allTime else { return nil }
    self.init()
    beginsAtMs = period.range.lowerBound.milliseconds
    endsAtMs = period.range.upperBound.milliseconds
  }
}
