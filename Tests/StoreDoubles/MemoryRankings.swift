// Rankings of the double.
import Game
import Store

extension MemoryStore {
  package func keepRankings(of periods: [RankingPeriod], _ completion: @escaping Completion<Void>) {
    respond(completion) { tables in
      tables.rankingPeriods.formUnion(periods)
      return .success(())
    }
  }

  package func rankings(
    of lands: [LandID],
    in period: RankingPeriod,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<[LandRanking]>
  ) {
    respond(completion) { tables in
      guard tables.rankingPeriods.contains(period) else { return .failure(MemoryRankings.notKept) }
      return .success(
        lands.compactMap {
          MemoryRankings(tables: tables).ranking(of: $0, in: period, top: top, for: player, ownTimesMax: ownTimesMax)
        }
      )
    }
  }

  package func ranking(
    of land: LandID,
    in period: RankingPeriod,
    after cursor: RankingCursor?,
    limit: Int,
    for player: PlayerID,
    _ completion: @escaping Completion<RankingPage?>
  ) {
    respond(completion) { tables in
      guard tables.rankingPeriods.contains(period) else { return .failure(MemoryRankings.notKept) }
      return .success(
        MemoryRankings(tables: tables).ranking(of: land, in: period, after: cursor, limit: limit, for: player)
      )
    }
  }
}

/// The rankings that the tables have.
struct MemoryRankings {
  let tables: MemoryTables

  static let notKept = StoreFailure.other("no rankings are kept of this period")

  func ranking(of id: LandID, in period: RankingPeriod, top: Int, for player: PlayerID, ownTimesMax: Int)
    -> LandRanking?
  {
    guard let entry = tables.lands.first(where: { $0.land.id == id }) else { return nil }
    let rows = ranked(entry, in: period)
    let own = rows.first { $0.player == player }
    return LandRanking(
      land: id,
      name: entry.land.name,
      top: Array(rows.prefix(top)),
      own: own,
      neighbours: rows.filter { row in own.map { abs($0.rank - row.rank) == 1 } ?? false },
      ownTimes: Array((entry.runs[player] ?? []).sorted { $0.capturedAt > $1.capturedAt }.prefix(ownTimesMax))
    )
  }

  func ranking(of id: LandID, in period: RankingPeriod, after cursor: RankingCursor?, limit: Int, for player: PlayerID)
    -> RankingPage?
  {
    guard let entry = tables.lands.first(where: { $0.land.id == id }) else { return nil }
    let rows = ranked(entry, in: period)
    var rest = rows[...]
    if let cursor {
      let place = rows.firstIndex { $0.player == cursor.player && $0.timeMs == cursor.timeMs }
      rest = rows[(place.map { $0 + 1 } ?? rows.firstIndex { $0.timeMs >= cursor.timeMs } ?? rows.endIndex)...]
    }
    let page = rest.prefix(limit).enumerated().map { index, row in
      var row = row
      row.rank = (cursor?.rank ?? 0) + index + 1
      return row
    }
    return RankingPage(rows: page, hasPlayer: rows.contains { $0.player == player })
  }

  func ranked(_ entry: MemoryLand, in period: RankingPeriod = .allTime) -> [RankedRun] {
    let bests = entry.runs.compactMap { player, times -> RankedRun? in
      let inPeriod = times.filter { period.range.contains($0.capturedAt) }
      guard let best = inPeriod.min(by: { ($0.timeMs, $0.capturedAt) < ($1.timeMs, $1.capturedAt) }),
        let nickname = tables.players[player]?.nickname
      else { return nil }
      return RankedRun(
        rank: 0,
        player: player,
        nickname: nickname,
        timeMs: best.timeMs,
        capturedAt: best.capturedAt
      )
    }
    let order = bests.sorted { ($0.timeMs, $0.capturedAt, $0.player) < ($1.timeMs, $1.capturedAt, $1.player) }
    return order.enumerated().map { index, row in
      var row = row
      row.rank = index + 1
      return row
    }
  }
}
