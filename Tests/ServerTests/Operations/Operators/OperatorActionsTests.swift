// Operators' actions on players, rooms and the server, over real sockets.
import Game
import MadangProtocol
import Net
import Server
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct OperatorActionsTests {
  // Kicking.

  @Test("A kick removes a player from the room for good, and the player may join others, but not this one again")
  func kick() throws {
    let notifications = Mutex<[OperatorNotification]>([])
    let server = try TestServer {
      $0.notifyOperator = { item in
        if case .operatorActed = item { notifications.withLock { $0.append(item) } }
      }
    }
    let host = try server.player("나래")
    let player = try TestPlayer(port: server.port)
    let welcome = try player.hello("가람")
    let id = try #require(PlayerID(welcome.playerID))
    let code = try host.createRoom().code
    _ = try player.joinRoom(code)
    let room = try server.roomID(code)
    #expect(server.perform(.kick(id)).isDone)
    #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
    try server.passTick()
    #expect(try host.event { $0.body?.isLeft ?? false }.left.seat == 1)
    let back = try TestPlayer(port: server.port)
    #expect(try !back.resume(welcome.sessionToken).hasRoom)
    #expect(try back.refusal(of: .joinRoom(TestPlayer.join(code))).code == .barred)
    #expect(try back.joinRoom(server.player("다온").createRoom().code).you.seat == 1)
    let row = try #require(try server.audit().first)
    #expect(row.action == "kick" && row.player == id && row.room == room && row.nickname == "가람")
    #expect(row.at == Instant(milliseconds: server.clock.now().milliseconds - 104))
    #expect(notifications.withLock { $0 } == [.operatorActed(.kicked(id))])
  }

  @Test("A kick reaches players outside of rooms and held ones, and is refused for absent ones")
  func kickElsewhere() throws {
    let server = try TestServer()
    let host = try server.player("나래")
    let idle = try TestPlayer(port: server.port)
    let idleID = try idle.helloID("가람")
    #expect(server.perform(.kick(idleID)).isDone)
    #expect(try idle.awaitEnd() == CloseCode.removed.rawValue)
    idle.socket.reset()
    _ = try server.report { $0.connections == 1 }
    #expect(server.perform(.kick(idleID)).refusal == "player \(idleID) is neither connected nor in a room")

    let lost = try TestPlayer(port: server.port)
    let lostID = try lost.helloID("다솜")
    _ = try lost.joinRoom(try host.createRoom().code)
    lost.socket.reset()
    _ = try server.report { $0.connections == 1 }
    #expect(server.perform(.kick(lostID)).isDone)
    try server.passTick()
    _ = try host.event { $0.body?.isLeft ?? false }
    #expect(try server.audit().map(\.action) == ["kick", "kick"])
  }

  @Test("A kick in a game counts as a leave: with too few players left the game ends with its result")
  func kickFromGame() throws {
    let server = try TestServer()
    let host = try server.player("나래")
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    _ = try player.joinRoom(try host.createRoom().code)
    try host.expectOk(.startGame(WireStartGame()))
    #expect(server.perform(.kick(id)).isDone)
    try server.passTick()
    let board = try host.event { $0.phase.phase == .ended }.phase.board
    #expect(board.map(\.completed) == [true, false])
    #expect(try host.results().results.count == 1)
  }

  // Closing rooms.

  @Test("A closed room's players are notified and stay connected; its game has no result, its code no room")
  func closeRoom() throws {
    var server = try TestServer()
    let players = try [Subprotocol.json, .proto, .json].map { try server.player("가람", $0) }
    let lost = try TestPlayer(port: server.port)
    let token = try lost.hello("다솜").sessionToken
    let code = try players[0].createRoom().code
    for player in players.dropFirst() { _ = try player.joinRoom(code) }
    _ = try lost.joinRoom(code)
    try players[0].expectOk(.startGame(WireStartGame()))
    lost.socket.reset()
    _ = try server.report { $0.connections == 3 }
    let room = try server.roomID(code)
    #expect(server.perform(.closeRoom(room)).isDone)
    for player in players {
      try player.awaitRoomClosed()
      #expect(try player.refusal(of: .chat(TestPlayer.chat("어?"))).code == .notInRoom)
      #expect(try player.results().results.isEmpty)
      #expect(try player.refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomNotFound)
    }
    _ = try players[1].joinRoom(try players[2].createRoom().code)
    #expect(try !TestPlayer(port: server.port).resume(token).hasRoom)
    #expect(server.perform(.closeRoom(room)).refusal == "there is no room \(room)")
    let rows = try server.audit()
    #expect(rows.map(\.action) == ["closeRoom"] && rows[0].room == room && rows[0].detail == "4 in it")
    server = try server.crash()
    #expect(server.report().rooms == 1)
  }

  @Test("A solo room is closed like any other")
  func closeSolo() throws {
    let server = try TestServer(shards: 1)
    let player = try server.player("가람")
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    var room: RoomID?
    try server.store.liveRooms { room = $0.row.id }
    #expect(server.perform(.closeRoom(try #require(room))).isDone)
    try player.awaitRoomClosed()
    #expect(try player.results().results.isEmpty)
    _ = try player.createRoom()
  }

  @Test("A game whose time is up when its room is closed has its result")
  func closeAtEnd() throws {
    let server = try TestServer(shards: 1)
    let host = try server.player("나래")
    let guest = try server.player("가람")
    let code = try host.createRoom { $0.durationS = 10 }.code
    _ = try guest.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    let room = try server.roomID(code)
    try server.pass(seconds: 9, host, guest)
    // The game's last tick and the action are in one turn, or in two; the rules don't mind.
    let pause = ShardPause(server.server.shards[0])
    server.clock.advance(seconds: 1)
    let outcome = server.begin(.closeRoom(room))
    pause.end()
    #expect(outcome.take().isDone)
    try host.awaitRoomClosed()
    #expect(try host.results().results.count == 1)
  }

  @Test("A join during a close finds no room, also from another shard")
  func joinClosed() throws {
    let server = try TestServer(shards: 2)
    let host = try server.player("나래")
    let guest = try server.player("가람")
    let code = try host.createRoom().code
    let shard = try server.shard(of: code)
    let other = server.server.shards[1 - shard.index]
    let room = try server.roomID(code)
    let count = server.messages(on: other)
    let pause = ShardPause(shard)
    // Behind the pause: first the end of the room, then the newcomer.
    let outcome = server.begin(.closeRoom(room))
    server.waitForMailbox(on: other)
    try guest.send(.joinRoom(TestPlayer.join(code)), id: 700)
    server.await(messages: count + 1, on: other)
    pause.end()
    #expect(outcome.take().isDone)
    guard case .error(let error) = try guest.reply(to: 700) else { throw TestFailure("let in") }
    #expect(error.code == .roomNotFound)
    try host.awaitRoomClosed()
    _ = try guest.createRoom()
  }

  // Announcements.

  @Test("An announcement reaches all players after hello, once, in both encodings, on all shards")
  func announce() throws {
    let server = try TestServer()
    let players = try [Subprotocol.json, .proto, .json, .proto].map { try server.player("가람", $0) }
    let stranger = try TestPlayer(port: server.port)
    _ = try players[0].createRoom()
    let text = String(repeating: "곧 점검이 있습니다. ", count: 30)
    #expect(server.perform(.announce(text, in: nil)).isDone)
    for player in players {
      let announcement = try player.announcement()
      #expect(announcement.text == text && announcement.timeMs == server.clock.now().milliseconds)
      #expect(try player.announcementCount() == 0)
    }
    #expect(try stranger.announcementCount() == 0)
    try stranger.hello("나중에")
    #expect(try stranger.announcementCount() == 0)
    #expect(try server.audit().map(\.detail) == [text])
  }

  @Test("An announcement to a room reaches its members")
  func announceInRoom() throws {
    let server = try TestServer()
    let host = try server.player("나래")
    let guest = try server.player("가람", .proto)
    let other = try server.player("다솜")
    let code = try host.createRoom().code
    _ = try guest.joinRoom(code)
    let room = try server.roomID(code)
    #expect(server.perform(.announce("조용히", in: room)).isDone)
    #expect(try host.announcement().text == "조용히" && guest.announcement().text == "조용히")
    #expect(try other.announcementCount() == 0)
    #expect(server.perform(.announce("조용히", in: RoomID(7))).refusal == "there is no room \(RoomID(7))")
    for text in ["", " ", "두\n줄", String(repeating: "a", count: 501)] {
      #expect(server.perform(.announce(text, in: nil)).refusal != nil)
    }
    #expect(try server.audit().map(\.room) == [room])
  }

  @Test("Long announcements are compressed for clients that accept it")
  func compressed() throws {
    let server = try TestServer(shards: 1)
    let plain = try server.player("가람")
    let small = try TestPlayer(port: server.port, compresses: true)
    try small.hello("나래")
    let (plainBefore, smallBefore) = (plain.bytesIn, small.bytesIn)
    let text = String(repeating: "가나다라", count: 125)
    #expect(server.perform(.announce(text, in: nil)).isDone)
    #expect(try plain.announcement().text == text && small.announcement().text == text)
    #expect(small.bytesIn - smallBefore < (plain.bytesIn - plainBefore) / 4)
  }

  // The server and the contest.

  @Test(
    "An operator stops the program as requested, after the row of the audit log; without a program the stop is refused"
  )
  func drain() throws {
    let server = try TestServer()
    #expect(server.perform(.drain).refusal == "this server can't be ended from here")
    let ended = Box<[String]>()
    let store = server.store
    var configuration = try OperatorConfiguration()
    configuration.end = {
      let rows = Box<[AuditRow]>()
      store.audit(before: nil, limit: 9) { rows.put((try? $0.get()) ?? []) }
      ended.put(rows.take().map(\.action))
    }
    let operators = try OperatorServer(
      configuration,
      for: server.server,
      on: ResolvedAddress(host: "127.0.0.1", port: 0),
      clock: server.clock
    )
    defer { operators.stop() }
    #expect(server.perform(.drain).isDone)
    #expect(ended.take() == ["drain"])
    server.server.drain { _ in }
    _ = server.report()
    #expect(server.perform(.drain).refusal == "the server is ending already")
    #expect(try server.audit().count == 1)
  }

  @Test("Seasons are closed and taps voided with their rows in the audit log", arguments: TestStore.Kind.allCases)
  func contest(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let server = try TestServer(store: TestSchools.store(in: kept.store))
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try player.tap(1, 7)
    #expect(server.perform(.voidTaps(id, season: 1)).isDone)
    let nothing = "player \(id) has no taps in season 1 that count"
    #expect(server.perform(.voidTaps(id, season: 1)).refusal == nothing, "repeated")
    #expect(server.perform(.closeSeason(2)).refusal == "season 2 does not run")
    #expect(server.perform(.closeSeason(1)).isDone)
    #expect(server.perform(.closeSeason(1)).refusal == "season 1 does not run", "repeated")
    #expect(server.perform(.voidTaps(id, season: 9)).refusal == "player \(id) has no taps in season 9 that count")
    let stranger = "player \(PlayerID(7)) has no taps in season 1 that count"
    #expect(server.perform(.voidTaps(PlayerID(7), season: 1)).refusal == stranger)
    #expect(try server.audit().map(\.detail) == ["7 taps of season 1", "season 1"])
    #expect(try server.store.finalRanking(of: 1)?.ranking.isEmpty == true)
  }
}

extension TestServer {
  /// Returns when a shard has handled all earlier posts.
  func waitForMailbox(on shard: Shard) {
    let box = Box<Bool>()
    shard.post { _ in box.put(true) }
    _ = box.take()
  }
}
