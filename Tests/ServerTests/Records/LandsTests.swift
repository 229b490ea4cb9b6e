// Lands over the wire: finding them, solo runs and their rankings, rooms over several, past games.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct LandsTests {
  /// A square of 80 m with a vertex every 8 m, this many metres east of the first one.
  private static func land(_ number: UInt128, eastM: Double = 0) -> Land {
    var vertices: ContiguousArray<Coordinate> = []
    for (north, east) in ring { vertices.append(coordinate(north, east + eastM)) }
    return Land(id: LandID(number), name: "마당 \(number)", vertices: vertices)
  }

  private static func coordinate(_ northM: Double, _ eastM: Double) -> Coordinate {
    Coordinate(latE7: 375_000_000 + Int32(northM * 89.932), lngE7: 1_267_000_000 + Int32(eastM * 113.357))
  }

  private static let ring: [(Double, Double)] = (0..<40).map { step in
    let along = Double(step % 10) * 8
    switch step / 10 {
    case 0: return (0, along)
    case 1: return (along, 80)
    case 2: return (80, 80 - along)
    default: return (80 - along, 0)
    }
  }

  private func server(
    _ lands: Land...,
    configure: @escaping (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> TestServer {
    let store = MemoryStore()
    _ = try store.addLands(lands)
    return try TestServer(store: store, configure)
  }

  private static func createSolo(_ land: Land) -> (inout WireCreateRoom) -> Void {
    {
      $0.mode = .land
      $0.solo = true
      $0.durationS = 120
      $0.landIds = [land.id.description]
    }
  }

  /// Runs once around, a vertex a second.
  ///
  /// - Returns: the notifications of the run.
  private func run(
    _ player: TestPlayer,
    _ server: TestServer,
    eastM: Double = 0,
    steps: Int = 41,
    beside others: TestPlayer...
  ) throws -> [WireRun] {
    for step in 0..<steps {
      let (north, east) = Self.ring[step % 40]
      let place = Self.coordinate(north, east + eastM)
      try player.expectOk(.move(TestPlayer.move(place.latE7, place.lngE7)))
      try server.passSecond()
      _ = server.report()
      for player in [player] + others { try player.pump() }
    }
    try server.passTick()
    _ = server.report()
    try player.pump()
    return player.inbox.compactMap { if case .run(let run) = $0.body { run } else { nil } }
  }

  @Test("A room over lands is charged for its bytes in the journal, and so is each start in it")
  func journal() throws {
    let lands = (1...20).map { Self.land(UInt128($0), eastM: Double($0) * 100) }
    let store = MemoryStore()
    _ = try store.addLands(lands)
    let operators = try TestOperators(store: store)
    let player = try operators.game.player("player")
    // Each has 40 vertices of 8 bytes.
    let configurationBytes = 20.0 * 40 * 8
    let used = "madang_budget_used{budget=\"JOURNAL_BYTES\",scope=\"PLAYER\"}"
    _ = try player.createRoom {
      $0.mode = .land
      $0.solo = true
      $0.landIds = lands.map(\.id.description)
    }
    let made = try #require(operators.metrics()[used])
    #expect(made > configurationBytes && made < 2 * configurationBytes)
    try player.expectOk(.startGame(WireStartGame()))
    let started = try #require(operators.metrics()[used])
    #expect(started > 2 * configurationBytes && started < 4 * configurationBytes)
  }

  private func ranking(_ land: Land, _ player: TestPlayer) throws -> WireLandRanking {
    var request = WireLandRankingRequest()
    request.landID = land.id.description
    let answer = try player.request(.landRanking(request))
    guard case .landRanking(let ranking) = answer else { throw TestFailure("no ranking: \(answer)") }
    return ranking
  }

  @Test("A solo run captures its land: the game ends, and the time is in the ranking when the end is sent")
  func solo() throws {
    let land = Self.land(7)
    let server = try server(land)
    let player = try server.player("가람")
    let room = try player.createRoom(Self.createSolo(land))
    #expect(room.mode == .land && room.lands.count == 1 && room.lands[0].name == "마당 7")
    #expect(room.lands[0].latE7 == land.vertices.map(\.latE7) && room.lands[0].lngE7.count == 40)
    try player.expectOk(.startGame(WireStartGame()))
    let runs = try run(player, server)
    #expect(runs.first?.state == .running && runs.last?.state == .captured)
    #expect(runs.allSatisfy { $0.landID == land.id.description && $0.needed == 39 })
    let elapsed = runs.map(\.elapsedMs)
    #expect(zip(elapsed, elapsed.dropFirst()).allSatisfy { $0 <= $1 })
    let events = player.takeEvents()
    let captured = try #require(events.first { $0.body?.name == "captured" }).captured
    #expect(captured.land.landID == land.id.description && captured.land.timeMs == runs.last?.elapsedMs)
    let board = try #require(events.first { $0.phase.phase == .ended }).phase.board
    #expect(board.map(\.points) == [1] && board[0].won && board[0].completed)

    let ranking = try ranking(land, player)
    #expect(ranking.name == "마당 7" && ranking.top.map(\.rank) == [1] && ranking.top[0].nickname == "가람")
    #expect(ranking.own.timeMs == captured.land.timeMs && ranking.neighbours.isEmpty)
    #expect(ranking.ownTimes.map(\.timeMs) == [captured.land.timeMs])
    guard case .playerLands(let own) = try player.request(.playerLands(WirePlayerLandsRequest())) else {
      throw TestFailure("no lands of a player")
    }
    #expect(own.lands.map(\.landID) == [land.id.description] && own.lands[0].rank == 1 && own.nextCursor.isEmpty)
    guard case .roomGames(let games) = try player.request(.roomGames(WireRoomGamesRequest())) else {
      throw TestFailure("no games of a room")
    }
    #expect(games.games.map(\.mode) == [.land] && games.games[0].board.map(\.points) == [1])
  }

  @Test("A land gets another name while a run around it goes on: the run captures it, and rankings have the new name")
  func renamed() throws {
    let land = Self.land(7)
    let server = try server(land)
    let player = try server.player("가람")
    _ = try player.createRoom(Self.createSolo(land))
    try player.expectOk(.startGame(WireStartGame()))
    #expect(try run(player, server, steps: 1).last?.state == .running)
    #expect(server.perform(.renameLand(land.id, name: "뒷마당")) == .done("마당 7 is renamed"))
    #expect(try run(player, server).last?.state == .captured)
    #expect(try ranking(land, player).name == "뒷마당")
    guard case .playerLands(let own) = try player.request(.playerLands(WirePlayerLandsRequest())) else {
      throw TestFailure("no lands of a player")
    }
    #expect(own.lands.map(\.name) == ["뒷마당"])
    guard case .roomGames(let games) = try player.request(.roomGames(WireRoomGamesRequest())) else {
      throw TestFailure("no games of a room")
    }
    #expect(games.games.map(\.mode) == [.land])
    let audit = try server.audit()
    #expect(audit.map(\.action) == ["renameLand"] && audit[0].detail == "land \(land.id): 마당 7 is 뒷마당")
    let again = try server.crash()
    #expect(try ranking(land, again.player("나래")).name == "뒷마당", "a restart keeps it")
    withExtendedLifetime(again) {}
  }

  @Test(
    "A run whose fixes were withheld is in no ranking, unless the operator has set otherwise",
    arguments: [nil, 99, 100]
  )
  func withheld(percentMax: Int?) throws {
    let land = Self.land(7)
    let server = try server(land) { $0.withheldPercentMax = percentMax ?? $0.withheldPercentMax }
    let player = try server.player("가람")
    _ = try player.createRoom(Self.createSolo(land))
    try player.expectOk(.startGame(WireStartGame()))
    let beganMs = server.clock.now().milliseconds
    try server.pass(seconds: 80, player)
    let fixes = (0..<41).map { step in
      let (north, east) = Self.ring[step % 40]
      let place = Self.coordinate(north, east)
      var move = TestPlayer.move(place.latE7, place.lngE7)
      move.timeMs = beganMs + Int64(step) * 1_000
      return move
    }
    // The run ends with the fix that captures; the rest is outside the game.
    #expect(try player.tell(fixes).accepted >= 39)
    try server.passTick()
    let board = try player.event { $0.phase.phase == .ended }.phase.board
    #expect(board.map(\.withheldPercent) == [100] && board.map(\.points) == [1])
    #expect(try ranking(land, player).top.count == (percentMax == 100 ? 1 : 0))
  }

  @Test("Quitting leaves an uncompleted result and no time; an abandoned run leaves none, and can be begun again")
  func quitting() throws {
    let land = Self.land(7)
    let server = try server(land)
    let player = try server.player("가람")
    _ = try player.createRoom(Self.createSolo(land))
    #expect(try player.refusal(of: .giveUpRun(WireGiveUpRun())).code == .noRun)
    try player.expectOk(.startGame(WireStartGame()))
    _ = try run(player, server, steps: 5)
    try player.expectOk(.giveUpRun(WireGiveUpRun()))
    #expect(try player.refusal(of: .giveUpRun(WireGiveUpRun())).code == .noRun)
    let runs = try run(player, server, steps: 3)
    #expect(runs.last?.state == .running && (runs.last?.visited ?? 40) < 8)
    #expect(runs.contains { $0.state == .givenUp })
    try player.expectOk(.leaveRoom(WireLeaveRoom()))
    let results = try player.results().results
    #expect(results.map(\.mode) == [.land] && !results[0].completed)
    #expect(results[0].landID == land.id.description && results[0].landName == "마당 7")
    #expect(try ranking(land, player).top.isEmpty)
  }

  @Test("In a room over two lands the first lap around each takes it, and late joiners see the holders")
  func several() throws {
    let (one, two) = (Self.land(1), Self.land(2, eastM: 500))
    let server = try server(one, two)
    let host = try server.player("가람")
    let guest = try server.player("나래", .proto)
    let code = try host.createRoom {
      $0.mode = .land
      $0.landIds = [one, two].map(\.id.description)
    }.code
    _ = try guest.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    _ = try run(host, server, beside: guest)
    let late = try server.player("다온")
    let room = try late.joinRoom(code)
    #expect(room.lands.map { $0.hasHolder ? Int($0.holder) : -1 } == [0, -1] && room.lands[0].timeMs > 0)
    _ = try run(guest, server, eastM: 500, beside: host, late)
    let ended = try guest.event { $0.phase.phase == .ended }.phase
    #expect(ended.board.map(\.points) == [1, 1] && ended.board.allSatisfy(\.completed))
    // Rankings are of solo runs.
    #expect(try ranking(one, host).top.isEmpty)
  }

  @Test("Lands near a place are listed nearest first, without distant ones")
  func search() throws {
    let server = try server(Self.land(1), Self.land(2, eastM: 500), Self.land(3, eastM: 5_000))
    let player = try server.player("가람")
    var request = WireFindLands()
    let place = Self.coordinate(0, 400)
    request.latE7 = place.latE7
    request.lngE7 = place.lngE7
    request.withinM = 1_000
    guard case .lands(let found) = try player.request(.findLands(request)) else { throw TestFailure("no lands") }
    #expect(found.lands.map(\.name) == ["마당 2", "마당 1"])
    #expect((99...101).contains(found.lands[0].distanceM) && (318...321).contains(found.lands[0].lengthM))
    #expect(found.lands[0].vertices == 40 && found.lands[0].bestTimeMs == 0 && found.lands[0].outlineLatE7.isEmpty)
    request.outlines = true
    guard case .lands(let drawn) = try player.request(.findLands(request)) else { throw TestFailure("no lands") }
    #expect(drawn.lands.map(\.outlineLatE7.count) == [4, 4] && drawn.lands.map(\.outlineLngE7.count) == [4, 4])
  }

  @Test("A map shows its lands in pages, with outlines when asked, and one land comes with its whole ring")
  func map() throws {
    let lands = (1...60).map { Self.land(UInt128($0), eastM: Double($0) * 100) }
    let store = MemoryStore()
    _ = try store.addLands(lands)
    let server = try TestServer(store: store)
    let player = try server.player("가람", .proto)
    var request = WireFindLands()
    (request.southE7, request.westE7) = (374_900_000, 1_266_900_000)
    (request.northE7, request.eastE7) = (375_100_000, 1_268_000_000)
    request.outlines = true
    guard case .lands(let first) = try player.request(.findLands(request)) else { throw TestFailure("no lands") }
    #expect(first.lands.count == Limits.landsOnMapMax && !first.nextCursor.isEmpty)
    #expect(first.lands.allSatisfy { !$0.hasDistanceM && $0.outlineLatE7.count == 4 && $0.outlineLngE7.count == 4 })
    request.cursor = first.nextCursor
    request.outlines = false
    guard case .lands(let rest) = try player.request(.findLands(request)) else { throw TestFailure("no lands") }
    #expect(rest.nextCursor.isEmpty && rest.lands.allSatisfy(\.outlineLatE7.isEmpty))
    #expect(Set((first.lands + rest.lands).map(\.landID)) == Set(lands.map(\.id.description)))
    #expect(first.lands.count + rest.lands.count == 60)
    // The other way round the Earth.
    (request.westE7, request.eastE7, request.cursor) = (1_268_000_000, 1_266_900_000, "")
    guard case .lands(let none) = try player.request(.findLands(request)) else { throw TestFailure("no lands") }
    #expect(none.lands.isEmpty)
    var one = WireLandRequest()
    one.landID = LandID(7).description
    guard case .land(let land) = try player.request(.land(one)) else { throw TestFailure("no land") }
    #expect(land.summary.name == "마당 7" && land.latE7 == lands[6].vertices.map(\.latE7) && land.lngE7.count == 40)
  }

  @Test("A search that is neither around a place nor on a map is refused, and so is an unknown land")
  func mapRefusals() throws {
    let server = try server(Self.land(1))
    let player = try server.player("가람")
    func code(_ change: (inout WireFindLands) -> Void) throws -> WireErrorCode {
      var request = WireFindLands()
      (request.southE7, request.westE7, request.northE7, request.eastE7) = (0, 0, 10, 10)
      change(&request)
      return try player.refusal(of: .findLands(request)).code
    }
    #expect(try code { $0.clearEastE7() } == .outOfRange)
    #expect(try code { $0.southE7 = 11 } == .outOfRange)
    #expect(try code { $0.northE7 = 900_000_001 } == .outOfRange)
    #expect(try code { $0.westE7 = -1_800_000_001 } == .outOfRange)
    #expect(try code { $0.withinM = 5 } == .outOfRange)
    #expect(try code { $0.cursor = "?" } == .outOfRange)
    #expect(try player.refusal(of: .land(WireLandRequest())).code == .landNotFound)
    var one = WireLandRequest()
    one.landID = LandID(9).description
    #expect(try player.refusal(of: .land(one)).code == .landNotFound)
  }

  @Test("Unknown lands and invalid requests are refused")
  func refusals() throws {
    let server = try server(Self.land(1))
    let player = try server.player("가람")
    var create = WireCreateRoom()
    create.mode = .land
    #expect(try player.refusal(of: .createRoom(create)).code == .outOfRange)
    create.landIds = ["bupyeongdong"]
    #expect(try player.refusal(of: .createRoom(create)).code == .landNotFound)
    create.landIds = [LandID(1).description, LandID(9).description]
    let error = try player.refusal(of: .createRoom(create))
    #expect(error.code == .landNotFound && error.message.contains(LandID(9).description))
    create.landIds = [LandID(1).description, LandID(1).description]
    #expect(try player.refusal(of: .createRoom(create)).code == .outOfRange)
    #expect(try player.refusal(of: .landRanking(WireLandRankingRequest())).code == .landNotFound)
    var ranking = WireLandRankingRequest()
    ranking.landID = LandID(9).description
    #expect(try player.refusal(of: .landRanking(ranking)).code == .landNotFound)
    ranking.top = 101
    #expect(try player.refusal(of: .landRanking(ranking)).code == .outOfRange)
    #expect(try player.refusal(of: .findLands(WireFindLands())).code == .outOfRange)
    #expect(try player.refusal(of: .roomGames(WireRoomGamesRequest())).code == .notInRoom)
    var lands = WirePlayerLandsRequest()
    lands.cursor = "?"
    #expect(try player.refusal(of: .playerLands(lands)).code == .outOfRange)
    lands.cursor = ""
    lands.playerID = PlayerID(77).description
    #expect(try player.refusal(of: .playerLands(lands)).code == .playerNotFound)
  }

  @Test("A cursor is returned only if more games remain")
  func cursor() throws {
    let land = Self.land(7)
    let server = try server(land)
    let player = try server.player("가람")
    _ = try player.createRoom(Self.createSolo(land))
    for game in 1...2 {
      try player.expectOk(.startGame(WireStartGame()))
      _ = try run(player, server)
      try player.expectOk(.playAgain(WirePlayAgain()))
      var request = WireRoomGamesRequest()
      request.limit = 1
      guard case .roomGames(let games) = try player.request(.roomGames(request)) else { throw TestFailure("no games") }
      #expect(games.games.count == 1 && games.nextCursor == (game == 1 ? "" : "2"))
      var results = WireResultsRequest()
      results.limit = 2
      guard case .results(let page) = try player.request(.results(results)) else { throw TestFailure("no results") }
      #expect(page.results.count == game && page.nextCursor.isEmpty)
    }
  }

  @Test("Queries of the store have a rate of their own")
  func rate() throws {
    let server = try server(Self.land(7))
    let player = try server.player("가람")
    var find = WireFindLands()
    let place = Self.coordinate(0, 0)
    (find.latE7, find.lngE7, find.withinM) = (place.latE7, place.lngE7, 100)
    // Below the rate of messages, which is another limit.
    var answered = 0
    while case .lands = try player.request(.findLands(find)) {
      answered += 1
      server.clock.advance(milliseconds: 60)
    }
    #expect((Limits.queriesPerMinute...Limits.queriesPerMinute + 20).contains(answered))
    let error = try player.refusal(of: .records(WireRecordsRequest()))
    #expect(error.code == .rateLimited && (1...500).contains(error.retryAfterMs))
    server.clock.advance(seconds: 1)
    guard case .lands = try player.request(.findLands(find)) else { throw TestFailure("no lands") }
  }
}
