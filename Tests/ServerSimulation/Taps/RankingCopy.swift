// A player's copy of the schools' ranking, and the rules for a ranking by itself. A value of one player.
import MadangProtocol
import Net

struct RankingCopy {
  /// The number of schools that the player wants, across lost connections; nil for none.
  var wanted: UInt32?
  /// The number of top schools that the server sends on this connection; nil without a watch.
  private(set) var top: UInt32?
  private(set) var newest: WireRanking?
  /// The time since which the server has had nothing to send, and whether the copy was compared since then; nil
  /// otherwise.
  var quiet: (since: Timestamp, isCompared: Bool)?
  /// The newest record of the tally at the last look.
  var seenSequence: UInt64 = 0
  /// The highest count of each school that the player has received.
  private var highest: [String: Int64] = [:]

  static let topDefault: UInt32 = 10

  mutating func watch(_ top: UInt32) {
    self.top = top
  }

  /// Ends the watch, or the connection.
  mutating func end() {
    top = nil
    newest = nil
    quiet = nil
  }

  /// An answer says that a school has at least this many.
  mutating func note(_ school: String, _ count: Int64) {
    highest[school] = max(highest[school] ?? 0, count)
  }

  /// Takes a ranking; returns its fault, nil without one.
  mutating func take(_ ranking: WireRanking) -> String? {
    guard ranking.timeMs > 0 else { return "no time" }
    newest = ranking
    // One ranking is sent with different times.
    newest?.timeMs = 0
    if let fault = Self.fault(in: ranking, top: Int(top ?? 0)) { return fault }
    for row in ranking.rows {
      let before = highest[row.schoolID] ?? 0
      if row.count < before { return "\(row.schoolID) has \(row.count), and had \(before)" }
      note(row.schoolID, row.count)
    }
    return nil
  }

  private static func fault(in ranking: WireRanking, top: Int) -> String? {
    if ranking.season != 1 { return "season \(ranking.season)" }
    let rows = ranking.top
    if rows.count > top { return "\(rows.count) schools, not \(top)" }
    if Set(rows.map(\.schoolID)).count < rows.count { return "a school twice" }
    for (index, row) in rows.enumerated() {
      if Int(row.rank) != index + 1 { return "rank \(row.rank) for \(index + 1)" }
      if row.count < 1 { return "a school without taps" }
      if index > 0, row.count > rows[index - 1].count { return "rank \(row.rank) has more than the one before" }
    }
    return ranking.hasMine ? faultOfMine(in: ranking, top: top) : faultWithoutMine(in: ranking)
  }

  private static func faultWithoutMine(in ranking: WireRanking) -> String? {
    ranking.neighbours.isEmpty ? nil : "neighbours of no school"
  }

  private static func faultOfMine(in ranking: WireRanking, top: Int) -> String? {
    let (rows, mine) = (ranking.top, ranking.mine)
    guard mine.rank > 0 else {
      let isNowhere = mine.count == 0 && ranking.neighbours.isEmpty && !rows.contains { $0.schoolID == mine.schoolID }
      return isNowhere ? nil : "its own school without a rank is among others"
    }
    if rows.count < top, mine.rank > rows.count { return "its own school is not among \(rows.count)" }
    var expected = mine.rank > 1 ? [mine.rank - 1] : []
    if mine.rank < rows.count || ranking.neighbours.contains(where: { $0.rank > mine.rank }) {
      expected.append(mine.rank + 1)
    }
    guard ranking.neighbours.map(\.rank) == expected else {
      return "neighbours \(ranking.neighbours.map(\.rank)) of \(mine.rank)"
    }
    // A row in both parts must be the same in both, and all must be in order.
    let row = Dictionary(rows.map { ($0.rank, $0) }) { first, _ in first }
    let around = (ranking.neighbours + [mine]).sorted { $0.rank < $1.rank }
    if let other = around.first(where: { row[$0.rank] != nil && row[$0.rank] != $0 }) {
      return "rank \(other.rank) is two schools"
    }
    let isInOrder = zip(around, around.dropFirst()).allSatisfy { $0.count >= $1.count }
    let isBehind = around.allSatisfy { row[$0.rank] != nil || $0.count <= rows.last?.count ?? .max }
    return isInOrder && isBehind && around.allSatisfy { $0.count > 0 } ? nil : "neighbours out of order"
  }
}

extension WireRanking {
  /// Every row, some of them twice.
  var rows: [WireRankedSchool] { top + neighbours + (hasMine ? [mine] : []) }
}
