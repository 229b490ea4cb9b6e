// A tally recovered from rows of different times and the records behind them equals the last committed one, in all
// views and in all rows to write.
import Game
import SeededRandom
import Testing

@Suite("School taps: recovery")
struct TallyRecoveryTests {
  /// The visible state of a tally, except for the windows of its rates.
  private struct Observation: Equatable {
    let sequence: UInt64
    let season: UInt32
    let ends: [Instant?]
    let standings: [TapStanding?]
    let newestRecords: [UInt64?]
    let counts: [[CountedTaps]]
    let answers: [TapDecision]
    let rankings: [[RankedSchool]]
    let totals: [Int64]
    let suspects: [TapStanding]

    /// `first` is the first season whose counts are compared.
    init(_ tally: Tally, _ history: TallyHistory, from first: UInt32 = 1) {
      let seasons = 1...tally.season
      sequence = tally.sequence
      season = tally.season
      ends = seasons.map { tally.end(of: $0) }
      standings = history.players.map { tally.standing(of: $0) }
      newestRecords = history.players.map { tally.newestRecord(of: $0) }
      counts = history.players.map { tally.counts(of: $0).filter { $0.season >= first } }
      rankings = seasons.map { tally.ranking(of: $0) }
      totals = seasons.flatMap { season in history.schools.map { tally.total(of: $0, in: season) } }
      suspects = tally.suspects
      var asked = tally
      asked.setClosedSchools([])
      answers = history.players.map { player in
        let last = tally.standing(of: player)?.lastBatch ?? 0
        return asked.tap(player, batch: last, count: 1, at: Instant(milliseconds: 0))
      }
    }
  }

  /// The disk as it would be if all rows were written now.
  private func restored(_ disk: TallyDisk, _ tally: Tally) -> TallyDisk {
    var (disk, tally) = (disk, tally)
    disk.commit(tally.takeChangedRows(max: .max), nil)
    disk.forgetSegments()
    return disk
  }

