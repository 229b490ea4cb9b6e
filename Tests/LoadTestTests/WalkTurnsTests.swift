// The moments at which bots of a room step: spread over the interval, each at its own rate.
import Testing
import madang_loadtest

@Suite struct WalkTurnsTests {
  @Test("Each bot steps at its rate, and the bots of a room at equal distances")
  func distances() {
    for (bots, interval) in [(1, 1_000_000), (3, 142_857), (4, 100_000), (25, 100_000), (200, 50_000), (7, 3_333_333)] {
      let turns = WalkTurns(bots: bots, intervalMicroseconds: Int64(interval), room: 5)
      let first = turns.microseconds(of: 0)
      for turn in 0..<1_000 {
        let exact = Double(turn * interval) / Double(bots)
        let distance = Double(turns.microseconds(of: turn) - first)
        #expect((exact..<exact + 1).contains(distance), "\(bots) bots, turn \(turn)")
      }
    }
  }

  @Test("A turn is due at its time, and not a microsecond before")
  func due() {
    for room in [0, 1, 2, 1_999] {
      let turns = WalkTurns(bots: 3, intervalMicroseconds: 142_857, room: room)
      for turn in 0..<1_000 {
        let time = turns.microseconds(of: turn)
        #expect(turns.due(afterMicroseconds: time) == turn + 1)
        #expect(turns.due(afterMicroseconds: time - 1) == turn)
      }
    }
  }

  @Test("Rooms begin within the first interval, and fill it evenly")
  func rooms() {
    let firsts = (0..<1_000).map { WalkTurns(bots: 4, intervalMicroseconds: 100_000, room: $0).microseconds(of: 0) }
    #expect(firsts.allSatisfy { (0..<100_000).contains($0) })
    for tenth in 0..<10 {
      let inside = firsts.count { $0 / 10_000 == Int64(tenth) }
      #expect((95...105).contains(inside), "\(inside) of 1,000 rooms in tenth \(tenth)")
    }
  }

  @Test("Each turn is taken once, and of the missed ones each bot takes its newest")
  func taking() {
    var turns = WalkTurns(bots: 4, intervalMicroseconds: 100_000, room: 0)
    #expect(turns.take(afterMicroseconds: 0) == 0..<1)
    #expect(turns.nextMicroseconds == 25_000)
    #expect(turns.take(afterMicroseconds: 24_999).isEmpty)
    #expect(turns.take(afterMicroseconds: 75_000) == 1..<4)
    #expect(turns.take(afterMicroseconds: 75_000).isEmpty)
    #expect(turns.take(afterMicroseconds: 1_025_000) == 38..<42)
    #expect(turns.nextMicroseconds == 1_050_000)
    // A clock that goes back repeats nothing.
    #expect(turns.take(afterMicroseconds: 500_000).isEmpty)
  }
}
