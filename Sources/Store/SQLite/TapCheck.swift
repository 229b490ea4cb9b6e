// The check of school taps: part of the check of a store. The tally is rebuilt as by a start, and asked.
import GRDB
import Game

extension StoreCheck {
  func brokenTaps() throws -> [String] {
    var tally = Tally()
    var mismatches = 0
    do {
      try TapReading(db: db).hand { rows in
        try tally.restore(rows)
      } segments: { segment in
        mismatches += try tally.apply(segment)
      }
      let mismatch = mismatches > 0 ? ["\(mismatches) records of taps do not fit what there is"] : []
      return try mismatch + tally.check() + brokenClosings(tally)
    } catch StoreFailure.corrupt(let what) {
      return [what]
    }
  }

  /// Final rankings must be whole, and belong to seasons that have ended.
  private func brokenClosings(_ tally: Tally) throws -> [String] {
    var complaints: [String] = []
    for season in 1...tally.season {
      guard let closing = try TapReading(db: db).finalRanking(of: season) else {
        if tally.end(of: season) != nil { complaints.append("season \(season) has ended without a final ranking") }
        continue
      }
      if closing.closedAt != tally.end(of: season) { complaints.append("season \(season) ended at another time") }
      let isInOrder = zip(closing.ranking, closing.ranking.dropFirst()).allSatisfy { $0.count >= $1.count }
      if !isInOrder || closing.ranking.map(\.rank) != Array(1..<(closing.ranking.count + 1)) {
        complaints.append("season \(season) has a final ranking that is not in order")
      }
    }
    let strangers = try db.rows("SELECT season FROM season_closings WHERE season > ? ORDER BY season", tally.season)
    return try complaints
      + strangers.map { "season \(try $0.value(0, Int64.self)) has a final ranking and has not begun" }
  }
}
