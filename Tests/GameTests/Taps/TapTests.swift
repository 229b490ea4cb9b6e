// The rules of the school contest, sentence by sentence: the numbers of batches, and too many taps.
import Game
import Testing

@Suite("School taps: batches")
struct TapTests {
  private var test = TestTally()

  /// A tally whose player 1 has chosen school 0.
  init() throws {
    #expect(try test.choose(0) == .chosen)
  }

  @Test("A player without a school can't tap, and is not recorded")
  func noSchool() throws {
    var test = test
    #expect(test.tap(1, 10, by: 2) == .noSchool)
    #expect(test.tally.playerCount == 1)
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 10, by: 2) == .counted(1, mine: 10, school: 10))
  }

  @Test("A closed school can't be chosen and takes no taps, until it is open again")
  func closedSchool() throws {
    var test = test
    test.tally.setClosedSchools([try TestTally.school(0), try TestTally.school(5)])
    #expect(test.tap(1, 10) == .schoolClosed)
    #expect(try test.choose(0, by: 2) == .closed)
    #expect(try test.choose(0) == .closed)
    #expect(try test.choose(5, by: 2) == .closed)
    // A school that nobody had chosen when the list came.
    #expect(try test.choose(1, by: 2) == .chosen)
    #expect(test.tap(1, 10, by: 2) == .counted(1, mine: 10, school: 10))
    test.tally.setClosedSchools([try TestTally.school(1)])
    #expect(test.tap(2, 10, by: 2) == .schoolClosed)
    #expect(test.tap(1, 10) == .counted(1, mine: 10, school: 10))
    #expect(try test.choose(5, by: 2) == .chosen)
  }

  @Test("A counted batch is answered again after its school was closed; only a new batch is refused")
  func closedSince() throws {
    var test = test
    #expect(test.tap(1, 10) == .counted(1, mine: 10, school: 10))
    #expect(test.tap(2, 5) == .counted(2, mine: 15, school: 15))
    test.tally.setClosedSchools([try TestTally.school(0)])
    #expect(test.tap(2, 5) == .again(2, mine: 15, school: 15))
    #expect(test.tap(1, 10) == .past(1, mine: 15, school: 15))
    #expect(test.tap(0, 10) == .past(0, mine: 15, school: 15))
    for batch in [3, 4, .max] as [UInt32] {
      #expect(test.tap(batch, 10) == .schoolClosed)
    }
    #expect(test.tap(3, 0) == .schoolClosed)
    #expect(test.tap(3, 230) == .schoolClosed)
    test.tally.setClosedSchools([])
    #expect(test.tap(3, 230) == .abnormal(becameSuspect: false))
    test.tally.setClosedSchools([try TestTally.school(0)])
    #expect(test.tap(3, 230) == .againAbnormal)
    #expect(test.tap(2, 5) == .past(2, mine: 15, school: 15))
  }

  @Test("A player's newest record is the newest one in the player's row")
  func newestRecord() throws {
    var test = test
    #expect(test.tally.newestRecord(of: PlayerID(1)) == 1)
    #expect(test.tally.newestRecord(of: PlayerID(2)) == nil)
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 1, by: 2) == .counted(1, mine: 1, school: 1))
    #expect(test.tap(1, 0) == .outOfRange)
    #expect(test.tally.newestRecord(of: PlayerID(1)) == 1)
    #expect(test.tally.newestRecord(of: PlayerID(2)) == 3)
    #expect(test.tap(1, 230) == .abnormal(becameSuspect: false))
    #expect(test.tally.newestRecord(of: PlayerID(1)) == 4)
    #expect(test.void(2) == 1)
    #expect(test.tally.newestRecord(of: PlayerID(2)) == 5)
  }

  @Test("Batches are numbered 1, 2, 3 …, and counts add up for the player and the school")
  func numbers() throws {
    var test = test
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 37) == .counted(1, mine: 37, school: 37))
    #expect(test.tap(1, 3, by: 2) == .counted(1, mine: 3, school: 40))
    #expect(test.tap(2, 5, afterMs: 200) == .counted(2, mine: 42, school: 45))
    #expect(try test.total(0) == 45)
    #expect(try test.standing().lastBatch == 2)
  }

  @Test("The newest number again: the stored answer, whatever has happened since and whatever the count is")
  func again() throws {
    var test = test
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 37) == .counted(1, mine: 37, school: 37))
    #expect(test.tap(1, 3, by: 2) == .counted(1, mine: 3, school: 40))
    for count in [37, 1, 0, -5, 1_000] as [Int64] {
      #expect(test.tap(1, count) == .again(1, mine: 37, school: 37))
    }
    _ = test.tally.closeSeason(at: test.now)
    #expect(try test.choose(1) == .chosen)
    #expect(test.tap(1, 37) == .again(1, mine: 37, school: 37))
    #expect(test.void() == 37)
    #expect(test.tap(1, 37) == .again(1, mine: 37, school: 37))
  }

  @Test("A lower number: the current totals, nothing counted")
  func past() throws {
    var test = test
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 37) == .counted(1, mine: 37, school: 37))
    #expect(test.tap(2, 5) == .counted(2, mine: 42, school: 42))
    #expect(test.tap(1, 3, by: 2) == .counted(1, mine: 3, school: 45))
    #expect(test.tap(1, 200) == .past(1, mine: 42, school: 45))
    #expect(test.tap(0, 200) == .past(0, mine: 42, school: 45))
    #expect(try test.total(0) == 45)
    #expect(try test.choose(1) == .chosen)
    #expect(test.tap(1, 200) == .past(1, mine: 0, school: 0))
  }

  @Test(
    "A number that skips one: an error with the expected number, also for a first that is not 1"
  )
  func gap() {
    var test = test
    for batch in [0, 2, 3, .max] as [UInt32] {
      #expect(test.tap(batch, 10) == .gap(expected: 1))
    }
    #expect(test.tap(1, 10) == .counted(1, mine: 10, school: 10))
    #expect(test.tap(3, 10) == .gap(expected: 2))
    #expect(test.tap(.max, 10) == .gap(expected: 2))
    // The number is checked before the count.
    #expect(test.tap(3, 0) == .gap(expected: 2))
    #expect(test.tap(3, 500) == .gap(expected: 2))
    #expect(test.tap(2, 10) == .counted(2, mine: 20, school: 20))
  }

  @Test("After the greatest number there is none: it is answered again, and nothing traps")
  func greatestNumber() throws {
    let row = TapPlayerRow(
      number: 0,
      player: PlayerID(1),
      sequence: 9,
      school: 0,
      shown: 0,
      shownSeason: 0,
      lastBatch: .max - 1,
      isLastAbnormal: true,
      answerMyCount: 0,
      answerSchoolCount: 0,
      abnormalCount: .max,
      isSuspect: false
    )
    var rows = TallyRows()
    rows.schools = [TallySchoolRow(number: 0, school: try TestTally.school(0))]
    rows.players = [row]
    var test = TestTally()
    test.tally = try Tally(rows: rows)
    var other = test
    #expect(test.tap(.max, 10) == .counted(.max, mine: 10, school: 10))
    #expect(test.tap(.max, 10) == .again(.max, mine: 10, school: 10))
    #expect(test.tap(.max - 1, 10) == .past(.max - 1, mine: 10, school: 10))
    #expect(test.tap(0, 10) == .past(0, mine: 10, school: 10))
    #expect(other.tap(.max, 230) == .abnormal(becameSuspect: false))
    #expect(other.tap(.max, 230) == .againAbnormal)
    #expect(try other.standing().abnormalCount == .max)
  }

  @Test("A count of 0 or below is an error, and its number is not used")
  func outOfRange() {
    var test = test
    for count in [0, -1, .min] as [Int64] {
      #expect(test.tap(1, count) == .outOfRange)
    }
    #expect(test.tap(1, 1) == .counted(1, mine: 1, school: 1))
  }

  @Test("A batch over 229 is dropped, its number is used up, and it counts as abnormal; 229 does not")
  func abnormal() throws {
    var test = test
    #expect(test.tap(1, 229) == .counted(1, mine: 229, school: 229))
    // Abnormal even with a full window: a dishonest batch is not told to wait.
    #expect(test.tap(2, 230) == .abnormal(becameSuspect: false))
    #expect(test.tap(2, 230) == .againAbnormal)
    #expect(test.tap(2, 1) == .againAbnormal)
    #expect(test.tap(1, 1) == .past(1, mine: 229, school: 229))
    #expect(try test.standing().abnormalCount == 1)
    #expect(try test.total(0) == 229)
    #expect(test.tap(3, .max, afterMs: 5_000) == .abnormal(becameSuspect: false))
    // Nothing of it is in the window.
    #expect(test.tap(4, 229) == .counted(4, mine: 458, school: 458))
    #expect(test.tap(3, 1) == .past(3, mine: 458, school: 458))
    #expect(try test.standing().abnormalCount == 2)
  }

  @Test("Three abnormal batches within 60 s mark the player as suspect, which is reported once and stays")
  func suspect() throws {
    var test = test
    #expect(test.tap(1, 230) == .abnormal(becameSuspect: false))
    #expect(test.tap(2, 230, afterMs: 30_000) == .abnormal(becameSuspect: false))
    #expect(test.tally.suspects.isEmpty)
    #expect(test.tap(3, 230, afterMs: 29_999) == .abnormal(becameSuspect: true))
    #expect(test.tap(3, 230) == .againAbnormal)
    #expect(test.tap(4, 230) == .abnormal(becameSuspect: false))
    #expect(test.tap(5, 230) == .abnormal(becameSuspect: false))
    #expect(test.tap(6, 230) == .abnormal(becameSuspect: false))
    #expect(try test.standing().abnormalCount == 6)
    #expect(try test.tally.suspects == [test.standing()])
    // A suspect's honest taps count.
    #expect(test.tap(7, 10) == .counted(7, mine: 10, school: 10))
  }

  @Test("The rules' number of abnormal batches marks a player, and one fewer does not")
  func abnormalsMax() {
    var test = test
    for batch in 1...UInt32(TapRules.abnormalsMax) {
      #expect(test.tap(batch, 230) == .abnormal(becameSuspect: batch == TapRules.abnormalsMax))
    }
  }

  @Test("Three abnormal batches do not mark a player when the first is exactly 60 s before the third")
  func noSuspect() throws {
    var test = test
    for batch in 1...20 as ClosedRange<UInt32> {
      #expect(test.tap(batch, 230, afterMs: 30_000) == .abnormal(becameSuspect: false))
    }
    #expect(try !test.standing().isSuspect)
    #expect(try test.standing().abnormalCount == 20)
    #expect(test.tap(21, 230, afterMs: 29_999) == .abnormal(becameSuspect: true))
  }

  @Test("All players with abnormal batches are listed, suspect or not, deleted or not: most abnormal batches first")
  func abnormalPlayers() throws {
    var test = TestTally()
    for player in 1...5 { #expect(try test.choose(player % 2, by: player) == .chosen) }
    #expect(test.tally.abnormalPlayers.isEmpty)
    func drop(_ batches: UInt32, by player: Int, everyMs: Int64) {
      for batch in 1...batches { _ = test.tap(batch, 230, by: player, afterMs: everyMs) }
    }
    drop(1, by: 1, everyMs: 0)
    drop(3, by: 3, everyMs: 40_000)
    drop(3, by: 5, everyMs: 1_000)
    drop(2, by: 4, everyMs: 0)
    #expect(test.tap(3, 7, by: 4) == .counted(3, mine: 7, school: 7))
    #expect(test.tap(1, 7, by: 2) == .counted(1, mine: 7, school: 14))
    #expect(test.forget(3) && test.forget(2))
    let listed = test.tally.abnormalPlayers
    #expect(listed.map(\.number) == [2, 4, 3, 0])
    #expect(listed.map(\.id) == [nil, PlayerID(5), PlayerID(4), PlayerID(1)])
    #expect(listed.map(\.abnormalCount) == [3, 3, 2, 1])
    #expect(listed.map(\.lastBatch) == [3, 3, 3, 1])
    #expect(listed.map(\.isSuspect) == [false, true, false, false])
    #expect(listed.map(\.school) == [1, 1, 0, 1].map { try? TestTally.school($0) })
  }

  @Test("Suspects are sorted by their number of abnormal batches")
  func suspects() throws {
    var test = test
    for player in 1...4 {
      _ = try test.choose(0, by: player)
      for batch in 1...UInt32([3, 2, 5, 3][player - 1]) {
        _ = test.tap(batch, 999, by: player)
      }
    }
    #expect(test.tally.suspects.map(\.player) == [3, 1, 4].map { PlayerID($0) })
    #expect(test.tally.suspects.map(\.abnormalCount) == [5, 3, 3])
  }
}
