// The moments at which bots of a room step: spread over the interval, each at its own rate.
import Testing
import madang_loadtest

@Suite struct WalkTurnsTests {
  @Test("Each bot steps at its rate, and the bots of a room at equal distances")
  func distances() {
    for (bots, rateHz) in [(1, 1), (3, 7), (4, 10), (25, 10), (200, 20)] {
      let turns = WalkTurns(bots: bots, rateHz: rateHz, room: 5)
      let first = turns.microseconds(of: 0)
      for turn in 0..<1_000 {
        let exact = Double(turn) * 1_000_000 / Double(bots * rateHz)
        let distance = Double(turns.microseconds(of: turn) - first)
        #expect((exact..<exact + 1).contains(distance), "\(bots) bots, turn \(turn)")
      }
    }
  }

  @Test("A turn is due at its time, and not a microsecond before")
  func due() {
    for room in [0, 1, 2, 1_999] {
      let turns = WalkTurns(bots: 3, rateHz: 7, room: room)
      for turn in 0..<1_000 {
        let time = turns.microseconds(of: turn)
        #expect(turns.due(afterMicroseconds: time) == turn + 1)
        #expect(turns.due(afterMicroseconds: time - 1) == turn)
      }
    }
  }

  @Test("Rooms begin within the first interval, and fill it evenly")
  func rooms() {
    let firsts = (0..<1_000).map { WalkTurns(bots: 4, rateHz: 10, room: $0).microseconds(of: 0) }
    #expect(firsts.allSatisfy { (0..<100_000).contains($0) })
    for tenth in 0..<10 {
      let inside = firsts.count { $0 / 10_000 == Int64(tenth) }
      #expect((95...105).contains(inside), "\(inside) of 1,000 rooms in tenth \(tenth)")
    }
  }
}
