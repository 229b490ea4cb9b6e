// Random histories of the contest, through the tally and through a model that keeps everything and calculates each sum
// again.
import Game
import SeededRandom
import Testing

@Suite("School taps: the tally and a naive model")
struct TallyModelTests {
  @Test("Every decision and every sum equals the model's, over random histories", arguments: 0..<20 as Range<UInt64>)
  func histories(block: UInt64) throws {
    for seed in block * 10..<(block + 1) * 10 {
      var history = TallyHistory(seed: seed)
      var tally = Tally()
      var model = NaiveTally()
      var ranking = SchoolRanking()
      // Written rows may leave memory.
      var disk = TallyDisk()
      for step in 0..<250 {
        let isSame = try take(history.next(for: tally), atMs: history.nowMs, &tally, disk, &model, &ranking)
        try #require(isSame, "seed \(seed), step \(step)")
        if step % 10 == 9 {
          disk.commit(tally.takeChangedRows(max: history.draw(0...20)), tally.takeRecords())
          disk.forget(before: tally.recordsNeededFrom)
          let (whole, mismatches) = try disk.recovered()
          try #require(mismatches == 0 && agree(whole, model, history), "seed \(seed), step \(step)")
          try #require(agree(tally, model, history), "seed \(seed), step \(step)")
          for standing in tally.takeStandings() {
            ranking.set(standing.school, count: standing.count, reached: standing.reached)
          }
          let order = ranking.top(100).map { tally.school($0) }
          try #require(order == tally.ranking(of: tally.season).map(\.school), "seed \(seed), step \(step)")
        }
      }
    }
  }

  /// Whether both give the same answer to a step.
  private func take(
    _ step: TallyStep,
    atMs: Int64,
    _ tally: inout Tally,
    _ disk: TallyDisk,
    _ model: inout NaiveTally,
    _ ranking: inout SchoolRanking
  ) throws -> Bool {
    switch step {
    case .tap(let player, let batch, let count):
      return tally.tap(player, batch: batch, count: count, at: Instant(milliseconds: atMs))
        == model.tap(player, batch: batch, count: count, atMs: atMs)
    case .choose(let player, let school):
      return tally.choose(school, by: player) == model.choose(school, by: player)
    case .void(let player, let season):
      return try tally.voidTaps(of: player, season: season, with: disk) == model.void(player, season: season)
    case .close:
      let expected = tally.ranking(of: tally.season)
      let closing = tally.closeSeason(at: Instant(milliseconds: atMs))
      tally.dropOldCounts()
      model.close()
      ranking = SchoolRanking()
      return closing.ranking == expected && tally.season == model.season
    case .forget(let player):
      return tally.forget(player) == model.forget(player)
    case .setClosedSchools(let schools):
      tally.setClosedSchools(schools)
      model.setClosedSchools(schools)
      return true
    }
  }

  /// Whether both show the same, and all sums agree.
  private func agree(_ tally: Tally, _ model: NaiveTally, _ history: TallyHistory) -> Bool {
    for player in history.players {
      guard let expected = model.players[player], let standing = tally.standing(of: player) else {
        guard model.players[player] == nil, tally.standing(of: player) == nil else { return false }
        continue
      }
      guard standing.school == expected.school, standing.myCount == model.myCount(player),
        standing.lastBatch == expected.lastBatch, standing.isSuspect == expected.isSuspect,
        standing.abnormalCount == expected.abnormalsMs.count
      else { return false }
    }
    guard tally.check().isEmpty else { return false }
    return (1...tally.season).allSatisfy { season in
      let ranking = tally.ranking(of: season)
      let expected = model.ranking(of: season)
      let sameOrder = zip(ranking, expected).allSatisfy { ranked, other in
        // The model knows no order for two that a void brought to the same count.
        ranked.count == other.count
          && (ranked.school == other.school
            || expected.contains { $0.school == ranked.school && $0.2 == other.reached })
      }
      let sums = history.schools.allSatisfy { school in
        tally.total(of: school, in: season) == model.total(of: school, in: season)
          && history.players.allSatisfy { player in
            guard tally.keepsCounts(of: season) else { return true }
            let counts = tally.counts(of: player).filter { $0.school == school && $0.season == season }
            return counts.reduce(0) { $0 + $1.count - $1.voided } == model.sum(of: player, for: school, in: season)
          }
      }
      return ranking.count == expected.count && sameOrder && sums
    }
  }
}
