// What is told of a game that is over, and what it counts for.
import Game
import Testing

@Suite("Results")
struct GameResultTests {
  @Test("A game that ends at its deadline is told with its number, times and board")
  func deadline() throws {
    var test = try TestRoom(duration: .seconds(10), players: 2)
    #expect(test.room.gameNumber == 0)
    test.wait(.seconds(5))
    test.start()
    #expect(test.room.gameNumber == 1)
    test.wait(.seconds(12))
    test.tick()
    guard case .gameEnded(let result) = test.effects.outputs.first else { Issue.record("no end"); return }
    #expect(test.effects.outputs.count == 1 && result.number == 1 && result.mode == .footprint)
    #expect(result.startedAt == TestRoom.made + .seconds(5) && result.endedAt == TestRoom.made + .seconds(15))
    #expect(result.board == test.room.board)
    #expect(test.room.board.count == 2)
    test.apply(.playAgain(.seat(0)))
    test.start()
    #expect(test.room.gameNumber == 2)
  }

  @Test("A game that too few are left for is told when it ends, once")
  func early() throws {
    var test = try TestRoom(duration: .seconds(60), players: 2)
    test.start()
    test.wait(.seconds(7))
    test.apply(.leave(.seat(1)))
    #expect(test.effects.outputs.count == 2)
    #expect(results(test) == [TestRoom.made + .seconds(7)])
    test.wait(.seconds(60))
    test.tick()
    #expect(results(test).isEmpty)
  }

  @Test("A hold that runs out ends the game at that moment")
  func hold() throws {
    var test = try TestRoom(duration: .seconds(60), players: 2)
    test.start()
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(40))
    test.tick()
    #expect(results(test) == [TestRoom.made + .seconds(30)])
  }

  @Test("A run alone is told like any game")
  func solo() throws {
    var test = TestRoom(try RoomConfiguration(duration: .seconds(10), solo: true), players: 1)
    test.start()
    test.wait(.seconds(10))
    test.tick()
    #expect(results(test) == [TestRoom.made + .seconds(10)])
    #expect(test.room.board.map(\.calories) == [677 * 10_000 / 6_000])
  }

  @Test("The 1st, 3rd, 5th, 10th, 20th, 30th and 50th record give badges, and no others")
  func badges() {
    let badges = (0...100).compactMap { count in BadgeRules.badge(forRecords: count).map { (count, $0) } }
    #expect(badges.map(\.0) == [1, 3, 5, 10, 20, 30, 50])
    #expect(badges.map(\.1) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test(
    "A completed run counts; an uncompleted one from 60 s and 100 m",
    arguments: [
      (true, 0, 0, true), (false, 60_000, 100_000, true), (false, 59_999, 100_000, false),
      (false, 60_000, 99_999, false), (false, 3_600_000, 0, false),
    ]
  )
  func counting(isCompleted: Bool, timeMs: Int, distanceMm: Int64, counts: Bool) {
    let row = BoardRow(
      seat: 0,
      id: TestRoom.player(0),
      nickname: "지민",
      rank: 1,
      points: 0,
      distanceMm: distanceMm,
      time: .milliseconds(timeMs),
      won: false,
      completed: isCompleted,
      calories: 0
    )
    #expect(row.counts == counts)
  }

  /// When the games of the last input ended.
  private func results(_ test: TestRoom) -> [Instant] {
    test.effects.outputs.compactMap { if case .gameEnded(let result) = $0 { result.endedAt } else { nil } }
  }
}
