// The board: ranks, ties, players who stayed, and values from distance and time.
import Game
import Testing

@Suite("Rooms: the board")
struct RoomBoardTests {
  @Test("More points rank higher; among equal points the first to reach them, and without points the lower seat")
  func ranking() throws {
    var test = try TestRoom(capacity: 5, players: 5)
    test.start()
    test.move(2, Yard.fix())
    test.move(4, Yard.fix())
    test.wait(.seconds(1))
    test.move(3, Yard.fix())
    test.wait(.seconds(1))
    test.move(4, Yard.fix(northM: 5.1))
    test.move(2, Yard.fix(northM: 5.1))
    test.wait(.seconds(60))
    test.tick()
    #expect(test.room.board.map(\.seat) == [4, 2, 3, 0, 1])
    #expect(test.room.board.map(\.points) == [2, 2, 1, 0, 0])
    #expect(test.room.board.map(\.rank) == [1, 2, 3, 4, 5])
    #expect(test.room.board.map(\.won) == [true, false, false, false, false])
  }

  @Test("Who left ranks below all others; whose hold expired ranks by points, and did not complete the game")
  func leaversRankLast() throws {
    var test = try TestRoom(holdS: 30, players: 4)
    test.start()
    for step in 0..<3 {
      test.move(0, Yard.fix(northM: Double(step) * 6))
      if step < 2 { test.move(3, Yard.fix(northM: Double(step) * 6)) }
      test.wait(.seconds(1))
    }
    test.move(1, Yard.fix())
    test.apply(.leave(.seat(3)))
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(60))
    test.tick()
    #expect(test.room.board.map(\.seat) == [0, 1, 2, 3])
    #expect(test.room.board.map(\.points) == [3, 1, 0, 2])
    #expect(test.room.board.map(\.completed) == [false, true, true, false])
    #expect(test.room.board.map(\.won) == [true, false, false, false])
    #expect(test.room.board.map(\.time) == [.seconds(33), .seconds(60), .seconds(60), .seconds(3)])
  }

  @Test("A player without points does not win and is not first, nor does one who left win")
  func noWinner() throws {
    var test = try TestRoom(holdS: 30, players: 2)
    test.start()
    test.wait(.seconds(60))
    test.tick()
    #expect(test.room.board.map(\.won) == [false, false])
    #expect(test.room.board.map(\.givenRank) == [nil, 2])
    test.apply(.playAgain(.seat(0)))
    test.start()
    test.move(0, Yard.fix())
    test.apply(.leave(.seat(0)))
    test.tick()
    #expect(test.room.board.map(\.seat) == [1, 0])
    #expect(test.room.board.map(\.completed) == [true, false])
    #expect(test.room.board.map(\.givenRank) == [nil, 2])
    #expect(test.room.board.map(\.won) == [false, false])
  }

  @Test("Late joiners have no row on the board")
  func spectatorsUnranked() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.join(5)
    test.wait(.seconds(60))
    test.tick()
    #expect(test.room.board.map(\.id) == [TestRoom.player(0), TestRoom.player(1)])
  }

  @Test("A shared game's calories come from the distance, a solo run's from the time")
  func calories() throws {
    for solo in [false, true] {
      var test = TestRoom(try RoomConfiguration(duration: .seconds(11), solo: solo), players: solo ? 1 : 2)
      test.start()
      test.move(0, Yard.fix())
      test.wait(.seconds(2))
      test.move(0, Yard.fix(eastM: 12.345))
      test.wait(.seconds(9))
      test.moves(0, [])
      test.tick()
      let row = try #require(test.room.board.first)
      #expect((12_335...12_355).contains(row.distanceMm))
      #expect(row.calories == (solo ? 677 * 11_000 / 6_000 : 123))
    }
  }
}
