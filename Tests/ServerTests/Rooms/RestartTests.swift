// The server is killed and comes back: rooms, seats, scores, chats and clocks are as they were; clients only have to
// reconnect.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct RestartTests {
  @Test(
    "A game in which nobody sends a fix goes on where it was, or at most 5 s before",
    arguments: [1, 2],
    [false, true]
  )
  func quietGame(shards: Int, withRequests: Bool) throws {
    let server = try TestServer(shards: shards)
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = 100
    }
    try player.expectOk(.startGame(WireStartGame()))
    let nobody = String(repeating: "0", count: 32)
    for second in 1...33 {
      try server.pass(seconds: 1, player)
      // Each is committed, and changes nothing.
      if withRequests, second % 4 == 0 { try player.expectOk(.unblock(TestPlayer.unblock(nobody))) }
    }
    let again = try server.crash(downFor: 600)
    let back = try TestPlayer(port: again.port)
    #expect(try (28_000...33_000).contains(back.resume(token).room.gameMs))
    // The marks go on.
    try again.pass(seconds: 22, back)
    let last = try again.crash(downFor: 600)
    #expect(try (45_000...55_000).contains(TestPlayer(port: last.port).resume(token).room.gameMs))
  }

  @Test(
    "After a crash during a game all players have their seats, and the game continues where it stopped",
    arguments: [1, 2]
  )
  func inGame(shards: Int) throws {
    let server = try TestServer(shards: shards)
    let host = try TestPlayer(port: server.port)
    let guest = try TestPlayer(port: server.port, subprotocol: .proto)
    let tokens = (try host.hello("가람").sessionToken, try guest.hello("나래").sessionToken)
    let code = try host.createRoom { $0.durationS = 20 }.code
    _ = try guest.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    try server.pass(seconds: 2, host, guest)
    try host.expectOk(.move(TestPlayer.move(375_665_600, 1_269_780_000)))
    try guest.expectOk(.chat(TestPlayer.chat("어디야?")))
    let again = try server.crash(downFor: 600)
    let hostBack = try TestPlayer(port: again.port)
    let welcome = try hostBack.resume(tokens.0, afterEvent: 4)
    #expect(welcome.room.code == code && welcome.room.phase == .playing && welcome.room.you.seat == 0)
    #expect(welcome.room.players.map(\.nickname) == ["가람", "나래"])
    #expect(welcome.room.players.map(\.held) == [false, true])
    #expect(welcome.room.points == [2])
    #expect(welcome.room.chats.map(\.chat.text) == ["어디야?"])
    // Ten minutes have passed, and none of them in the game.
    #expect((2_000...2_200).contains(welcome.room.gameMs) && welcome.room.endsAtGameMs == 20_000)
    #expect(welcome.events.map(\.number) == Array(5...welcome.room.lastEvent) && !welcome.gap)
    let guestBack = try TestPlayer(port: again.port)
    #expect(try guestBack.resume(tokens.1).room.you.seat == 1)
    try hostBack.expectOk(.move(TestPlayer.move(375_666_200, 1_269_780_000)))
    // Nothing is left to tell: the board waits for nobody.
    for player in [hostBack, guestBack] { #expect(try player.tell([]).accepted == 0) }
    try again.pass(seconds: 19, hostBack, guestBack)
    try again.passTick()
    let boards = try [hostBack, guestBack].map { player in try player.event { $0.phase.phase == .ended }.phase.board }
    #expect(boards[0] == boards[1] && boards[0].map(\.points) == [3, 0])
    #expect(boards[0].map(\.timeS) == [20, 20])
    #expect(try hostBack.results().results.map(\.points) == [3])
  }

  @Test("Holds restart with the server: a player who does not return in time loses the seat, and no sooner")
  func holds() throws {
    let server = try TestServer()
    let host = try TestPlayer(port: server.port)
    let guest = try TestPlayer(port: server.port)
    let tokens = (try host.hello("가람").sessionToken, try guest.hello("나래").sessionToken)
    let code = try host.createRoom { $0.holdS = 30 }.code
    _ = try guest.joinRoom(code)
    try server.pass(seconds: 25, host, guest)
    let again = try server.crash(downFor: 3_600)
    let back = try TestPlayer(port: again.port)
    #expect(try back.resume(tokens.0).room.players.count == 2)
    try again.pass(seconds: 29, back)
    let held = back.takeEvents()
    #expect(!held.contains { $0.body?.name == "left" })
    try again.pass(seconds: 3, back)
    _ = try back.event { $0.body?.name == "left" && $0.left.seat == 1 }
    let late = try TestPlayer(port: again.port)
    #expect(try !late.resume(tokens.1).hasRoom)
  }

  @Test("A room to which no one returns closes a minute after the restart, for good")
  func deserted() throws {
    let server = try TestServer()
    let host = try server.player("가람")
    let code = try host.createRoom().code
    let again = try server.crash()
    #expect(again.report().rooms == 1)
    again.clock.advance(seconds: 61)
    _ = try again.report { $0.rooms == 0 && $0.isCommitted }
    let last = try again.crash()
    #expect(last.report().rooms == 0)
    #expect(try last.player("나래").refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomNotFound)
  }

  @Test(
    "A player with places in two rooms of the store keeps the latest one; the other seat is freed",
    arguments: [true, false]
  )
  func twoRooms(isLastFirst: Bool) throws {
    let kept = try TestStore(.memory)
    let server = try TestServer(store: kept.store)
    var ids: [PlayerID] = []
    var tokens: [String] = []
    for name in ["가람", "나래", "다온"] {
      let welcome = try TestPlayer(port: server.port).hello(name)
      ids.append(try #require(PlayerID(welcome.playerID)))
      tokens.append(welcome.sessionToken)
    }
    // 나래's hold in the first room ran out and they entered the second; of the two commits only the second was done.
    let start = Instant(milliseconds: server.clock.now().milliseconds)
    let numbers: [UInt128] = isLastFirst ? [2, 1] : [1, 2]
    for (index, members) in [[ids[0], ids[1]], [ids[2], ids[1]]].enumerated() {
      let row = RoomRow(id: RoomID(numbers[index]), code: UInt64(numbers[index]), openedAt: start)
      var journal = JournalWriter()
      journal.create(try RoomConfiguration(), seed: 1, at: start)
      for member in members {
        journal.append(.join(member, nickname: "\(index)"), from: member, at: start + .seconds(index + 1))
      }
      var segment = Segment()
      segment.append(row.id) { journal.take(into: &$0) }
      kept.commit(Batch(at: start + .seconds(3), segments: [segment], changes: [.room(.open(row))]))
    }
    let again = try server.crash(downFor: 10)
    let players = try tokens.map { token in
      let player = try TestPlayer(port: again.port)
      return (player, room: try player.resume(token).room)
    }
    #expect(players[0].room.code != players[2].room.code)
    #expect(players[1].room.code == players[2].room.code)
    #expect(players[0].room.players.map(\.playerID) == [ids[0].description])
    #expect(players[2].room.players.map(\.playerID) == [ids[2].description, ids[1].description])
    // Their place in the second is theirs for good: nothing of the first takes it away.
    for _ in 0..<40 { try again.pass(seconds: 1, players[0].0, players[1].0, players[2].0) }
    try players[1].0.expectOk(.chat(TestPlayer.chat("여기")))
  }

  @Test("After a clean shutdown everything is the same as after a crash")
  func goodOrder() throws {
    let server = try TestServer { $0.gateway.graceSeconds = 0 }
    let host = try TestPlayer(port: server.port)
    let token = try host.hello("가람").sessionToken
    let room = try host.createRoom { $0.durationS = 600 }
    let guest = try server.player("나래")
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    let box = Box<ServerReport>()
    server.server.drain { box.put($0) }
    _ = try server.end(box)
    let again = try TestServer(store: server.store, clock: server.clock)
    let back = try TestPlayer(port: again.port)
    let welcome = try back.resume(token)
    #expect(welcome.room.code == room.code && welcome.room.phase == .playing && welcome.room.points == [1])
  }
}