  @Test(
    "Recovery after a crash at any moment restores what was committed, over thousands of random histories",
    arguments: 0..<20 as Range<UInt64>
  )
  func crashes(block: UInt64) throws {
    for seed in block * 100..<(block + 1) * 100 {
      var history = TallyHistory(seed: seed)
      var tally = Tally()
      var committed = tally
      var disk = TallyDisk()
      for step in 0..<80 {
        try take(history.next(for: tally), atMs: history.nowMs, &tally, disk)
        guard history.draw(1...100) <= 20 else { continue }
        let rows = tally.takeChangedRows(max: history.draw(0...5))
        disk.commit(rows, tally.takeRecords())
        // Maintenance may come late or never.
        if history.draw(1...100) <= 60 { disk.forget(before: tally.recordsNeededFrom) }
        committed = tally
        guard history.draw(1...100) <= 25 else { continue }
        // A crash, which loses the changes since the last commit.
        for _ in 0..<history.draw(0...5) {
          try take(history.next(for: tally), atMs: history.nowMs, &tally, disk)
        }
        var (recovered, mismatches) = try disk.recovered()
        try #require(mismatches == 0 && recovered.check().isEmpty, "seed \(seed), step \(step)")
        let first = (1...committed.season).first { committed.keepsCounts(of: $0) } ?? 1
        try #require(
          Observation(recovered, history, from: first) == Observation(committed, history, from: first),
          "seed \(seed), step \(step)"
        )
        try #require(restored(disk, recovered) == restored(disk, committed), "seed \(seed), step \(step)")
        if history.draw(0...1) == 0 { recovered.dropOldCounts() }
        tally = recovered
      }
    }
  }

  /// Applies a step as a server does: a closing drops old counts from memory, and a void reads them from the disk.
  private func take(_ step: TallyStep, atMs: Int64, _ tally: inout Tally, _ disk: TallyDisk) throws {
    guard case .void(let player, let season) = step else {
      tally.take(step, atMs: atMs)
      if case .close = step { tally.dropOldCounts() }
      return
    }
    _ = try tally.voidTaps(of: player, season: season, with: disk)
  }

  @Test("A tally from records alone, from rows alone, and from both is the same")
  func records() throws {
    for seed in 5_000..<5_100 as Range<UInt64> {
      var history = TallyHistory(seed: seed)
      var tally = Tally()
      var (records, both) = (TallyDisk(), TallyDisk())
      for _ in 0..<200 {
        tally.take(history.next(for: tally), atMs: history.nowMs)
        let segment = tally.takeRecords()
        records.commit(TallyRows(), segment)
        both.commit(tally.takeChangedRows(max: 1), segment)
      }
      let rows = restored(both, tally)
      for disk in [records, both, rows] {
        let (recovered, mismatches) = try disk.recovered()
        #expect(mismatches == 0 && recovered.check().isEmpty)
        try #require(Observation(recovered, history) == Observation(tally, history), "seed \(seed)")
        try #require(restored(disk, recovered) == rows, "seed \(seed)")
      }
      // A second time changes nothing.
      var (again, _) = try rows.recovered()
      for segment in records.segments {
        #expect(try again.apply(segment.bytes) == 0)
      }
      try #require(restored(rows, again) == rows, "seed \(seed)")
      #expect(again.takeChangedRows(max: 1).count == 0)
    }
  }

  @Test("After a recovery the ranking is notified of all schools with taps in the running season")
  func standings() throws {
    var test = TestTally()
    var disk = TallyDisk()
    for player in 1...3 {
      #expect(try test.choose(player, by: player) == .chosen)
      _ = test.tap(1, Int64(player), by: player)
      disk.commit(test.tally.takeChangedRows(max: 2), test.tally.takeRecords())
    }
    var (recovered, _) = try disk.recovered()
    #expect(recovered.takeStandings().map(\.count).sorted() == [1, 2, 3])
    #expect(recovered.takeStandings().isEmpty)
  }

  @Test("Rows are handed over a few at a time, the longest waiting first, until none are left")
  func pieces() throws {
    var test = TestTally()
    for player in 1...50 {
      #expect(try test.choose(player % 7, by: player) == .chosen)
      _ = test.tap(1, 1, by: player)
    }
    var needed: [UInt64] = [test.tally.recordsNeededFrom]
    var taken = 0
    while true {
      #expect(test.tally.changedRowCount == 7 + 7 + 50 + 50 - taken)
      let rows = test.tally.takeChangedRows(max: 10)
      taken += rows.count
      needed.append(test.tally.recordsNeededFrom)
      guard rows.count == 10 else { break }
    }
    #expect(taken == 7 + 7 + 50 + 50)
    #expect(needed == needed.sorted() && needed.first == 1 && needed.last == 101)
    #expect(test.tally.takeChangedRows(max: 10).count == 0)
    // One tap changes one row of each kind.
    _ = test.tap(2, 1)
    #expect(test.tally.recordsNeededFrom == 101)
    #expect(test.tally.changedRowCount == 3)
    let rows = test.tally.takeChangedRows(max: 10)
    #expect((rows.players.count, rows.counts.count, rows.totals.count, rows.count) == (1, 1, 1, 3))
  }

  @Test("After a missing segment later records count as far as they fit, and the others are reported")
  func missingSegment() throws {
    var test = TestTally()
    var segments: [TallySegment] = []
    func cut() throws { segments.append(try test.segment()) }
    #expect(try test.choose(0) == .chosen)
    _ = test.tap(1, 10)
    try cut()
    // The segment that will be missing: batch 2, and two players' choices.
    _ = test.tap(2, 20)
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(try test.choose(1, by: 3) == .chosen)
    try cut()
    _ = test.tap(3, 40)
    _ = test.tap(1, 1, by: 2)
    _ = test.tap(1, 1, by: 3)
    #expect(test.void() == 70)
    try cut()
    var tally = Tally()
    #expect(try tally.apply(segments[0].bytes) == 0)
    #expect(try tally.apply(segments[2].bytes) == 3)
    #expect(tally.standing(of: PlayerID(1))?.lastBatch == 3)
    #expect(tally.standing(of: PlayerID(1))?.myCount == 50)
    #expect(tally.total(of: try TestTally.school(0), in: 1) == 50)
    #expect(tally.sequence == test.tally.sequence)
    #expect(tally.playerCount == 1)
    #expect(tally.check().isEmpty)
  }
}
