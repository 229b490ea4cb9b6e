// Start, end and the next game.
import Game
import Testing

@Suite("Rooms: games")
struct RoomGameTests {
  @Test("Two players may start a game; one may not, and a held seat counts")
  func start() throws {
    var test = try TestRoom(players: 1)
    #expect(test.apply(.startGame(.seat(0))) == .refused(.tooFewPlayers))
    test.join(1)
    test.apply(.lose(.seat(1)))
    let before = test.room.lastEventNumber
    #expect(test.apply(.startGame(.seat(0))) == .ok)
    #expect(test.room.phase == .playing)
    #expect(test.bodies(after: before) == [.phase(.playing(game: 1, endsAtGameMs: 60_000))])
  }

  @Test("Starting and playing again are allowed to any seated player, or only to the host", arguments: [false, true])
  func whoStarts(hostOnly: Bool) throws {
    var test = try TestRoom(hostOnly: hostOnly, players: 3)
    let expected: Effects.Answer = hostOnly ? .refused(.hostOnly) : .ok
    #expect(test.apply(.startGame(.seat(2))) == expected)
    test.apply(.startGame(.seat(0)))
    test.wait(.seconds(60))
    #expect(test.apply(.playAgain(.seat(1))) == expected)
  }

  @Test("Each request is accepted only in its phase")
  func phases() throws {
    var test = try TestRoom(players: 2)
    #expect(test.apply(.playAgain(.seat(0))) == .refused(.wrongPhase))
    test.start()
    #expect(test.apply(.startGame(.seat(0))) == .refused(.wrongPhase))
    #expect(test.apply(.playAgain(.seat(0))) == .refused(.wrongPhase))
    test.wait(.seconds(60))
    #expect(test.apply(.startGame(.seat(0))) == .refused(.wrongPhase))
    #expect(test.apply(.playAgain(.seat(0))) == .ok)
  }

  @Test("The room's clock starts at its creation, restarts with a game and continues after its end")
  func clock() throws {
    var test = try TestRoom(players: 2)
    test.wait(.milliseconds(2_500))
    #expect(test.room.clockMs(at: test.now) == 2_500)
    #expect(test.room.endsAtMs == nil)
    test.start()
    #expect(test.room.clockMs(at: test.now) == 0)
    #expect(test.room.endsAtMs == 60_000)
    #expect(test.room.events(after: 3).events.map(\.atMs) == [0])
    test.wait(.milliseconds(61_234))
    test.tick()
    #expect(test.room.endsAtMs == nil)
    #expect(test.room.clockMs(at: test.now) == 61_234)
    #expect(test.room.clockMs(at: test.now + .seconds(5_000_000)) == .max, "the clock stops at the greatest number")
  }

