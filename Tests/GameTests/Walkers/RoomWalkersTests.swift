// Practice opponents in a room: when they sit down and leave, what they count for, and what a game with them gives.
import Game
import Testing

@Suite("Practice opponents: rooms")
struct RoomWalkersTests {
  private static func room(
    capacity: Int = 4,
    fill: Int = 3,
    _ strength: WalkerStrength = .hard,
    players: Int = 1
  ) throws -> TestRoom {
    let configuration = try RoomConfiguration(capacity: capacity, tickHz: 10, fill: fill, fillStrength: strength)
    return TestRoom(configuration, players: players)
  }

  private static func walkers(_ test: TestRoom) -> [Place] {
    RoomWalkers.shownMembers(of: test.room).filter(\.id.isWalker).map(\.place)
  }

  private static func results(_ test: TestRoom) -> [GameResult] {
    test.effects.outputs.compactMap { if case .gameEnded(let result) = $0 { result } else { nil } }
  }

  @Test("One alone starts a game: practice opponents take free seats with it, and leave with the return to the lobby")
  func alone() throws {
    var test = try Self.room()
    #expect(Self.walkers(test).isEmpty)
    let before = test.room.lastEventNumber
    test.start()
    #expect(Self.walkers(test) == [.seat(1), .seat(2), .seat(3)])
    let names = ["Practice 1", "Practice 2", "Practice 3"]
    let joined = test.bodies(after: before).dropFirst().compactMap { body in
      if case .joined(let member) = body { member.nickname } else { nil }
    }
    #expect(joined == names)
    #expect(test.room.members.map(\.place) == [.seat(0)])
    test.wait(.seconds(60))
    test.tick()
    #expect(test.room.phase == .ended)
    #expect(Self.walkers(test).count == 3)
    let ended = test.room.lastEventNumber
    test.apply(.playAgain(.seat(0)))
    #expect(test.bodies(after: ended) == [.phase(.lobby), .left(.seat(1)), .left(.seat(2)), .left(.seat(3))])
    #expect(Self.walkers(test).isEmpty)
    test.start()
    #expect(Self.walkers(test).count == 3)
  }

  @Test("People come first: they take the seats of the lobby, and practice opponents only those that are left")
  func people() throws {
    var test = try Self.room(players: 3)
    test.start()
    #expect(Self.walkers(test) == [.seat(3)])
    var full = try Self.room(players: 4)
    full.start()
    #expect(Self.walkers(full).isEmpty)
    // A player who comes during a game watches, and has a seat in the next one.
    #expect(test.join(7) == .joined(.spectator(0)))
    test.wait(.seconds(60))
    test.tick()
    test.apply(.playAgain(.seat(0)))
    #expect(test.room.place(of: TestRoom.player(7)) == .seat(3))
    test.start()
    #expect(Self.walkers(test).isEmpty)
  }

  @Test("A room without practice opponents needs two players as before")
  func without() throws {
    var test = try Self.room(fill: 0)
    #expect(test.apply(.startGame(.seat(0))) == .refused(.tooFewPlayers))
    #expect(throws: SettingOutOfRange(field: "fill", range: 0...10)) { try RoomConfiguration(fill: 11) }
    #expect(throws: SettingOutOfRange(field: "fill", range: 0...0)) { try RoomConfiguration(solo: true, fill: 1) }
  }

  @Test("A game goes on with one player and practice opponents, and ends when no player is left")
  func goesOn() throws {
    var test = try Self.room(players: 2)
    test.start()
    test.apply(.leave(.seat(1)))
    #expect(test.room.phase == .playing)
    test.apply(.leave(.seat(0)))
    #expect(test.room.phase == .ended)
  }

