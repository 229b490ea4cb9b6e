// The contest's rules that are checked when the server has begun anew, when a run is quiescent and at its end.
import Game
import MadangProtocol

extension World: TapWorld {
  /// Checks that the store's taps are whole and include the acknowledged ones.
  func checkTaps() throws(BrokenRule) {
    try writtenTaps.checkRecovered(from: store, players)
    try writtenTaps.checkConservation(players, schools: schools.all)
    for player in players where !player.mayBeDeleted {
      guard let id = player.playerID else { continue }
      let standing = writtenTaps.standing(of: id)
      let isRight = player.tapClient.taps.fits(
        school: standing?.school.description ?? "",
        lastBatch: standing?.lastBatch ?? 0,
        myCount: standing?.myCount ?? 0
      )
      try BrokenRule.unless(
        isRight,
        .tapsKept,
        "player \(player.number): \(standing as Any), not \(player.tapClient.taps)"
      )
    }
    report.tapChecks += 1
  }

  /// Compares the watchers' last rankings with the current one, when it has not changed for a while and nothing is
  /// under way to them. By then a tick of the ranking has passed, and another for watchers that were behind at the
  /// first.
  func compareRankings() throws(BrokenRule) {
    for player in players where player.tapClient.ranking.top != nil {
      guard isQuiet(player) else {
        player.tapClient.ranking.quiet = nil
        player.tapClient.ranking.seenSequence = writtenTaps.tally.sequence
        continue
      }
      let (since, isCompared) = player.tapClient.ranking.quiet ?? (now, false)
      player.tapClient.ranking.quiet = (since, isCompared)
      guard !isCompared, now.microseconds(since: since) > 1_600_000, player.link?.isIdle == true else { continue }
      try BrokenRule.unless(hasNewestRanking(player), .rankingsConverge, difference(of: player))
      player.tapClient.ranking.quiet = (since, true)
    }
  }

  private func isQuiet(_ player: Player) -> Bool {
    guard isServing, let link = player.link, link.condition == .whole, link.stalledUntil == nil else { return false }
    let isAbout =
      player.isTapping || player.tapClient.taps.wanted != nil || player.isDeciding || player.isAskingForRanking
    return !isAbout && player.tapClient.ranking.seenSequence == writtenTaps.tally.sequence
  }

  /// Checks that without further taps all watchers receive the current ranking.
  func checkRankings() throws(BrokenRule) {
    let areNotified = try pass(until: now.advanced(seconds: 5)) { () throws(BrokenRule) in
      players.allSatisfy(hasNewestRanking)
    }
    guard !areNotified, let player = players.first(where: { !hasNewestRanking($0) }) else { return }
    throw BrokenRule(rule: .rankingsConverge, detail: difference(of: player))
  }

  private func difference(of player: Player) -> String {
    "player \(player.number) has \(player.tapClient.ranking.newest as Any), not \(writtenTaps.ranking)"
  }

  private func hasNewestRanking(_ player: Player) -> Bool {
    guard let top = player.tapClient.ranking.top else { return true }
    let ranking = writtenTaps.ranking.map(row)
    var expected = WireRanking()
    expected.season = 1
    expected.top = Array(ranking.prefix(Int(top)))
    if let school = schools.all.first(where: { $0.id.description == player.tapClient.taps.school }) {
      let place = ranking.firstIndex { $0.schoolID == player.tapClient.taps.school }
      expected.mine = place.map { ranking[$0] } ?? row(of: school, rank: 0, count: 0)
      if let place {
        expected.neighbours = [place - 1, place + 1].filter(ranking.indices.contains).map { ranking[$0] }
      }
    }
    guard player.tapClient.ranking.newest == expected else { return false }
    report.rankingComparisons += 1
    return true
  }

  private func row(_ ranked: RankedSchool) -> WireRankedSchool {
    guard let school = schools.all.first(where: { $0.id == ranked.school }) else { return WireRankedSchool() }
    return row(of: school, rank: ranked.rank, count: ranked.count)
  }

  private func row(of school: School, rank: Int, count: Int64) -> WireRankedSchool {
    var row = WireRankedSchool()
    row.rank = UInt32(rank)
    row.schoolID = school.id.description
    row.name = school.name
    row.region = school.region
    row.count = count
    return row
  }
}
