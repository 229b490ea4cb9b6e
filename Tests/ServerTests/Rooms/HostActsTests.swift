// The host removes players and locks the room, over real sockets: who is told what, who is kept out, and what a crash
// leaves of it.
import Game
import MadangProtocol
import Store
import TestSupport
import Testing

extension TestPlayer {
  fileprivate static func kick(_ player: String) -> WireKickPlayer {
    var kick = WireKickPlayer()
    kick.playerID = player
    return kick
  }

  fileprivate static func lock(_ locked: Bool) -> WireLockRoom {
    var lock = WireLockRoom()
    lock.locked = locked
    return lock
  }

  /// The room that the host has removed this player from.
  fileprivate func kickedFrom() throws -> String {
    try first { if case .kicked = $0.body { true } else { false } }.kicked.code
  }

  fileprivate func refusalOfJoin(_ code: String) throws -> WireErrorCode {
    try refusal(of: .joinRoom(TestPlayer.join(code))).code
  }
}

@Suite struct HostActsTests {
  @Test(
    "A removed player is told, is in no room, and can't come back by session or browser, over a crash too",
    arguments: TestStore.Kind.allCases
  )
  func kick(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    let mark = try server.newMark()
    let host = try TestPlayer(port: server.port)
    let hostToken = try host.hello("나래").sessionToken
    let code = try host.createRoom().code
    let player = try TestPlayer(port: server.port, cookie: mark)
    let welcome = try player.hello("가람", secret: "the secret of a page")
    _ = try player.joinRoom(code)
    try host.expectOk(.kickPlayer(TestPlayer.kick(welcome.playerID)))
    #expect(try player.kickedFrom() == code)
    #expect(try player.refusal(of: .startGame(WireStartGame())).code == .notInRoom)
    #expect(try player.refusalOfJoin(code) == .barred)
    // Nothing else of the player is ended: another room takes them.
    _ = try player.createRoom()
    server = try server.crash()
    let cookie = "madang_browser_\(server.port)\(mark.drop { $0 != "=" })"
    let back = try TestPlayer(port: server.port)
    _ = try back.resume(welcome.sessionToken)
    try back.expectOk(.leaveRoom(WireLeaveRoom()))
    let new = try TestPlayer(port: server.port, cookie: cookie)
    _ = try new.hello("새 이름")
    let hostBack = try TestPlayer(port: server.port)
    let room = try hostBack.resume(hostToken).room
    #expect(room.players.count == 1 && room.code == code)
    for player in [back, new] { #expect(try player.refusalOfJoin(code) == .barred) }
  }

  @Test("The others see a removal as the host's act; the removed player gets no tick behind it", arguments: [1, 3])
  func events(shards: Int) throws {
    let server = try TestServer(shards: shards)
    let host = try server.player("나래")
    let room = try host.createRoom()
    let other = try server.player("다온")
    _ = try other.joinRoom(room.code)
    let player = try TestPlayer(port: server.port)
    let id = try player.hello("가람").playerID
    let place = try player.joinRoom(room.code).you
    try host.expectOk(.startGame(WireStartGame()))
    try host.expectOk(.kickPlayer(TestPlayer.kick(id)))
    #expect(try player.kickedFrom() == room.code)
    try server.passTick()
    for witness in [host, other] {
      let act = try witness.event { if case .hostAct = $0.body { true } else { false } }
      #expect(act.hostAct.kicked == place)
    }
    // Everything so far has been sent to the removed player, and an answer comes behind it.
    _ = player.takeEvents()
    _ = try player.request(.time(WireTimeRequest()))
    #expect(player.takeTick() == nil)
  }

  @Test("A held player is removed too, and a spectator", arguments: Subprotocol.allCases)
  func heldAndSpectator(subprotocol: Subprotocol) throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("나래", subprotocol)
    let code = try host.createRoom { $0.capacity = 3 }.code
    let second = try server.player("다온", subprotocol)
    _ = try second.joinRoom(code)
    let held = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let heldWelcome = try held.hello("가람")
    _ = try held.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    let spectator = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let spectatorID = try spectator.hello("라온").playerID
    #expect(try spectator.joinRoom(code).you == WirePlace.with { $0.spectator = 0 })
    held.socket.reset()
    _ = try server.report { $0.connections == 3 }
    try host.expectOk(.kickPlayer(TestPlayer.kick(heldWelcome.playerID)))
    let back = try TestPlayer(port: server.port, subprotocol: subprotocol)
    #expect(try !back.resume(heldWelcome.sessionToken).hasRoom)
    #expect(try back.refusalOfJoin(code) == .barred)
    try host.expectOk(.kickPlayer(TestPlayer.kick(spectatorID)))
    #expect(try spectator.kickedFrom() == code && spectator.refusalOfJoin(code) == .barred)
  }