  @Test("One alone with practice opponents wins nothing, and no row counts; the board shows everybody")
  func practice() throws {
    var test = try Self.room(fill: 2)
    test.start()
    for second in 1..<60 {
      test.wait(.seconds(1))
      test.move(0, Yard.fix(northM: Double(second) * 6))
    }
    test.wait(.seconds(2))
    test.tick()
    let board = test.room.board
    #expect(board.map(\.seat).first == 0 && board.count == 3)
    #expect(board.map(\.rank) == [1, 0, 0])
    #expect(board.allSatisfy { !$0.won })
    #expect(board.dropFirst().allSatisfy { $0.points > 0 && $0.givenRank == nil && $0.id.isWalker })
    let result = try #require(Self.results(test).first)
    #expect(result.isPractice)
    #expect(result.board.map(\.id) == [TestRoom.player(0)])
  }

  @Test("Among two players the better one wins, also behind a practice opponent, who has no rank")
  func twoPlayers() throws {
    var test = try Self.room(fill: 1, players: 2)
    test.start()
    test.move(0, Yard.fix())
    for second in 0..<4 {
      test.move(1, Yard.fix(eastM: Double(second) * 6))
      test.wait(.seconds(1))
    }
    test.wait(.seconds(56))
    test.tick()
    let board = test.room.board
    #expect(board.map(\.seat) == [2, 1, 0])
    #expect(board.map(\.rank) == [0, 1, 2])
    #expect(board.map(\.won) == [false, true, false])
    let result = try #require(Self.results(test).first)
    #expect(!result.isPractice && result.board.map(\.rank) == [1, 2])
  }

  @Test("A person who goes without a point leaves the other alone with practice opponents; one with points does not")
  func goneWithoutPoints() throws {
    for hasWalked in [false, true] {
      var test = try Self.room(fill: 2, .easy, players: 2)
      test.start()
      if hasWalked { test.move(1, Yard.fix()) }
      test.wait(.seconds(1))
      #expect(test.apply(.kick(.seat(0), TestRoom.player(1))) == .ok)
      for second in 1..<58 {
        test.wait(.seconds(1))
        test.move(0, Yard.fix(northM: Double(second) * 6))
      }
      test.wait(.seconds(2))
      test.tick()
      let result = try #require(Self.results(test).first)
      #expect(result.isPractice == !hasWalked)
      #expect(result.board.contains { $0.won } == hasWalked)
    }
  }

  @Test("They begin to walk where a player is, and stand still while the board waits for late fixes")
  func waits() throws {
    var test = try Self.room(fill: 1, players: 2)
    test.start()
    test.wait(.seconds(5))
    test.tick()
    #expect(test.points().isEmpty)
    test.move(1, Yard.fix())
    test.wait(.seconds(10))
    #expect(test.tick().seats == [1, 2])
    test.apply(.lose(.seat(1)))
    test.wait(.seconds(45))
    test.tick()
    #expect(test.room.boardAtMs != nil)
    let kept = test.room
    test.wait(.seconds(10))
    #expect(test.tick().seats.isEmpty)
    #expect(test.room.boardAtMs != nil)
    #expect(test.room.lastFix(seat: 2)?.coordinate == kept.lastFix(seat: 2)?.coordinate)
  }

  @Test("Nobody is told of a practice opponent's positions, and no erasure knows one")
  func quiet() throws {
    var test = try Self.room()
    test.start()
    test.move(0, Yard.fix())
    var told: [Effect] = []
    for _ in 0..<60 {
      test.wait(.seconds(1))
      test.tick()
      told += test.effects.outputs
    }
    #expect(told.count == 1, "only the end of the game")
    var shown: Set<PlayerID> = []
    test.room.forEachShown { shown.insert($0) }
    #expect(shown == [TestRoom.player(0)])
    #expect((1...3).allSatisfy { !test.room.isSuspect(seat: $0) })
  }

  @Test("A player whose nickname is theirs keeps it")
  func names() throws {
    var test = try Self.room(fill: 1, players: 0)
    test.join(0, nickname: "Practice 1")
    test.start()
    #expect(RoomWalkers.shownMembers(of: test.room).map(\.nickname) == ["Practice 1", "Practice 1*"])
  }
}
