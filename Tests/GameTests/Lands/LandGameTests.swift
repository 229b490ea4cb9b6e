// Rooms over lands: holders, ranks, ends, and the stored result of a solo run.
import Game
import Testing

@Suite("Land mode: games")
struct LandGameTests {
  private static func event(_ seat: Int, _ land: Land, _ time: Duration) -> Event.Body {
    .captured(seat: seat, .land(land.id, time: time))
  }

  @Test("The first player to complete a land holds it for that game: a later one is notified, and can't take it")
  func holding() throws {
    let lands = try TestLands.squares(2)
    let vertices = lands[0].vertices
    var test = try TestLands.game(lands, players: 3)
    let last = test.room.lastEventNumber
    for step in 0..<vertices.count where test.captures.isEmpty {
      // Seat 2 began first and is slower.
      if step.isMultiple(of: 2) { test.walk(2, vertices[(step / 2)...(step / 2)], waiting: .zero) }
      if step == 1 { test.walk(1, vertices[1...1], waiting: .zero) }
      test.walk(0, vertices[step...step], waiting: .zero)
      if test.captures.isEmpty { test.wait(.seconds(1)) }
    }
    #expect(test.bodies(after: last) == [Self.event(0, lands[0], .seconds(22))])
    #expect(
      test.runProgress.map(\.seat) == [0, 1, 2]
        && test.runProgress.map(\.progress.state) == [.captured, .givenUp, .givenUp]
    )
    #expect(test.runProgress.map(\.progress.time) == [.seconds(22), .seconds(21), .seconds(22)])
    #expect(test.room.landHolders.map { $0?.seat } == [0, nil])
    #expect(test.room.landHolders.map { $0?.time } == [.seconds(22), nil])
    test.wait(.seconds(1))
    #expect(test.walk(2, vertices[11..<24]) == [RunProgress(.tooFar)])
    test.waitToBeBelieved()
    #expect(test.walk(1, vertices).map(\.state) == [.tooFar])
    #expect(test.points() == [0: 1, 1: 0, 2: 0])
    #expect(test.room.phase == .playing)
  }

  @Test("All lands are free at the start of the next game")
  func nextGame() throws {
    let lands = try TestLands.squares(1)
    var test = try TestLands.game(lands)
    test.walk(1, lands[0].vertices)
    #expect(test.room.phase == .ended)
    #expect(test.room.landHolders.map { $0?.seat } == [1])
    test.apply(.playAgain(.seat(0)))
    test.start()
    #expect(test.room.landHolders.map { $0?.seat } == [nil])
    #expect(test.points().isEmpty)
    test.waitToBeBelieved()
    #expect(test.walk(0, lands[0].vertices).last?.state == .captured)
  }

  @Test("A run ends with its game, or when its player leaves")
  func runsEnd() throws {
    let lands = try TestLands.squares(1)
    var test = try TestLands.game(lands, players: 3)
    test.walk(0, lands[0].vertices.prefix(9))
    test.walk(1, lands[0].vertices.prefix(9))
    test.apply(.leave(.seat(0)))
    test.join(0)
    #expect(test.room.run(of: 0, at: test.now) == nil)
    #expect(test.room.run(of: 1, at: test.now)?.visited == 9)
    test.wait(.seconds(1_800))
    test.tick()
    #expect(test.room.phase == .ended)
    #expect(test.room.run(of: 1, at: test.now) == nil)
    test.apply(.playAgain(.seat(1)))
    test.apply(.startGame(.seat(1)))
    #expect(test.room.run(of: 1, at: test.now) == nil)
    #expect(test.walk(1, lands[0].vertices.prefix(9)).last?.visited == 9)
  }

  @Test("A run continues while its player's connection is lost, and the way walked in that time visits nothing")
  func lostConnection() throws {
    let lands = try TestLands.squares(1)
    var test = try TestLands.game(lands)
    test.walk(0, lands[0].vertices.prefix(6))
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(6))
    test.apply(.comeBack(.seat(0)))
    let notices = test.walk(0, lands[0].vertices[12...])
    #expect(notices.first == RunProgress(.running, land: 0, visited: 8, time: .seconds(13)))
    #expect(notices.last?.visited == 18)
    #expect(test.captures.isEmpty)
  }

  @Test("Rank by lands held, then by total time, then by who had them first; players who left rank below")
  func ranking() throws {
    let lands = try TestLands.squares(8)
    var test = try TestLands.game(lands, players: 6)
    func lap(_ seat: Int, _ land: Int, slower: Int = 0) {
      test.walk(seat, lands[land].vertices.prefix(1), waiting: .seconds(1 + slower))
      test.walk(seat, lands[land].vertices.prefix(24))
      test.waitToBeBelieved()
    }
    lap(0, 0, slower: 7)
    lap(1, 1, slower: 3)
    lap(2, 2, slower: 30)
    lap(2, 3, slower: 30)
    lap(3, 4, slower: 3)
    lap(5, 5)
    lap(5, 6)
    test.apply(.leave(.seat(5)))
    #expect(test.room.phase == .playing)
    test.wait(.seconds(1_800))
    test.tick()
    #expect(test.room.board.map(\.seat) == [2, 1, 3, 0, 4, 5])
    #expect(test.room.board.map(\.points) == [2, 1, 1, 1, 0, 2])
    #expect(test.room.board.map(\.won) == [true, false, false, false, false, false])
    #expect(test.room.board.map(\.completed) == [true, true, true, true, true, false])
    #expect(test.room.board.map(\.time).dropLast() == Array(repeating: .seconds(1_800), count: 5)[...])
    #expect(test.room.landHolders.map { $0?.seat } == [0, 1, 2, 2, 3, 5, 5, nil])
  }

  @Test("The game ends early when every land is held")
  func earlyEnd() throws {
    let lands = try TestLands.squares(2)
    var test = try TestLands.game(lands)
    let start = test.now
    test.walk(1, lands[1].vertices)
    test.waitToBeBelieved()
    #expect(test.room.phase == .playing)
    let last = test.room.lastEventNumber
    test.walk(0, lands[0].vertices.prefix(22))
    test.walk(0, lands[0].vertices[22...22], waiting: .zero)
    #expect(
      test.bodies(after: last) == [Self.event(0, lands[0], .seconds(22)), .phase(.ended(board: test.room.board))]
    )
    guard case .gameEnded(let result) = test.effects.outputs.last else {
      Issue.record("the game has no result")
      return
    }
    #expect(result.number == 1 && result.startedAt == start && result.endedAt == test.now)
    #expect(result.board == test.room.board)
    #expect(test.room.board.map(\.points) == [1, 1])
    #expect(test.room.board.map(\.seat) == [1, 0], "both took 22 s, and seat 1 was first")
    #expect(!test.effects.outputs.contains { if case .landRun = $0 { true } else { false } }, "it was no solo game")
    // The end of the board's time comes next.
    test.wait(Deadlines.boardTime - .milliseconds(1))
    test.tick()
    #expect(test.room.phase == .ended)
    test.wait(.milliseconds(1))
    test.tick()
    #expect(test.room.phase == .lobby)
  }

  @Test("Solo: the run's time becomes the record, and the game is complete")
  func soloCompleted() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land], solo: true)
    test.walk(0, [(-80, 0), (-70, 0), (-60, 0), (-50, 0), (-40, 0), (-30, 0), (-20, 0), (-12, 0)])
    test.walk(0, land.vertices.prefix(22))
    test.walk(0, land.vertices[22...22], waiting: .zero)
    let record = LandRunResult(player: TestRoom.player(0), land: land.id, time: .seconds(22))
    #expect(test.effects.outputs.contains(.landRun(record, at: test.now)))
    #expect(test.room.phase == .ended)
    let row = try #require(test.room.board.first)
    #expect(row.time == .seconds(22))
    #expect(row.calories == 677 * 22_000 / 6_000)
    #expect(row.completed && row.won && row.counts && row.rank == 1 && row.points == 1)
    #expect((226_000...227_000).contains(row.distanceMm), "the way to the land counts")
  }

  @Test("If the speed limit is above 12.5 m/s, a land is captured as usual, but no run is kept for the ranking")
  func fasterIsNotRanked() throws {
    let land = try TestLands.square()
    for (speedMaxMmPerS, isKept) in [(12_500, true), (12_501, false), (100_000, false)] {
      var test = try TestLands.game([land], solo: true, speedMaxMmPerS: speedMaxMmPerS)
      var isRanked = false
      for vertex in land.vertices where test.room.phase == .playing {
        test.walk(0, [vertex])
        isRanked = isRanked || test.effects.outputs.contains { if case .landRun = $0 { true } else { false } }
      }
      #expect(test.room.board.map(\.completed) == [true] && isRanked == isKept)
    }
  }

  @Test("A solo game over several lands keeps each run, and is complete after the last one")
  func soloOverSeveral() throws {
    let lands = try TestLands.squares(2)
    var test = try TestLands.game(lands, solo: true)
    var kept: [LandRunResult] = []
    for land in lands.reversed() {
      for vertex in land.vertices where test.room.phase == .playing {
        test.walk(0, [vertex])
        kept += test.effects.outputs.compactMap { if case .landRun(let run, _) = $0 { run } else { nil } }
      }
      test.waitToBeBelieved()
    }
    #expect(kept.map(\.land) == [lands[1].id, lands[0].id])
    #expect(kept.map(\.time) == [.seconds(22), .seconds(22)])
    #expect(test.room.board.map(\.completed) == [true])
    #expect(test.room.board.map(\.points) == [2])
    #expect(test.room.board.map(\.time) == [.seconds(44)])
  }

  @Test("Quitting stores an uncompleted record, which counts from 60 s and 100 m")
  func quitting() throws {
    let land = try TestLands.square()
    for (seconds, counts) in [(20, false), (60, true)] {
      var test = try TestLands.game([land], solo: true)
      test.walk(0, land.vertices.prefix(20))
      test.wait(.seconds(seconds - 20))
      test.apply(.leave(.seat(0)))
      guard case .gameEnded(let result) = test.effects.outputs.last else { return #expect(Bool(false), "no result") }
      let row = try #require(result.board.first)
      #expect(!row.completed && !row.won && row.points == 0)
      #expect(row.time == .seconds(seconds))
      #expect(row.counts == counts)
      #expect(!test.effects.outputs.contains { if case .landRun = $0 { true } else { false } })
    }
  }

  @Test("A solo game that ends by its deadline is not complete")
  func soloTimeout() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land], solo: true, duration: .seconds(20))
    test.walk(0, land.vertices)
    test.tick()
    #expect(test.room.board.map(\.completed) == [false])
    #expect(test.room.board.map(\.time) == [.seconds(20)])
  }

  @Test("A room has 1 to 20 different lands, with at most 10,000 vertices in total, and lasts 30 minutes by default")
  func settings() throws {
    let lands = try TestLands.squares(21)
    let most = try RoomConfiguration(mode: .land(LandSettings(lands: Array(lands.prefix(20)))))
    #expect(most.lands.count == 20 && most.duration == .seconds(1_800))
    let vertices = ContiguousArray(repeating: TestLands.coordinate(northM: 0, eastM: 0), count: 5_001)
    let large = [LandID(1), LandID(2)].map { Land(id: $0, name: "", vertices: vertices) }
    for refused in [lands, [], [lands[0], lands[0]]] {
      #expect(throws: SettingOutOfRange(field: "landIds", range: 1...20)) {
        try RoomConfiguration(mode: .land(LandSettings(lands: refused)))
      }
    }
    #expect(throws: SettingOutOfRange(field: "landIds", range: 1...10_000)) {
      try RoomConfiguration(mode: .land(LandSettings(lands: large)))
    }
  }
}
