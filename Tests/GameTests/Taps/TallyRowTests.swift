// Rows that a disk may have damaged: impossible ones are refused, and sums that don't agree are found.
import Game
import Testing

@Suite("School taps: rows")
struct TallyRowTests {
  /// A finished season in which player 0 counted 3 taps for school 0.
  private var sound = TallyRows()

  init() throws {
    sound.schools = [TallySchoolRow(number: 0, school: try TestTally.school(0))]
    sound.seasons = [ClosedSeasonRow(season: 1, closedAt: Instant(milliseconds: 1), sequence: 5)]
    sound.totals = [SchoolTotalRow(season: 1, school: 0, count: 3, reached: 2)]
    sound.players = [player(0, PlayerID(1))]
    sound.counts = [count(3, voided: 0)]
  }

  private func player(_ number: UInt32, _ id: PlayerID?) -> TapPlayerRow {
    TapPlayerRow(
      number: number,
      player: id,
      sequence: 2,
      school: 0,
      shown: 3,
      shownSeason: 1,
      lastBatch: 1,
      isLastAbnormal: false,
      answerMyCount: 3,
      answerSchoolCount: 3,
      abnormalCount: 0,
      isSuspect: true
    )
  }

  private func count(
    _ count: Int64,
    voided: Int64,
    of player: UInt32 = 0,
    for school: UInt32 = 0,
    season: UInt32 = 1
  ) -> TapCountRow {
    TapCountRow(player: player, school: school, season: season, count: count, voided: voided, sequence: 2)
  }

  private func refused(_ what: Comment, _ change: (inout TallyRows) throws -> Void) rethrows {
    var rows = sound
    try change(&rows)
    #expect(throws: TallyRowFault.self, what) { try Tally(rows: rows) }
  }

  @Test("Sound rows restore the tally, in any order; a player without an identifier can't be looked up")
  func soundRows() throws {
    var rows = sound
    rows.players = [player(2, nil), player(1, nil), player(0, PlayerID(1))]
    let tally = try Tally(rows: rows)
    #expect(tally.sequence == 5 && tally.season == 2 && tally.playerCount == 3)
    #expect(tally.standing(of: PlayerID(1))?.lastBatch == 1)
    #expect(tally.newestRecord(of: PlayerID(1)) == 2)
    #expect(tally.suspects.map(\.player) == [PlayerID(1)])
    #expect(tally.changedRowCount == 0)
  }

  @Test("Rows that no tally can have written are refused")
  func impossibleRows() throws {
    let school = try TestTally.school(0)
    refused("a school without a row") { $0.schools = [] }
    refused("schools with a gap") { $0.schools = [TallySchoolRow(number: 1, school: school)] }
    refused("a school with two numbers") { $0.schools.append(TallySchoolRow(number: 1, school: school)) }
    refused("a missing season") {
      $0.seasons = [ClosedSeasonRow(season: 2, closedAt: .init(milliseconds: 1), sequence: 5)]
    }
    refused("a season that has not begun") { $0.counts = [count(3, voided: 0, season: 3)] }
    refused("season 0") { $0.counts = [count(3, voided: 0, season: 0)] }
    refused("more voided than counted") { $0.counts = [count(3, voided: 4)] }
    refused("fewer than none voided") { $0.counts = [count(3, voided: -1)] }
    refused("a negative count") { $0.counts = [count(-1, voided: 0)] }
    refused("a count beyond all bounds") { $0.counts = [count(.max, voided: 0)] }
    refused("a count of nobody") { $0.counts = [count(3, voided: 0, of: 1)] }
    refused("a count for no school") { $0.counts = [count(3, voided: 0, for: 1)] }
    refused("a count twice") { $0.counts.append($0.counts[0]) }
    refused("a player without a row") { $0.players = [] }
    refused("players with a gap") { $0.players.append(player(2, PlayerID(2))) }
    refused("players that do not begin at 0") { $0.players = [player(1, PlayerID(1))] }
    refused("two players with one number") { $0.players.append(player(0, PlayerID(2))) }
    refused("a player with two numbers") { $0.players.append(player(1, PlayerID(1))) }
    refused("a player of no school") { $0.players[0].school = 1 }
    refused("a player of a season to come") { $0.players[0].shownSeason = 3 }
    refused("a player's count beyond all bounds") { $0.players[0].shown = .max }
    refused("a player's record beyond all bounds") { $0.players[0].sequence = .max }
    refused("a total of no school") { $0.totals = [SchoolTotalRow(season: 1, school: 1, count: 3, reached: 2)] }
    refused("a total twice") { $0.totals.append($0.totals[0]) }
    refused("a total beyond all bounds") {
      $0.totals = [SchoolTotalRow(season: 1, school: 0, count: .max, reached: 2)]
    }
  }

