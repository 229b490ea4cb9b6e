// Players whose accounts are deleted: their ids leave the tally and the disk, and their counts stay.
import Game
import Testing

@Suite("School taps: forgotten players")
struct TallyForgettingTests {
  @Test("A forgotten player's taps stay in the totals, and the player can no longer be found")
  func totals() throws {
    var test = TestTally()
    #expect(try test.choose(0) == .chosen)
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 10) == .counted(1, mine: 10, school: 10))
    #expect(test.tap(1, 5, by: 2) == .counted(1, mine: 5, school: 15))
    for batch in 2...4 as ClosedRange<UInt32> { _ = test.tap(batch, 230) }
    #expect(test.tally.suspects.map(\.player) == [PlayerID(1)])
    #expect(test.forget() == true)
    #expect(try test.total(0) == 15)
    #expect(test.tally.check().isEmpty)
    #expect(test.tally.standing(of: PlayerID(1)) == nil)
    #expect(test.tally.newestRecord(of: PlayerID(1)) == nil)
    #expect(test.tally.counts(of: PlayerID(1)).isEmpty)
    #expect(test.tally.suspects.isEmpty)
    #expect(test.void() == nil)
    #expect(test.tap(4, 230) == .noSchool)
    #expect(test.tap(5, 10) == .noSchool)
    #expect(test.tap(2, 1, by: 2) == .counted(2, mine: 6, school: 16))
  }

  @Test("A player without a school can't be forgotten, nor can one twice; no record is made")
  func nobody() throws {
    var test = TestTally()
    #expect(test.forget() == false)
    #expect(test.tally.takeRecords() == nil)
    #expect(try test.choose(0) == .chosen)
    #expect(test.forget() == true)
    let read = try TallySegment.records(of: test.segment().bytes)
    #expect(read.records.last == .forgotten(player: 0))
    #expect(test.forget() == false)
    #expect(test.tally.takeRecords() == nil)
  }

  @Test(
    "A forgotten identifier that chooses a school is a new player, with batches from 1, no count and no abnormal ones"
  )
  func anew() throws {
    var test = TestTally()
    #expect(try test.choose(0) == .chosen)
    #expect(test.tap(1, 229) == .counted(1, mine: 229, school: 229))
    #expect(test.tap(2, 230) == .abnormal(becameSuspect: false))
    #expect(test.tap(3, 230) == .abnormal(becameSuspect: false))
    #expect(test.forget() == true)
    #expect(try test.choose(0) == .chosen)
    #expect(test.tally.playerCount == 2)
    #expect(test.tap(1, 230) == .abnormal(becameSuspect: false))
    // The new player does not have the previous one's window.
    #expect(test.tap(2, 229) == .counted(2, mine: 229, school: 458))
    #expect(test.void() == 229)
    #expect(try test.total(0) == 229)
    #expect(test.tally.check().isEmpty)
  }

  @Test("A forgotten player's counts can be read and voided by number, before and after a recovery")
  func voiding() throws {
    var test = TestTally()
    #expect(try test.choose(0) == .chosen)
    #expect(try test.choose(0, by: 2) == .chosen)
    #expect(test.tap(1, 10) == .counted(1, mine: 10, school: 10))
    #expect(test.tap(1, 5, by: 2) == .counted(1, mine: 5, school: 15))
    #expect(test.tally.number(of: PlayerID(1)) == 0 && test.tally.number(of: PlayerID(2)) == 1)
    #expect(test.forget() == true)
    // The same id is a new player, who keeps the counts from now on.
    #expect(try test.choose(0) == .chosen)
    #expect(test.tally.number(of: PlayerID(1)) == 2)
    #expect(test.tap(1, 3) == .counted(1, mine: 3, school: 18))
    #expect(test.tally.counts(ofNumber: 0).map(\.count) == [10])
    #expect(test.tally.voidTaps(ofNumber: 0, season: 1) == 10)
    #expect(test.tally.voidTaps(ofNumber: 0, season: 1) == 0)
    #expect(try test.total(0) == 8)
    #expect(test.tally.voidTaps(ofNumber: 1, season: 1) == 5)
    for number in [-1, 3, .max] {
      #expect(test.tally.voidTaps(ofNumber: number, season: 1) == nil)
      #expect(test.tally.player(number) == nil && test.tally.counts(ofNumber: number).isEmpty)
    }
    #expect(test.tally.voidTaps(ofNumber: 0, season: 2) == nil)
    #expect(test.tally.check().isEmpty)

    var again = Tally()
    #expect(try again.apply(test.segment().bytes) == 0)
    #expect(try again.total(of: TestTally.school(0), in: 1) == 3)
    #expect(again.counts(ofNumber: 0).map(\.voided) == [10])
    #expect(again.player(0) == test.tally.player(0) && again.player(0)?.id == nil)
    #expect(again.voidTaps(ofNumber: 0, season: 1) == 0)
    #expect(again.voidTaps(ofNumber: 2, season: 1) == 3)
    #expect(again.check().isEmpty)
  }

  @Test("Once the waiting rows are durable, the identifier is nowhere on the disk, over random histories")
  func erasure() throws {
    let player = PlayerID(99)
    for seed in 0..<300 as Range<UInt64> {
      var run = TallyRun(seed: seed)
      run.take(steps: 30)
      run.tally.setClosedSchools([])
      #expect(run.tally.choose(run.history.schools[0], by: player) == .chosen)
      for batch in 1...3 as ClosedRange<UInt32> {
        _ = run.tally.tap(player, batch: batch, count: 1, at: Instant(milliseconds: run.history.nowMs))
        run.take(steps: 10)
        _ = run.commit(rows: 5)
      }
      try #require(try run.disk.knows(player), "there is a player to forget")
      #expect(run.tally.forget(player) == true)
      let forgotten = run.tally.sequence
      while run.tally.recordsNeededFrom <= forgotten {
        let rows = run.commit(rows: 3)
        try #require(!rows.players.contains { $0.player == player }, "seed \(seed)")
        let (recovered, mismatches) = try run.disk.recovered()
        try #require(mismatches == 0 && recovered.standing(of: player) == nil, "seed \(seed)")
        run.take(steps: 3)
      }
      try #require(try !run.disk.knows(player), "seed \(seed)")
    }
  }
}

/// A tally in a random history, and its disk.
private struct TallyRun {
  var history: TallyHistory
  var tally = Tally()
  var disk = TallyDisk()

  init(seed: UInt64) {
    history = TallyHistory(seed: seed)
  }

  /// Takes at most this many steps.
  mutating func take(steps: Int) {
    for _ in 0..<history.draw(0...steps) {
      tally.take(history.next(for: tally), atMs: history.nowMs)
    }
  }

  /// Commits the records and at most this many rows; then the disk forgets unneeded records. Returns the rows.
  mutating func commit(rows most: Int) -> TallyRows {
    let rows = tally.takeChangedRows(max: history.draw(1...most))
    disk.commit(rows, tally.takeRecords())
    disk.forget(before: tally.recordsNeededFrom)
    return rows
  }
}
