// Players whose accounts are deleted: their ids go, from the tally and from the disk, and what they counted stays.
import Game
import SeededRandom
import Testing

@Suite("School taps: forgotten players")
struct TallyForgettingTests {
  @Test("What a forgotten player counted stays in the totals, and nothing of the player can be seen")
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

  @Test("Nobody can be forgotten who has chosen no school, or twice; it makes no record")
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

  @Test("Who chooses a school by the same id is a new player, with batches from 1, no count and no abnormal ones")
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
    // Neither is the other one's window theirs.
    #expect(test.tap(2, 229) == .counted(2, mine: 229, school: 458))
    #expect(test.void() == 229)
    #expect(try test.total(0) == 229)
    #expect(test.tally.check().isEmpty)
  }

  @Test("When the rows that waited for their turn are durable, the id is nowhere on the disk, over random histories")
  func erasure() throws {
    var seen = 0
    for seed in 0..<300 as Range<UInt64> {
      var history = TallyHistory(seed: seed)
      var random = SplitMix64(seed: seed &+ 1_000_000)
      var tally = Tally()
      var disk = TallyDisk()
      func step() {
        switch history.next(for: tally) {
        case .tap(let player, let batch, let count):
          _ = tally.tap(player, batch: batch, count: count, at: Instant(milliseconds: history.nowMs))
        case .choose(let player, let school): _ = tally.choose(school, by: player)
        case .void(let player, let season): _ = tally.voidTaps(of: player, season: season)
        case .forget(let player): _ = tally.forget(player)
        case .close: _ = tally.closeSeason(at: Instant(milliseconds: history.nowMs))
        case .setClosedSchools(let schools): tally.setClosedSchools(schools)
        }
      }
      func commit(rows: Int) -> TallyRows {
        let rows = tally.takeChangedRows(max: rows)
        disk.commit(rows, tally.takeRecords())
        disk.forget(before: tally.recordsNeededFrom)
        return rows
      }
      let player = PlayerID(99)
      let school = random.pick(history.schools)
      for _ in 0..<random.draw(0...30) { step() }
      tally.setClosedSchools([])
      #expect(tally.choose(school, by: player) == .chosen)
      for batch in 1...3 as ClosedRange<UInt32> {
        _ = tally.tap(player, batch: batch, count: 1, at: Instant(milliseconds: history.nowMs))
        for _ in 0..<random.draw(0...10) { step() }
        _ = commit(rows: random.draw(0...5))
      }
      if try disk.knows(player) { seen += 1 }
      #expect(tally.forget(player) == true)
      let forgotten = tally.sequence
      while tally.recordsNeededFrom <= forgotten {
        let rows = commit(rows: random.draw(1...3))
        try #require(!rows.players.contains { $0.player == player }, "seed \(seed)")
        for _ in 0..<random.draw(0...3) { step() }
        if random.chance(20) {
          let (recovered, misfits) = try disk.recovered()
          try #require(misfits == 0 && recovered.standing(of: player) == nil, "seed \(seed)")
        }
      }
      try #require(try !disk.knows(player), "seed \(seed)")
    }
    #expect(seen == 300, "there was something to forget")
  }
}
