// Paces over real sockets: fewer ticks for who asks, far players less often in large rooms, and copies that agree in
// the end.
import ClientModel
import MadangProtocol
import TestSupport
import Testing

@Suite struct PacesTests {
  private static let latE7: Int32 = 375_665_000
  private static let lngE7: Int32 = 1_269_780_000
  /// A kilometre to the north.
  private static let farE7: Int32 = 90_000
  /// A third of a metre.
  private static let stepE7: Int32 = 30

  private static func pace(_ maxHz: UInt32?) -> WireClientMessage.OneOf_Body {
    var pace = WireSetPace()
    if let maxHz { pace.maxHz = maxHz }
    return .setPace(pace)
  }

  /// A running game, by its code; everybody has seen its start.
  private func game(_ server: TestServer, _ players: [TestPlayer], capacity: UInt32? = nil) throws -> String {
    let first = try players[0].createRoom { if let capacity { $0.capacity = capacity } }
    for player in players.dropFirst() { _ = try player.joinRoom(first.code) }
    try players[0].expectOk(.startGame(WireStartGame()))
    try server.passTick()
    for player in players { _ = try player.event { $0.phase.phase == .playing } }
    return first.code
  }

  /// Everybody in the list moves, then a tick's time passes. Returns each player's ticks since the last step.
  private func step(
    _ server: TestServer,
    _ number: Int32,
    _ movers: [(player: TestPlayer, northE7: Int32)],
    _ receivers: [TestPlayer]
  ) throws -> [[WireTick]] {
    for (player, northE7) in movers {
      try player.expectOk(.move(TestPlayer.move(Self.latE7 + northE7 + number * Self.stepE7, Self.lngE7)))
    }
    try server.passTick()
    _ = server.report()
    return try receivers.map { player in
      try player.pump()
      var ticks: [WireTick] = []
      while let tick = player.takeTick() { ticks.append(tick) }
      return ticks
    }
  }

  @Test("A pace is set in a room, from 0 to 20, or given back", arguments: Subprotocol.allCases)
  func requests(_ encoding: Subprotocol) throws {
    let server = try TestServer()
    let player = try server.player("one", encoding)
    #expect(try player.refusal(of: Self.pace(1)).code == .notInRoom)
    _ = try player.createRoom()
    for maxHz in [0, 1, 20, nil] as [UInt32?] { try player.expectOk(Self.pace(maxHz)) }
    for maxHz in [21, .max] as [UInt32?] { #expect(try player.refusal(of: Self.pace(maxHz)).code == .outOfRange) }
    try player.expectOk(.leaveRoom(WireLeaveRoom()))
    #expect(try player.refusal(of: Self.pace(nil)).code == .notInRoom)
  }

  @Test("Events only: nothing but events, at once; then everything newest in one tick", arguments: Subprotocol.allCases)
  func eventsOnly(_ encoding: Subprotocol) throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("host")
    let sleeper = try TestPlayer(port: server.port, subprotocol: encoding)
    let welcome = try sleeper.hello("sleeper")
    let room = try host.createRoom()
    var copy = try RoomCopy(try sleeper.joinRoom(room.code))
    try host.expectOk(.startGame(WireStartGame()))
    try server.passTick()
    while copy.phase != .playing { try copy.take(sleeper.tick(), as: welcome.playerID) }
    try sleeper.expectOk(Self.pace(0))
    for number in 0..<15 as Range<Int32> {
      #expect(try step(server, number, [(host, 0), (sleeper, 90)], [sleeper])[0].isEmpty)
    }
    try host.expectOk(.chat(TestPlayer.chat("일어나")))
    let ticks = try step(server, 15, [(host, 0)], [sleeper])[0]
    #expect(ticks.count == 1 && ticks[0].events.map(\.chat.text) == ["일어나"] && ticks[0].seats.isEmpty)
    try copy.take(ticks[0], as: welcome.playerID)
    #expect(copy.rows.isEmpty)
    #expect(try step(server, 16, [(host, 0)], [sleeper])[0].isEmpty)

    try sleeper.expectOk(Self.pace(nil))
    try server.passTick()
    let tick = try sleeper.tick()
    #expect(tick.seats == [0, 1] && tick.skipped > 10 && tick.events.isEmpty)
    #expect(tick.latE7 == [Self.latE7 + 16 * Self.stepE7, Self.latE7 + 90 + 14 * Self.stepE7])
    try copy.take(tick, as: welcome.playerID)
    let back = try TestPlayer(port: server.port)
    #expect(copy.difference(from: try RoomCopy(try back.resume(welcome.sessionToken).room)) == nil)
  }

