// The validity of a ranking: in order, and its three parts from the same moment.
//
// Pure. It checks one message alone; the watchers check changes from one to the next.
import MadangProtocol

package enum RankingCheck {
  /// The faults of a ranking for a player who asked for `top` rows and has chosen `school`.
  package static func complaints(about ranking: WireRanking, top most: Int, school: String?) -> [String] {
    var complaints: [String] = []
    if ranking.season < 1 { complaints.append("season \(ranking.season)") }
    complaints += order(ranking.top, most: most)
    guard let school else {
      if ranking.hasMine || !ranking.neighbours.isEmpty { complaints.append("a school for who has none") }
      return complaints
    }
    guard ranking.hasMine, ranking.mine.schoolID == school else {
      return complaints + ["mine is \(ranking.mine.schoolID), not \(school)"]
    }
    guard ranking.mine.rank > 0 else { return complaints + unranked(ranking) }
    return complaints + place(ranking, isWhole: ranking.top.count < most) + neighbours(ranking)
  }

  private static func order(_ top: [WireRankedSchool], most: Int) -> [String] {
    var complaints: [String] = []
    if top.count > most { complaints.append("\(top.count) rows, \(most) asked for") }
    if Set(top.map(\.schoolID)).count < top.count { complaints.append("a school twice in the top") }
    for (index, row) in top.enumerated() where row.rank != index + 1 {
      complaints.append("row \(index + 1) has rank \(row.rank)")
    }
    for row in top where row.count < 1 || row.schoolID.isEmpty || row.name.isEmpty {
      complaints.append("rank \(row.rank) is \(row.schoolID) with \(row.count)")
    }
    for (row, next) in zip(top, top.dropFirst()) where row.count < next.count {
      complaints.append("rank \(row.rank) has \(row.count), rank \(next.rank) has \(next.count)")
    }
    return complaints
  }

  private static func unranked(_ ranking: WireRanking) -> [String] {
    let isConsistent =
      ranking.mine.count == 0 && ranking.neighbours.isEmpty
      && !ranking.top.contains { $0.schoolID == ranking.mine.schoolID }
    return isConsistent ? [] : ["without a rank, but with \(ranking.mine.count), neighbours, or a row in the top"]
  }

  /// Checks the own row against the top: the same row in it, or behind its last row. Nothing is behind a whole ranking.
  private static func place(_ ranking: WireRanking, isWhole: Bool) -> [String] {
    let (top, mine) = (ranking.top, ranking.mine)
    if mine.rank <= top.count {
      return top[Int(mine.rank) - 1] == mine ? [] : ["rank \(mine.rank) in the top is another row than mine"]
    }
    if isWhole { return ["mine has rank \(mine.rank) of \(top.count)"] }
    if top.contains(where: { $0.schoolID == mine.schoolID }) { return ["mine is in the top, and behind it"] }
    return mine.count < 1 || mine.count > (top.last?.count ?? 0) ? ["rank \(mine.rank) has \(mine.count)"] : []
  }

  private static func neighbours(_ ranking: WireRanking) -> [String] {
    let (top, mine) = (ranking.top, ranking.mine)
    var ranks = ranking.neighbours.map(\.rank)
    // The last row of all has none behind it.
    if ranks.last != mine.rank + 1, mine.rank >= top.count { ranks.append(mine.rank + 1) }
    guard ranks == (mine.rank > 1 ? [mine.rank - 1] : []) + [mine.rank + 1] else {
      return ["neighbours of rank \(mine.rank) have ranks \(ranking.neighbours.map(\.rank))"]
    }
    var complaints: [String] = []
    for row in ranking.neighbours {
      let isInOrder = row.rank < mine.rank ? row.count >= mine.count : row.count <= mine.count && row.count > 0
      if !isInOrder { complaints.append("rank \(row.rank) has \(row.count) beside \(mine.count)") }
      if row.rank <= top.count, top[Int(row.rank) - 1] != row { complaints.append("rank \(row.rank) is two rows") }
    }
    return complaints
  }
}
