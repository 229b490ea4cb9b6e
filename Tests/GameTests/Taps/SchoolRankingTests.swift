// The ranking kept in order, compared with one that is sorted each time.
import Game
import SeededRandom
import Testing

@Suite("School taps: the ranking")
struct SchoolRankingTests {
  /// The expected ranking, in the simplest form.
  private struct SortedRanking {
    var standings: [Int: (count: Int64, reached: UInt64)] = [:]

    var order: [Int] {
      standings.filter { $0.value.count > 0 }.sorted {
        ($1.value.count, $0.value.reached, $0.key) < ($0.value.count, $1.value.reached, $1.key)
      }
      .map(\.key)
    }
  }

  private func check(_ ranking: SchoolRanking, _ order: [Int], schools: Int) {
    #expect(ranking.count == order.count)
    #expect(ranking.top(schools) == order)
    #expect(ranking.school(atRank: 0) == nil && ranking.school(atRank: order.count + 1) == nil)
    for (index, school) in order.enumerated() {
      #expect(ranking.rank(of: school) == index + 1)
      #expect(ranking.school(atRank: index + 1) == school)
      let neighbours = ranking.neighbours(of: school)
      #expect(neighbours.above == (index > 0 ? order[index - 1] : nil))
      #expect(neighbours.below == (index + 1 < order.count ? order[index + 1] : nil))
    }
    let ranked = Set(order)
    for school in -1...schools where !ranked.contains(school) {
      #expect(ranking.rank(of: school) == nil)
      #expect(ranking.count(of: school) == 0)
      #expect(ranking.neighbours(of: school) == (nil, nil))
    }
  }

  @Test("Ranks, the top and neighbours equal those of a freshly sorted array", arguments: 0..<40 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var ranking = SchoolRanking()
    var sorted = SortedRanking()
    let schools = random.draw(1...60)
    let countMax = random.pick([2, 20, 1_000_000])
    for step in 1...400 {
      let school = random.draw(0...schools - 1)
      let count = random.chance(15) ? 0 : Int64(random.draw(0...countMax))
      // Now and then two reach their counts together, as a void can make them.
      let reached = UInt64(random.chance(10) ? step - step % 5 : step)
      ranking.set(school, count: count, reached: reached)
      sorted.standings[school] = (count, reached)
      #expect(ranking.count(of: school) == count)
      if step % 20 == 0 { check(ranking, sorted.order, schools: schools) }
    }
  }

  @Test(
    "A whole country's schools, counted up in any order, are ranked in order",
    arguments: ["ascending", "descending", "alternating"]
  )
  func country(order: String) {
    let schools = 12_011
    var ranking = SchoolRanking()
    func count(_ school: Int) -> Int64 {
      switch order {
      case "ascending": Int64(school + 1)
      case "descending": Int64(schools - school)
      default: Int64(school % 2 == 0 ? school + 1 : 2 * schools - school)
      }
    }
    for school in 0..<schools {
      ranking.set(school, count: count(school), reached: UInt64(school))
    }
    let expected = (0..<schools).sorted { (count($1), $0) < (count($0), $1) }
    #expect(ranking.top(schools) == expected)
    for rank in [-1, 0, 1, 7, schools, schools + 1] {
      let page = Array(expected.dropFirst(max(rank, 0)).prefix(5))
      #expect(ranking.schools(behindRank: rank, limit: 5) == page, "\(rank)")
    }
    #expect(expected.indices.allSatisfy { ranking.rank(of: expected[$0]) == $0 + 1 })
    // And out again, every second one first.
    for school in stride(from: 0, to: schools, by: 2) {
      ranking.set(school, count: 0, reached: UInt64(schools + school))
    }
    #expect(ranking.top(schools) == expected.filter { $0 % 2 == 1 })
    for school in stride(from: 1, to: schools, by: 2) {
      ranking.set(school, count: 0, reached: UInt64(schools + school))
    }
    #expect(ranking.count == 0)
    #expect(ranking.top(10).isEmpty)
  }

  @Test("Of equal counts the first to reach it ranks higher, and one more tap overtakes")
  func firstReached() {
    var ranking = SchoolRanking()
    ranking.set(7, count: 10, reached: 5)
    ranking.set(2, count: 10, reached: 6)
    #expect(ranking.top(10) == [7, 2])
    ranking.set(2, count: 11, reached: 7)
    #expect(ranking.top(10) == [2, 7])
    ranking.set(7, count: 11, reached: 8)
    #expect(ranking.top(10) == [2, 7])
    #expect(ranking.top(1) == [2])
    #expect(ranking.top(0).isEmpty && ranking.top(-1).isEmpty)
  }
}