  @Test("A game ends exactly at its deadline: earlier inputs count, inputs at the deadline or later do not")
  func deadline() throws {
    var test = try TestRoom(players: 2)
    test.start()
    #expect(test.room.nextDeadline == test.now + .seconds(60))
    test.wait(.milliseconds(59_999))
    test.move(1, Yard.fix())
    test.wait(.milliseconds(1))
    test.move(0, Yard.fix())
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.points) == [1, 0])
    #expect(test.room.board.map(\.time) == [.seconds(60), .seconds(60)])
    #expect(test.points() == [1: 1])
    let end = try #require(test.room.events(after: 0).events.last)
    #expect(end.atMs == 60_000)
    #expect(end.body == .phase(.ended(board: test.room.board)))
  }

  @Test("The end is dated at the deadline, however late it is processed")
  func lateNotice() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.wait(.milliseconds(75_300))
    let tick = test.tick()
    #expect(tick.events.last?.atMs == 60_000)
    #expect(tick.gameMs == 75_300)
  }

  @Test("A game ends early when fewer than two players remain; a held seat remains")
  func earlyEnd() throws {
    var test = try TestRoom(holdS: 30, players: 3)
    test.start()
    test.apply(.leave(.seat(0)))
    #expect(test.room.phase == .playing)
    test.apply(.lose(.seat(1)))
    test.wait(.milliseconds(29_999))
    test.tick()
    #expect(test.room.phase == .playing)
    let before = test.room.lastEventNumber
    test.wait(.seconds(2))
    test.tick()
    #expect(test.room.phase == .ended)
    let events = test.room.events(after: before).events
    #expect(events.map(\.atMs) == [30_000, 30_000])
    #expect(events.map(\.body) == [.left(.seat(1)), .phase(.ended(board: test.room.board))])
    #expect(test.room.board.map(\.seat) == [1, 2, 0])
    #expect(test.room.board.map(\.completed) == [false, true, false])
    #expect(test.room.board.map(\.time) == [.seconds(30), .seconds(30), .zero])
  }

  @Test("A hold that expires at the game's deadline lasts for the whole game")
  func holdEndsWithGame() throws {
    var test = try TestRoom(holdS: 30, players: 2)
    test.start()
    test.wait(.seconds(30))
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(30))
    test.tick()
    #expect(test.room.board.map(\.completed) == [true, true])
    #expect(
      test.bodies().suffix(3) == [
        .timeUp(boardAtGameMs: 80_000), .left(.seat(1)), .phase(.ended(board: test.room.board)),
      ]
    )
  }

  @Test("60 s after the end the room returns to the lobby by itself, and the board stays until the next start")
  func again() throws {
    var test = try TestRoom(players: 2)
    for _ in 0..<3 {
      test.start()
      #expect(test.room.board.isEmpty)
      test.move(0, Yard.fix())
      test.wait(.seconds(60))
      test.tick()
      #expect(test.room.nextDeadline == test.now + .seconds(60))
      test.wait(.milliseconds(59_999))
      test.tick()
      #expect(test.room.phase == .ended)
      test.wait(.milliseconds(1))
      #expect(test.tick().events.map(\.body) == [.phase(.lobby)])
      #expect(test.room.phase == .lobby)
      #expect(test.room.board.map(\.points) == [1, 0])
    }
  }

  @Test("A start resets points, positions and distances")
  func startResets() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.move(0, Yard.fix())
    test.wait(.seconds(2))
    test.move(0, Yard.fix(northM: 20))
    test.wait(.seconds(60))
    test.apply(.playAgain(.seat(0)))
    #expect(test.points() == [0: 2])
    test.start()
    #expect(test.points().isEmpty)
    #expect(test.room.footprints(seat: 0).isEmpty)
    test.wait(.seconds(1))
    test.move(0, Yard.fix(northM: 20))
    #expect(test.points() == [0: 1])
    test.wait(.seconds(60))
    test.tick()
    #expect(test.room.board.map(\.distanceMm) == [0, 0])
  }

  @Test("Deadlines that were missed together fire in order, each at its time")
  func missedDeadlines() throws {
    var test = try TestRoom(holdS: 30, players: 3)
    test.start()
    test.wait(.seconds(20))
    test.apply(.lose(.seat(0)))
    test.apply(.lose(.seat(2)))
    let before = test.room.lastEventNumber
    test.wait(.seconds(600))
    test.tick()
    let events = test.room.events(after: before).events
    #expect(
      events.map(\.body) == [
        .host(seat: 1), .left(.seat(0)), .left(.seat(2)), .phase(.ended(board: test.room.board)), .phase(.lobby),
      ]
    )
    #expect(events.map(\.atMs) == [30_000, 50_000, 50_000, 50_000, 110_000])
  }

  @Test("One player starts a solo room, and its game ends at its deadline")
  func solo() throws {
    var test = TestRoom(try RoomConfiguration(duration: .seconds(10), solo: true), players: 1)
    #expect(test.join(1) == .refused(.roomFull))
    test.start()
    #expect(test.join(1) == .refused(.gameOn))
    test.wait(.milliseconds(9_999))
    test.tick()
    #expect(test.room.phase == .playing)
    test.wait(.milliseconds(1))
    test.tick()
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.completed) == [true])
  }

  @Test("A solo game ends when its player leaves or the hold expires")
  func soloLeave() throws {
    var test = TestRoom(try RoomConfiguration(solo: true), players: 1)
    test.start()
    test.move(0, Yard.fix())
    test.wait(.seconds(6))
    test.apply(.leave(.seat(0)))
    #expect(test.room.phase == .ended)
    #expect(test.room.board.map(\.points) == [1])
    #expect(test.room.board.map(\.won) == [false])
    #expect(test.room.board.map(\.completed) == [false])
    #expect(test.room.board.map(\.time) == [.seconds(6)])
    #expect(test.room.hostSeat == nil)
  }
}
