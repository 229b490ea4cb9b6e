// The store's taps, built up record by record: at any moment the result of a recovery. A value of one run.
//
// It never sees a row, so that the store's rows and records can be compared with it.
import Game
import MadangProtocol
import Store

struct WrittenTaps {
  private(set) var tally = Tally()
  private(set) var ranking: [RankedSchool] = []
  /// The taps of deleted players by school: the acknowledged ones, and the most that may come on top.
  private(set) var gone: [String: ClosedRange<Int64>] = [:]

  /// Takes a written batch.
  mutating func take(_ batch: Batch) throws(BrokenRule) {
    for segment in batch.tally.compactMap(\.segment) {
      let mismatches: Int
      do throws(JournalFault) {
        mismatches = try tally.apply(segment.bytes)
      } catch {
        throw BrokenRule(rule: .tapsKept, detail: "\(error)")
      }
      try BrokenRule.unless(mismatches == 0, .tapsKept, "\(mismatches) records do not fit the tally")
      ranking = tally.ranking(of: tally.season)
    }
  }

  /// A player is deleted, at least in the tally: the counted taps stay.
  mutating func keepTapsOfDeleted(_ taps: TapCopy) {
    for school in Set(taps.counted.keys).union([taps.school]) {
      let before = gone[school] ?? 0...0
      let counted = taps.counted[school] ?? 0
      let maybe = school == taps.school && taps.kept?.wasSent == true ? taps.kept?.countedTaps ?? 0 : 0
      gone[school] = before.lowerBound + counted...before.upperBound + counted + maybe
    }
  }

  func standing(of player: String) -> TapStanding? {
    PlayerID(player).flatMap { tally.standing(of: $0) }
  }

  func total(of school: String) -> Int64 {
    SchoolID(school).map { tally.total(of: $0, in: tally.season) } ?? 0
  }

  // Rules.

  /// Checks that a school's received count is in the store.
  func checkWritten(_ count: Int64, of school: String) throws(BrokenRule) {
    let total = total(of: school)
    try BrokenRule.unless(
      count <= total,
      .writtenFirst,
      "\(school) was reported with \(count), \(total) are in the store"
    )
  }
}
