// One belief for rooms and places: a game is no way to jump, and no way out of a suspicion.
import Game
import MadangProtocol
import TestSupport
import Testing

@Suite struct RoomBeliefTests {
  /// How a player comes from a game to a watch.
  enum Way: CaseIterable {
    case leavesRoom, staysInRoom, losesConnection
  }

  private static let secret = "the secret of one device"

  /// A player in a game of two, with the host.
  private func playing(_ server: TestServer) throws -> (player: TestPlayer, host: TestPlayer) {
    let host = try server.player("나래")
    let code = try host.createRoom { $0.durationS = 600 }.code
    let player = try TestPlayer(port: server.port)
    try player.hello("가람", secret: Self.secret)
    _ = try player.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    return (player, host)
  }

  /// Sends fixes of a game, one a second.
  private func move(_ player: TestPlayer, _ server: TestServer, atM northM: Double, mocked: Bool, count: Int) throws {
    for _ in 0..<count {
      try server.passSecond()
      let place = TestFences.place(northM: northM)
      var move = TestPlayer.move(place.latE7, place.lngE7)
      move.mocked = mocked
      try player.expectOk(.move(move))
    }
  }

  /// Has the player watch places behind a game.
  private func watch(_ way: Way, _ player: TestPlayer, _ server: TestServer) throws -> TestPlayer {
    var player = player
    switch way {
    case .leavesRoom: try player.expectOk(.leaveRoom(WireLeaveRoom()))
    case .staysInRoom: break
    case .losesConnection:
      player.socket.reset()
      _ = try server.report { $0.net.connectionsClosed == 1 }
      player = try TestPlayer(port: server.port)
      try player.hello("가람", secret: Self.secret)
    }
    try player.watchPlaces()
    return player
  }

  @Test("The first fix of a watch is compared with where a room has believed the player", arguments: Way.allCases)
  func jump(way: Way) throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 5_000, radiusM: 50)])
    let server = try TestServer(shards: 1, store: store.store)
    let (inGame, host) = try playing(server)
    try move(inGame, server, atM: 0, mocked: false, count: 3)
    let player = try watch(way, inGame, server)
    // More than the ten that make the filter believe a jump.
    for _ in 0..<15 {
      try server.passSecond()
      let place = TestFences.place(northM: 5_000)
      _ = try player.request(.move(TestPlayer.move(place.latE7, place.lngE7)))
    }
    #expect(try player.takeFenceChanges().isEmpty)
    try host.pump()
  }

  @Test("Who is suspect in a room opens nothing, in the room and behind it", arguments: Way.allCases)
  func suspicion(way: Way) throws {
    let server = try TestServer(shards: 1)
    let owner = try server.player("다온")
    try owner.watchPlaces()
    _ = try owner.walk(toM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    let (inGame, host) = try playing(server)
    try move(inGame, server, atM: 0, mocked: false, count: 2)
    try move(inGame, server, atM: 0, mocked: true, count: 3)
    let player = try watch(way, inGame, server)
    // The room's verdicts have the name of a finding.
    _ = try player.first {
      if case .verdict(let verdict) = $0.body { verdict.suspect && verdict.fix == .unspecified } else { false }
    }
    for _ in 0..<10 {
      try server.passSecond()
      let origin = TestFences.origin
      _ = try player.request(.move(TestPlayer.move(origin.latE7, origin.lngE7)))
      #expect(try player.openRefusal(capsule) == .positionNotBelieved)
    }
    #expect(try player.allOpenables().isEmpty)
    // Ten fixes over 10 s that agree end the suspicion, of the room and of the presence.
    for _ in 0..<2 {
      try server.passSecond()
      let origin = TestFences.origin
      _ = try player.request(.move(TestPlayer.move(origin.latE7, origin.lngE7)))
    }
    #expect(try player.open(capsule).first)
    try host.pump()
  }

  @Test("An honest player opens by the fixes of a game that has just ended")
  func honest() throws {
    let server = try TestServer(shards: 1)
    let owner = try server.player("다온")
    try owner.watchPlaces()
    _ = try owner.walk(toM: 0)
    let capsule = try owner.bury(atM: 0) { $0.everyone = true }
    let (inGame, host) = try playing(server)
    try move(inGame, server, atM: 0, mocked: false, count: 2)
    let player = try watch(.leavesRoom, inGame, server)
    #expect(try player.open(capsule).first)
    try host.pump()
  }
}
