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
  private var gone: [String: ClosedRange<Int64>] = [:]

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

  /// Checks that the store has all acknowledged taps, once, and besides only taps that may have counted without an
  /// answer.
  func checkConservation(_ players: [Player], schools: [School]) throws(BrokenRule) {
    var bounds = gone
    for player in players {
      let counts = player.playerID.flatMap { PlayerID($0) }.map { tally.counts(of: $0) } ?? []
      for school in schools.map(\.id.description) {
        let acknowledged = player.taps.counted[school] ?? 0
        let kept = player.taps.kept.flatMap { $0.wasSent && school == player.taps.school ? $0.countedTaps : nil } ?? 0
        let before = bounds[school] ?? 0...0
        bounds[school] = before.lowerBound + acknowledged...before.upperBound + acknowledged + kept
        if player.mayBeDeleted { continue }
        let own = counts.first { $0.school.description == school }?.count ?? 0
        let isRight = own == acknowledged || own == acknowledged + kept
        try BrokenRule.unless(
          isRight,
          .tapsKept,
          "player \(player.number) has \(own) for \(school), \(acknowledged) acknowledged, \(kept) unanswered"
        )
      }
    }
    for school in schools.map(\.id.description) {
      let (total, bounds) = (total(of: school), bounds[school] ?? 0...0)
      try BrokenRule.unless(bounds ~= total, .tapsKept, "\(school) has \(total), \(bounds) were tapped")
    }
  }

  /// Checks that the store's rows and records add up to everything written, and agree with each other.
  func checkRecovered(from store: FaultyStore, _ players: [Player]) throws(BrokenRule) {
    var back = Tally()
    var mismatches = 0
    do {
      try store.tally(rows: { try back.restore($0) }, segments: { mismatches += try back.apply($0) })
    } catch {
      throw BrokenRule(rule: .tapsKept, detail: "\(error)")
    }
    try BrokenRule.unless(mismatches == 0, .tapsKept, "\(mismatches) records do not fit the rows")
    let disagreements = back.check()
    try BrokenRule.unless(disagreements.isEmpty, .tapsKept, disagreements.joined(separator: "; "))
    let isSame =
      back.sequence == tally.sequence && back.ranking(of: back.season) == ranking
      && back.playerCount == tally.playerCount
    try BrokenRule.unless(isSame, .recoversAll, "\(back.ranking(of: back.season)), not \(ranking)")
    for player in players {
      guard let id = player.playerID.flatMap({ PlayerID($0) }) else { continue }
      let isSame = back.standing(of: id) == tally.standing(of: id) && back.counts(of: id) == tally.counts(of: id)
      try BrokenRule.unless(isSame, .recoversAll, "player \(player.number): \(back.counts(of: id))")
    }
  }
}