  @Test(
    "A pace of 1 takes a merged tick a second, with the newest rows; a new connection has the room's own pace again"
  )
  func merged() throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("host")
    let slow = try TestPlayer(port: server.port)
    let token = try slow.hello("slow").sessionToken
    _ = try game(server, [host, slow])
    try slow.expectOk(Self.pace(1))
    var taken = 0
    for number in 0..<40 as Range<Int32> {
      let ticks = try step(server, number, [(host, 0)], [host, slow])
      #expect(ticks[0].count == 1)
      taken += ticks[1].count
      if let tick = ticks[1].first { #expect(tick.latE7 == [Self.latE7 + number * Self.stepE7]) }
    }
    // The first comes at once, the others with the seconds.
    #expect((4...5).contains(taken))
    let back = try TestPlayer(port: server.port)
    _ = try back.resume(token)
    _ = try step(server, 40, [(host, 0)], [back])
    for number in 41..<46 as Range<Int32> { #expect(try step(server, number, [(host, 0)], [back])[0].count == 1) }
  }

  @Test("A slow pace does not wait for a change: the last positions come with its next beat")
  func lastPositions() throws {
    let server = try TestServer(shards: 1)
    let (host, slow) = (try server.player("host"), try server.player("slow"))
    _ = try game(server, [host, slow])
    try slow.expectOk(Self.pace(1))
    for number in 0..<13 as Range<Int32> { _ = try step(server, number, [(host, 0)], [slow]) }
    var newest: Int32?
    for _ in 0..<10 { newest = try step(server, 0, [], [slow])[0].last?.latE7.last ?? newest }
    #expect(newest == Self.latE7 + 12 * Self.stepE7)
  }

  @Test("A verdict comes at once to a player who wants nothing but events")
  func verdict() throws {
    let server = try TestServer(shards: 1)
    let (host, guest) = (try server.player("host"), try server.player("guest"))
    _ = try game(server, [host, guest])
    try guest.expectOk(Self.pace(0))
    var mocked = TestPlayer.move(Self.latE7, Self.lngE7)
    mocked.mocked = true
    try guest.expectOk(.move(mocked))
    try server.passTick()
    let message = try guest.first { if case .verdict = $0.body { true } else { false } }
    #expect(message.verdict.fix == .mocked)
    #expect(guest.takeTick() == nil)
  }

  @Test("In a room of 50 seats near players come with each tick, far ones at least every 2.5 s, and copies agree then")
  func large() throws {
    let server = try TestServer(shards: 1)
    let players = try ["a", "b", "c"].map { try TestPlayer(port: server.port, subprotocol: $0 == "b" ? .proto : .json) }
    let ids = try players.map { try $0.hello("player").playerID }
    let first = try players[0].createRoom { $0.capacity = 50 }
    var copies = [try RoomCopy(first)]
    for player in players.dropFirst() { copies.append(try RoomCopy(try player.joinRoom(first.code))) }
    try players[0].expectOk(.startGame(WireStartGame()))
    let movers = [(players[0], 0), (players[1], 9_000), (players[2], Self.farE7)] as [(TestPlayer, Int32)]
    var farTicks: [Int32] = []
    for number in 0..<76 as Range<Int32> {
      let ticks = try step(server, number, number < 60 ? movers : [], players)
      for (index, ticks) in ticks.enumerated() {
        for tick in ticks { try copies[index].take(tick, as: ids[index]) }
      }
      guard number > 0, number < 60 else { continue }
      #expect(ticks.map(\.count) == [1, 1, 1])
      if ticks[0][0].seats == [0, 1, 2] {
        farTicks.append(number)
        #expect(ticks.allSatisfy { $0[0].seats == [0, 1, 2] })
      } else {
        #expect(ticks.map { $0[0].seats } == [[0, 1], [0, 1], [2]])
      }
    }
    #expect(farTicks.count >= 2 && zip(farTicks, farTicks.dropFirst()).allSatisfy { $1 - $0 <= 25 })
    // 60 steps and 16 without a move: fewer than 25 ticks behind the last position are not enough to agree.
    for number in 76..<86 as Range<Int32> {
      for (index, ticks) in try step(server, number, [], players).enumerated() {
        for tick in ticks { try copies[index].take(tick, as: ids[index]) }
      }
    }
    let watcher = try server.player("watcher")
    let state = try watcher.joinRoom(first.code)
    let rows = try RoomCopy(state).rows
    #expect(rows.count == 3 && copies.allSatisfy { $0.rows == rows })
  }

  @Test("A spectator of a large room gets far beats, and every position if they ask for a pace")
  func spectators() throws {
    let server = try TestServer(shards: 1)
    let players = try (0..<2).map { try server.player("player \($0)") }
    let code = try game(server, players, capacity: 50)
    let (patient, screen) = (try server.player("patient"), try server.player("screen"))
    for watcher in [patient, screen] { _ = try watcher.joinRoom(code) }
    try screen.expectOk(Self.pace(20))
    let movers = [(players[0], 0), (players[1], Self.farE7)] as [(TestPlayer, Int32)]
    var rows = [0, 0]
    for number in 0..<75 as Range<Int32> {
      let ticks = try step(server, number, movers, [patient, screen])
      for index in 0..<2 { rows[index] += ticks[index].filter { !$0.seats.isEmpty }.count }
      if number > 0 { #expect(ticks[1].map(\.seats) == [[0, 1]]) }
    }
    #expect((3...4).contains(rows[0]) && rows[1] >= 74)
  }
}