  @Test("Each wrong removal and lock has its error")
  func refusals() throws {
    let server = try TestServer(shards: 1)
    let host = try TestPlayer(port: server.port)
    let hostID = try host.hello("나래").playerID
    #expect(try host.refusal(of: .kickPlayer(TestPlayer.kick(hostID))).code == .notInRoom)
    #expect(try host.refusal(of: .lockRoom(TestPlayer.lock(true))).code == .notInRoom)
    let code = try host.createRoom().code
    let player = try TestPlayer(port: server.port)
    _ = try player.hello("가람")
    _ = try player.joinRoom(code)
    #expect(try player.refusal(of: .kickPlayer(TestPlayer.kick(hostID))).code == .hostOnly)
    #expect(try player.refusal(of: .lockRoom(TestPlayer.lock(true))).code == .hostOnly)
    #expect(try host.refusal(of: .kickPlayer(TestPlayer.kick(hostID))).code == .outOfRange)
    #expect(try host.refusal(of: .kickPlayer(TestPlayer.kick("nobody"))).code == .outOfRange)
    #expect(try host.refusal(of: .kickPlayer(TestPlayer.kick(PlayerID(7).description))).code == .playerNotFound)
    #expect(try server.player("다온").joinRoom(code).players.count == 3)
    let alone = try server.player("라온")
    _ = try alone.createRoom { $0.solo = true }
    for isLocked in [true, false] {
      let refusal = try alone.refusal(of: .lockRoom(TestPlayer.lock(isLocked)))
      #expect(refusal.code == .outOfRange && refusal.message == "locked: not in a solo room")
    }
  }

  @Test(
    "A locked room refuses newcomers, and tells so in its state, its events and its look; over a crash too",
    arguments: TestStore.Kind.allCases
  )
  func lock(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    let host = try TestPlayer(port: server.port)
    let hostToken = try host.hello("나래").sessionToken
    let code = try host.createRoom().code
    let player = try TestPlayer(port: server.port)
    let playerToken = try player.hello("가람").sessionToken
    #expect(try !player.joinRoom(code).locked)
    try host.expectOk(.lockRoom(TestPlayer.lock(true)))
    try server.passTick()
    #expect(try player.event { $0.hostAct.locked }.hostAct.locked)
    #expect(try server.player("다온").refusalOfJoin(code) == .roomLocked)
    server = try server.crash()
    let hostBack = try TestPlayer(port: server.port)
    #expect(try hostBack.resume(hostToken).room.locked)
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(playerToken).room.locked)
    let stranger = try server.player("라온")
    #expect(try stranger.refusalOfJoin(code) == .roomLocked)
    #expect(try TestHTTP.get("/r/\(code)", port: server.port).body.contains("\"locked\":true"))
    try hostBack.expectOk(.lockRoom(TestPlayer.lock(false)))
    #expect(try !stranger.joinRoom(code).locked)
  }

  @Test("Players who wait for the host's consent are refused by a lock; none is asked about while it holds")
  func consent() throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("나래")
    let code = try host.createRoom { $0.consent = true }.code
    let waiting = try server.player("가람")
    try waiting.send(.joinRoom(TestPlayer.join(code)), id: 900)
    _ = try host.first { if case .joinAsked = $0.body { true } else { false } }
    try host.expectOk(.lockRoom(TestPlayer.lock(true)))
    guard case .error(let error) = try waiting.reply(to: 900) else { throw TestFailure("no refusal") }
    #expect(error.code == .roomLocked)
    #expect(try host.first { $0.joinAsked.over }.joinAsked.over)
    #expect(try waiting.refusalOfJoin(code) == .roomLocked)
    try host.expectOk(.lockRoom(TestPlayer.lock(false)))
    try waiting.send(.joinRoom(TestPlayer.join(code)), id: 901)
    #expect(try !host.first { if case .joinAsked = $0.body { true } else { false } }.joinAsked.over)
  }
}
