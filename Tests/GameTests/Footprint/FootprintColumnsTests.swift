// Footprints in a room's whole state: the newest of each seat, in the order in which they scored.
import Game
import Testing

@Suite("Footprints in states")
struct FootprintColumnsTests {
  private func places(_ columns: FootprintColumns) -> [UInt32: [Coordinate]] {
    var places: [UInt32: [Coordinate]] = [:]
    var next = 0
    for (seat, count) in zip(columns.seats, columns.counts) {
      var last = Coordinate(latE7: 0, lngE7: 0)
      for _ in 0..<count {
        last = Coordinate(latE7: last.latE7 &+ columns.latE7[next], lngE7: last.lngE7 &+ columns.lngE7[next])
        places[seat, default: []].append(last)
        next += 1
      }
    }
    return places
  }

  /// Walks to the north and back to the south of the start, so that the order is not that of the latitudes.
  private func walk(_ test: inout TestRoom, _ seat: Int, steps: Int) -> [Coordinate] {
    (0..<steps).map { step in
      let fix = Yard.fix(northM: 6 * Double(step % 2 == 0 ? step : -step), eastM: 3 * Double(seat))
      test.wait(.seconds(30))
      #expect(test.move(seat, fix) == nil)
      return Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)
    }
  }

  @Test("Each seat has its newest footprints in the order of scoring, also behind a restart; the lobby has none")
  func order() throws {
    var test = try FootprintTests.game()
    let mine = walk(&test, 0, steps: 70)
    let others = walk(&test, 1, steps: 5)
    let seen = places(FootprintColumns(of: test.room))
    #expect(seen == [0: Array(mine.suffix(64)), 1: others])
    var writer = JournalWriter()
    writer.append(snapshotOf: test.room, at: test.now)
    var journal: [UInt8] = []
    writer.take(into: &journal)
    let read = try #require(try RoomRecovery(from: journal))
    #expect(places(FootprintColumns(of: read.room)) == seen)
    test.wait(.seconds(7_200 - 75 * 30 + 1))
    test.tick()
    #expect(places(FootprintColumns(of: test.room)) == seen)
    test.apply(.playAgain(.seat(0)))
    #expect(FootprintColumns(of: test.room).seats.isEmpty)
  }

  @Test("A crowd has fewer of each seat, and a deleted player none")
  func bounds() throws {
    var test = try TestRoom(capacity: 200, duration: .seconds(7_200), speedMaxMmPerS: 100_000, players: 100)
    test.start()
    let walked = walk(&test, 7, steps: 30)
    #expect(places(FootprintColumns(of: test.room)) == [7: Array(walked.suffix(20))])
    test.apply(.erase(TestRoom.player(7)))
    #expect(FootprintColumns(of: test.room).seats.isEmpty)
  }
}
