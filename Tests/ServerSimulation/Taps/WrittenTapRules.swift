// The rules of the store's taps and the players' knowledge of them.
import Game
import MadangProtocol
import Store

extension WrittenTaps {
  /// Checks that the store has all acknowledged taps, once, and besides only taps that may have counted without an
  /// answer.
  func checkConservation(_ players: [Player], schools: [School]) throws(BrokenRule) {
    var bounds = gone
    for player in players {
      let counts = player.playerID.flatMap { PlayerID($0) }.map { tally.counts(of: $0) } ?? []
      for school in schools.map(\.id.description) {
        let taps = player.tapClient.taps
        let acknowledged = taps.counted[school] ?? 0
        let kept = taps.kept.flatMap { $0.wasSent && school == taps.school ? $0.countedTaps : nil } ?? 0
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
