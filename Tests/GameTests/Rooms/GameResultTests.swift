// The result of a finished game: the time of its report, and its contents.
import Game
import Testing

@Suite("Results")
struct GameResultTests {
  @Test("A game that ends at its deadline is reported with its number, times and board")
  func deadline() throws {
    var test = try TestRoom(duration: .seconds(10), players: 2)
    #expect(test.room.gameNumber == 0)
    test.wait(.seconds(5))
    test.start()
    #expect(test.room.gameNumber == 1)
    test.wait(.seconds(12))
    test.tick()
    guard case .gameEnded(let result) = test.effects.outputs.first else { Issue.record("no end"); return }
    #expect(test.effects.outputs.count == 1 && result.number == 1)
    #expect(result.startedAt == TestRoom.made + .seconds(5) && result.endedAt == TestRoom.made + .seconds(15))
    #expect(result.board == test.room.board)
    #expect(test.room.board.count == 2)
    test.apply(.playAgain(.seat(0)))
    test.start()
    #expect(test.room.gameNumber == 2)
  }

  @Test("A game with too few remaining players is reported at its end, once")
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
    var test = try TestRoom(duration: .seconds(60), holdS: 30, players: 2)
    test.start()
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(40))
    test.tick()
    #expect(results(test) == [TestRoom.made + .seconds(30)])
  }

  @Test("A solo run is reported like any game")
  func solo() throws {
    var test = TestRoom(try RoomConfiguration(duration: .seconds(10), solo: true), players: 1)
    test.start()
    test.wait(.seconds(10))
    test.tick()
    #expect(results(test) == [TestRoom.made + .seconds(10)])
    #expect(test.room.board.map(\.calories) == [677 * 10_000 / 6_000])
  }

  /// The times at which the games of the last input ended.
  private func results(_ test: TestRoom) -> [Instant] {
    test.effects.outputs.compactMap { if case .gameEnded(let result) = $0 { result.endedAt } else { nil } }
  }
}