  @Test("Accepted rows leave room for later numbers, and for their sums")
  func room() throws {
    let greatest: Int64 = 1 << 52
    refused("a count that could not go on") { $0.counts = [count(greatest, voided: 0)] }
    refused("a total that could not go on") {
      $0.totals = [SchoolTotalRow(season: 1, school: 0, count: greatest, reached: 2)]
    }
    refused("a total's record behind which there are none") {
      $0.totals = [SchoolTotalRow(season: 1, school: 0, count: 3, reached: UInt64(greatest))]
    }
    refused("a player's record behind which there are none") { $0.players[0].sequence = UInt64(greatest) }
    // The greatest value of a row, twice.
    var rows = sound
    rows.players.append(player(1, PlayerID(2)))
    rows.counts = [count(greatest - (1 << 41), voided: 0), count(greatest - (1 << 41), voided: 0, of: 1)]
    var tally = try Tally(rows: rows)
    tally.correctTotals()
    #expect(tally.check() == [])
    rows.totals = tally.takeChangedRows(max: .max).totals
    #expect(rows.totals.count == 1)
    #expect(throws: Never.self) { try Tally(rows: rows) }
  }

  @Test("A damaged row is detected by a sum that does not agree")
  func sums() throws {
    func check(_ change: (inout TallyRows) -> Void) throws -> [String] {
      var rows = sound
      change(&rows)
      return try Tally(rows: rows).check()
    }
    #expect(try check { _ in } == [])
    let less = ["season 1, school S0: players counted 2, the total is 3"]
    #expect(try check { $0.counts = [count(2, voided: 0)] } == less)
    #expect(try check { $0.counts = [count(3, voided: 1)] } == less)
    #expect(
      try check { $0.totals = [SchoolTotalRow(season: 1, school: 0, count: 4, reached: 2)] }
        == ["season 1, school S0: players counted 3, the total is 4"]
    )
    #expect(try check { $0.counts = [] } == ["season 1, school S0: players counted 0, the total is 3"])
    #expect(
      try check { $0.totals = [SchoolTotalRow(season: 2, school: 0, count: 3, reached: 2)] } == [
        "season 1, school S0: players counted 3, the total is 0",
        "season 2, school S0: players counted 0, the total is 3",
      ]
    )
  }

  @Test("Totals that disagree are corrected to the players' sums, those alone, and wait to be written")
  func correction() throws {
    var rows = sound
    rows.counts = [count(3, voided: 1)]
    rows.totals.append(SchoolTotalRow(season: 2, school: 0, count: 7, reached: 4))
    var tally = try Tally(rows: rows)
    let school = try TestTally.school(0)
    tally.correctTotals()
    #expect(tally.check() == [])
    #expect(tally.total(of: school, in: 1) == 2)
    #expect(tally.total(of: school, in: 2) == 0)
    #expect(tally.ranking(of: 2).isEmpty)
    #expect(tally.takeChangedRows(max: .max).totals.map(\.count) == [2, 0])
    var again = try Tally(rows: sound)
    again.correctTotals()
    #expect(again.changedRowCount == 0)
  }
}
