// The watchers' check of a ranking, on right rankings and on rankings with one fault each.
import MadangProtocol
import Testing
import madang_loadtest

@Suite struct RankingCheckTests {
  /// Schools A, B, C … by count, as a ranking for a player of one of them.
  private func makeRanking(_ counts: [Int64], top: Int, of school: Int?) -> WireRanking {
    let rows = counts.enumerated().map { index, count in
      var row = WireRankedSchool()
      row.rank = UInt32(index + 1)
      row.schoolID = name(of: index)
      row.name = "school \(index)"
      row.count = count
      return row
    }
    var ranking = WireRanking()
    ranking.season = 1
    ranking.top = Array(rows.prefix(top))
    guard let school else { return ranking }
    ranking.mine.schoolID = name(of: school)
    guard rows.indices.contains(school) else { return ranking }
    ranking.mine = rows[school]
    ranking.neighbours = [school - 1, school + 1].filter(rows.indices.contains).map { rows[$0] }
    return ranking
  }

  private func name(of school: Int) -> String { String(UnicodeScalar(UInt8(65 + school))) }

  private static let counts: [Int64] = [90, 50, 50, 20, 7]

  @Test("Every correct place in a ranking passes, within the top, at its edge and below it", arguments: 1...6, 0...5)
  func right(top: Int, school: Int) {
    let ranking = makeRanking(Self.counts, top: top, of: school)
    #expect(RankingCheck.complaints(about: ranking, top: top, school: name(of: school)) == [])
    #expect(RankingCheck.complaints(about: ranking, top: top, school: "Z") != [])
    #expect(RankingCheck.complaints(about: ranking, top: top, school: nil) != [])
    let without = makeRanking(Self.counts, top: top, of: nil)
    #expect(RankingCheck.complaints(about: without, top: top, school: nil) == [])
    #expect(
      RankingCheck.complaints(about: makeRanking([], top: top, of: school), top: top, school: name(of: school)) == []
    )
  }

  private struct Fault: CustomStringConvertible, Sendable {
    let description: String
    let spoil: @Sendable (inout WireRanking) -> Void

    init(_ description: String, _ spoil: @escaping @Sendable (inout WireRanking) -> Void) {
      self.description = description
      self.spoil = spoil
    }
  }

  @Test("A single wrong value is detected")
  func wrong() {
    let faults = [
      Fault("no season") { $0.season = 0 },
      Fault("a rank twice") { $0.top[1].rank = 1 },
      Fault("out of order") { $0.top[1].count = 91 },
      Fault("without a count") { $0.top[2].count = 0 },
      Fault("without a name") { $0.top[0].name = "" },
      Fault("a school twice") { $0.top[2].schoolID = "A" },
      Fault("a row too many") { $0.top.append($0.mine) },
      Fault("a row too few, and mine behind it") { $0.top.removeLast() },
      Fault("mine of another moment") { $0.mine.count = 51 },
      Fault("mine without a rank") { $0.mine.rank = 0 },
      Fault("no neighbours") { $0.neighbours = [] },
      Fault("the one before is missing") { $0.neighbours.removeFirst() },
      Fault("mine as a neighbour") { $0.neighbours[0] = $0.mine },
      Fault("the one before has less") { $0.neighbours[0].count = 19 },
      Fault("the one behind has more") { $0.neighbours[1].count = 21 },
      Fault("the one before is another than in the top") { $0.neighbours[0].count = 49 },
    ]
    let right = makeRanking(Self.counts, top: 3, of: 3)
    #expect(RankingCheck.complaints(about: right, top: 3, school: "D") == [])
    for fault in faults {
      var ranking = right
      fault.spoil(&ranking)
      #expect(RankingCheck.complaints(about: ranking, top: 3, school: "D") != [], "\(fault)")
    }
  }

  @Test("An own row that differs from the top's is detected, and so is one below a complete ranking")
  func ownRow() {
    var ranking = makeRanking(Self.counts, top: 3, of: 1)
    ranking.mine.count += 1
    #expect(RankingCheck.complaints(about: ranking, top: 3, school: "B") != [])
    #expect(RankingCheck.complaints(about: makeRanking(Self.counts, top: 3, of: 4), top: 4, school: "E") != [])
  }
}
