// Counts of old seasons leave memory, stay on the disk, and can still be voided; the state of recent players is
// forgotten with time.
import Game
import Testing

@Suite("School taps: counts dropped from memory")
struct TallyDroppingTests {
  /// Three players have tapped in each of this many seasons, all closed but the last; everything is on the disk.
  private func played(seasons: Int) throws -> (TestTally, TallyDisk) {
    var test = TestTally()
    var disk = TallyDisk()
    for player in 1...3 { #expect(try test.choose(player % 2, by: player) == .chosen) }
    for season in 1...seasons {
      for player in 1...3 { _ = test.tap(UInt32(season), Int64(10 * season + player), by: player, afterMs: 6_000) }
      if season < seasons { _ = test.tally.closeSeason(at: test.now) }
    }
    disk.commit(test.tally.takeChangedRows(max: .max), test.tally.takeRecords())
    return (test, disk)
  }

  @Test("A closing drops the counts of all earlier seasons from memory, and totals and rankings stay")
  func dropping() throws {
    var (test, _) = try played(seasons: 5)
    #expect(test.tally.countsInMemory == 15)
    let rankings = (1...5).map { test.tally.ranking(of: $0) }
    test.tally.dropOldCounts()
    #expect(test.tally.countsInMemory == 6)
    #expect((1...5).map { test.tally.keepsCounts(of: $0) } == [false, false, false, true, true])
    #expect((1...5).map { test.tally.ranking(of: $0) } == rankings)
    #expect(test.tally.check().isEmpty)
    #expect(test.tally.counts(of: PlayerID(1)).map(\.season) == [4, 5])
    // The running season goes on.
    #expect(test.tap(6, 1, by: 2, afterMs: 6_000) == .counted(6, mine: 53, school: 53))
    #expect(test.tally.countsInMemory == 6)
  }

  @Test("In the first two seasons no counts are old")
  func young() throws {
    for seasons in 1...2 {
      var (test, _) = try played(seasons: seasons)
      test.tally.dropOldCounts()
      #expect(test.tally.countsInMemory == 3 * seasons && test.tally.countDrops == 0)
    }
  }

  @Test("Unwritten rows keep their season in memory until the last of them is taken")
  func waiting() throws {
    var (test, _) = try played(seasons: 4)
    #expect(test.void(1, season: 1) == 11)
    let drops = test.tally.countDrops
    test.tally.dropOldCounts()
    #expect(test.tally.countDrops == drops + 1, "season 2 alone is dropped")
    #expect(test.tally.countsInMemory == 9)
    let rows = test.tally.takeChangedRows(max: .max)
    #expect(rows.counts.map(\.voided) == [11] && rows.counts.map(\.season) == [1])
    #expect(test.tally.countsInMemory == 6 && test.tally.countDrops == drops + 2)
  }

  @Test("Memory is bounded by the counts of two seasons, however many there were")
  func bound() throws {
    var test = TestTally()
    var most = 0
    for player in 1...20 { #expect(try test.choose(player, by: player) == .chosen) }
    for season in 1...50 as ClosedRange<UInt32> {
      for player in 1...20 { _ = test.tap(season, 1, by: player, afterMs: 300) }
      _ = test.tally.takeChangedRows(max: .max)
      most = max(most, test.tally.countsInMemory)
      _ = test.tally.closeSeason(at: test.now)
      test.tally.dropOldCounts()
    }
    #expect(most == 40)
  }

  @Test("Counts of an old season that were put back are voided, once and alone, and leave memory again")
  func voiding() throws {
    var (test, disk) = try played(seasons: 5)
    test.tally.dropOldCounts()
    let player = PlayerID(3)
    #expect(try test.tally.voidTaps(of: player, season: 2, with: disk) == 23)
    #expect(try test.total(1, season: 2) == 21)
    #expect(test.tally.ranking(of: 2).map(\.count) == [22, 21])
    // Not written yet: memory is newer than the disk.
    #expect(try test.tally.voidTaps(of: player, season: 2, with: disk) == 0)
    disk.commit(test.tally.takeChangedRows(max: .max), test.tally.takeRecords())
    #expect(test.tally.countsInMemory == 6)
    #expect(try test.tally.voidTaps(of: player, season: 2, with: disk) == 0)
    #expect(try test.tally.voidTaps(of: PlayerID(9), season: 2, with: disk) == nil)
    let (recovered, mismatches) = try disk.recovered()
    #expect(mismatches == 0 && recovered.check().isEmpty)
    #expect(recovered.counts(of: player).map(\.voided) == [0, 23, 0, 0, 0])
  }

  @Test("Recovery restores a void of an old season from its record alone")
  func record() throws {
    var (test, disk) = try played(seasons: 4)
    test.tally.dropOldCounts()
    #expect(try test.tally.voidTaps(of: PlayerID(1), season: 1, with: disk) == 11)
    disk.commit(TallyRows(), test.tally.takeRecords())
    let (recovered, mismatches) = try disk.recovered()
    #expect(mismatches == 0 && recovered.check().isEmpty)
    #expect(recovered.total(of: try TestTally.school(1), in: 1) == 13)
  }

  @Test("Rows that no tally can have written are not put back")
  func damage() throws {
    var (test, disk) = try played(seasons: 4)
    test.tally.dropOldCounts()
    let sound = try #require(disk.counts(ofNumber: 0, season: 1).first)
    func row(_ school: UInt32? = nil, _ season: UInt32? = nil, count: Int64? = nil, _ sequence: UInt64? = nil)
      -> TapCountRow
    {
      TapCountRow(
        player: 0,
        school: school ?? sound.school,
        season: season ?? sound.season,
        count: count ?? sound.count,
        voided: 0,
        sequence: sequence ?? sound.sequence
      )
    }
    for damaged in [row(7), row(nil, 9), row(count: 1_000), row(count: -1), row(count: .max), row(nil, nil, 1 << 40)] {
      #expect(throws: TallyRowFault.self) { try test.tally.putBack([damaged]) }
    }
    #expect(throws: Never.self) { try test.tally.putBack([sound, sound]) }
    #expect(test.void(1, season: 1) == 11)
  }

  @Test(
    "Windows are reused: their number depends on the recently active players, in whatever order players come and go"
  )
  func windows() throws {
    var test = TestTally()
    // A hundred players who never stop, in one block, and strangers who tap once each.
    for player in 1...20_000 { #expect(try test.choose(0, by: player) == .chosen) }
    var batch: UInt32 = 0
    for round in 0..<190 {
      batch += 1
      for player in 1...100 { _ = test.tap(batch, 1, by: player) }
      for stranger in 0..<100 { _ = test.tap(1, 1, by: 101 + 100 * round + stranger) }
      test.nowMs += 2_500
    }
    // At most the hundred and two rounds of strangers are young at once.
    #expect(test.tally.recentTappers.windows <= 2 * 400)
    // Nobody's window was taken away meanwhile.
    test.nowMs += 2_500
    for burst in 1...5 as ClosedRange<UInt32> {
      #expect(test.tap(batch + burst, 1) != .tooFast(retryAfterMs: 1_000))
    }
    #expect(test.tap(batch + 6, 1) == .tooFast(retryAfterMs: 1_000))
  }

  @Test("Players with old abnormal batches are forgotten, and one with two recent ones becomes suspect at the third")
  func abnormals() throws {
    var test = TestTally()
    for player in 1...5_000 {
      #expect(try test.choose(0, by: player) == .chosen)
      #expect(test.tap(1, 230, by: player, afterMs: 1_000) == .abnormal(becameSuspect: false))
      #expect(test.tally.recentTappers.abnormals <= 256)
    }
    #expect(test.tap(2, 230, by: 5_000) == .abnormal(becameSuspect: false))
    #expect(test.tap(3, 230, by: 5_000) == .abnormal(becameSuspect: true))
    #expect(test.tap(2, 230, by: 1) == .abnormal(becameSuspect: false))
    #expect(test.tap(3, 230, by: 1) == .abnormal(becameSuspect: false), "the first one is too old")
  }
}
