// Choices, seasons and voided taps: the counts that they change, and the others.
import Game
import Testing

@Suite("School taps: choices, seasons, voided taps")
struct SchoolSeasonTests {
  private var test = TestTally()

  /// Player 1 has 10 for school 0 and 20 for school 1, player 2 has 5 for school 1.
  init() throws {
    #expect(try test.choose(0) == .chosen)
    #expect(try test.choose(1, by: 2) == .chosen)
    #expect(test.tap(1, 10) == .counted(1, mine: 10, school: 10))
    #expect(try test.choose(1) == .chosen)
    #expect(test.tap(1, 5, by: 2) == .counted(1, mine: 5, school: 5))
    #expect(test.tap(2, 20) == .counted(2, mine: 20, school: 25))
    test.nowMs += 60_000
  }

  private func counted(_ tally: Tally, _ player: Int) -> [String] {
    tally.counts(of: PlayerID(UInt128(player))).map { "\($0.school)/\($0.season): \($0.count)-\($0.voided)" }
  }

  @Test("A change of school sets the player's count to 0, and the old school's total stays")
  func change() throws {
    var test = test
    #expect(try test.standing().myCount == 20)
    #expect(try test.choose(0) == .chosen)
    #expect(try test.standing().myCount == 0)
    #expect(try test.standing().school == TestTally.school(0))
    #expect(try test.total(1) == 25)
    // The previous school keeps its count; the own count shown starts again.
    #expect(test.tap(3, 1) == .counted(3, mine: 1, school: 11))
    #expect(counted(test.tally, 1) == ["S0/1: 11-0", "S1/1: 20-0"])
  }

  @Test("Choosing the same school again changes nothing, and makes no record")
  func same() throws {
    var test = test
    _ = test.tally.takeRecords()
    #expect(try test.choose(1) == .same)
    #expect(try test.standing().myCount == 20)
    #expect(test.tally.takeRecords() == nil)
  }

  @Test("A season's end gives its final ranking; the next one begins at zero, and the batch numbers continue")
  func closing() throws {
    var test = test
    let closing = test.tally.closeSeason(at: test.now)
    #expect(closing.season == 1)
    #expect(closing.closedAt == test.now)
    #expect(closing.ranking.map(\.rank) == [1, 2])
    #expect(closing.ranking.map(\.school) == [try TestTally.school(1), try TestTally.school(0)])
    #expect(closing.ranking.map(\.count) == [25, 10])
    #expect(test.tally.season == 2)
    #expect(test.tally.end(of: 1) == test.now)
    #expect(test.tally.end(of: 2) == nil && test.tally.end(of: 3) == nil && test.tally.end(of: 0) == nil)
    #expect(test.order() == [])
    #expect(try test.standing().myCount == 0)
    #expect(try test.standing().school == TestTally.school(1))
    #expect(test.tap(1, 1) == .past(1, mine: 0, school: 0))
    #expect(test.tap(3, 7) == .counted(3, mine: 7, school: 7))
    #expect(test.order(1) == ["S1", "S0"])
    #expect(try test.total(1, season: 1) == 25)
    #expect(counted(test.tally, 1) == ["S0/1: 10-0", "S1/1: 20-0", "S1/2: 7-0"])
    // A season in which nobody taps ends with nobody in its ranking.
    _ = test.tally.closeSeason(at: test.now)
    #expect(test.tally.closeSeason(at: test.now).ranking == [])
  }

  @Test("Voided taps are subtracted from all totals of the season, once; later taps count again")
  func voiding() throws {
    var test = test
    #expect(test.void() == 30)
    #expect(try test.total(0) == 0)
    #expect(try test.total(1) == 5)
    #expect(test.order() == ["S1"])
    #expect(try test.standing().myCount == 0)
    #expect(counted(test.tally, 1) == ["S0/1: 10-10", "S1/1: 20-20"])
    _ = test.tally.takeRecords()
    #expect(test.void() == 0)
    #expect(test.tally.takeRecords() == nil)
    #expect(test.tap(3, 7) == .counted(3, mine: 7, school: 12))
    #expect(test.void() == 7)
    #expect(counted(test.tally, 1) == ["S0/1: 10-10", "S1/1: 27-27"])
    #expect(try test.total(1) == 5)
  }

  @Test("Taps of a past season are voided in that season, and the running one is unchanged")
  func voidingOfThePast() throws {
    var test = test
    _ = test.tally.closeSeason(at: test.now)
    #expect(test.tap(3, 7) == .counted(3, mine: 7, school: 7))
    #expect(test.void(season: 1) == 30)
    #expect(try test.total(1, season: 1) == 5)
    #expect(try test.total(1, season: 2) == 7)
    #expect(try test.standing().myCount == 7)
    #expect(test.void(season: 2) == 7)
    #expect(try test.standing().myCount == 0)
  }

  @Test("Taps of an unknown player or an unknown season can't be voided")
  func voidingOfNothing() {
    var test = test
    #expect(test.void(3) == nil)
    #expect(test.void(season: 0) == nil)
    #expect(test.void(season: 2) == nil)
    #expect(test.void(season: .max) == nil)
  }

  @Test("Of equal counts the first to reach it ranks higher, and the total after a void counts as reached at the void")
  func reached() throws {
    var test = TestTally()
    for player in 1...4 {
      #expect(try test.choose(player == 4 ? 3 : player, by: player) == .chosen)
    }
    _ = test.tap(1, 10, by: 2)
    _ = test.tap(1, 10, by: 1)
    #expect(test.order() == ["S2", "S1"])
    _ = test.tap(1, 4, by: 4)
    _ = test.tap(1, 10, by: 3)
    #expect(test.order() == ["S3", "S2", "S1"])
    // School 3 is at 10 too now, reached just now.
    #expect(test.void(4) == 4)
    #expect(test.order() == ["S2", "S1", "S3"])
    _ = test.tap(2, 1, by: 3, afterMs: 1_000)
    #expect(test.order() == ["S3", "S2", "S1"])
  }

  @Test("The ranking is notified of each school changed in the running season, once")
  func standings() throws {
    var test = test
    #expect(test.tally.takeStandings().map(\.count) == [10, 25])
    #expect(test.tally.takeStandings().isEmpty)
    _ = test.tap(3, 1)
    _ = test.tap(4, 1)
    let number = try #require(test.tally.number(of: TestTally.school(1)))
    #expect(test.tally.school(number) == (try TestTally.school(1)))
    let standings = test.tally.takeStandings()
    #expect(standings.map(\.school) == [number] && standings.map(\.count) == [27])
    #expect(standings.map(\.reached) == [test.tally.sequence])
    // A total that was not taken before a closing is never taken.
    _ = test.tap(5, 1)
    _ = test.tally.closeSeason(at: test.now)
    #expect(test.tally.takeStandings().isEmpty)
    #expect(test.void(season: 1) == 33)
    #expect(test.tally.takeStandings().isEmpty)
    #expect(test.tap(6, 2) == .counted(6, mine: 2, school: 2))
    #expect(test.tally.takeStandings().map(\.count) == [2])
  }
}
