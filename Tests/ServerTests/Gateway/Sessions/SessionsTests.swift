// Sessions over real sockets: hello, resume, replacement, held seats, deadlines.
import Game
import MadangProtocol
import TestSupport
import Testing

@Suite struct SessionsTests {
  @Test("Before hello only hello, resume and time are accepted; time is answered")
  func tooEarly() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    #expect(try player.refusal(of: .createRoom(WireCreateRoom())).code == .helloFirst)
    #expect(try player.refusal(of: .move(TestPlayer.move(1, 1))).code == .helloFirst)
    #expect(try player.refusal(of: .chat(TestPlayer.chat("?"))).code == .helloFirst)
    guard case .time(let time) = try player.request(.time(WireTimeRequest())) else {
      throw TestFailure("no time")
    }
    #expect(time.serverTimeMs == server.clock.now().milliseconds)
    try player.hello("now")
    #expect(try player.refusal(of: .hello(TestPlayer.hello("again"))).code == .alreadyWelcome)
  }

  @Test("A connection without hello is closed after ten seconds, with a code of its own")
  func helloTooLate() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    server.clock.advance(seconds: 9)
    _ = server.report()
    #expect(!player.socket.hasInput)
    server.clock.advance(seconds: 2)
    #expect(try player.awaitEnd() == CloseCode.helloTooLate.rawValue)
  }

  @Test("Nicknames and secrets out of their bounds are refused")
  func helloBounds() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    for nickname in ["", "   ", String(repeating: "가", count: 21), "줄\n바꿈"] {
      #expect(try player.refusal(of: .hello(TestPlayer.hello(nickname))).code == .outOfRange)
    }
    for secret in ["short", String(repeating: "x", count: 257)] {
      #expect(try player.refusal(of: .hello(TestPlayer.hello("ok", secret: secret))).code == .outOfRange)
    }
    try player.hello(String(repeating: "가", count: 20))
  }

  @Test("An unknown or expired token is refused; the third time closes the connection")
  func refusedTokens() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    var old = WireResume()
    old.sessionToken = try player.hello("player").sessionToken
    try player.expectOk(.logout(WireLogout()))
    var nobodys = WireResume()
    nobodys.sessionToken = "nobody's"
    for order in [[nobodys, nobodys, nobodys], [old, nobodys, old]] {
      let phone = try TestPlayer(port: server.port)
      for resume in order {
        #expect(try phone.refusal(of: .resume(resume)).code == (resume == old ? .sessionEnded : .badToken))
      }
      #expect(try phone.awaitEnd() == CloseCode.badToken.rawValue)
    }
  }

  @Test("Wrong tokens, however many, close their own connections, and no other one of the address")
  func wrongTokensOfOthers() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("player").sessionToken
    var resume = WireResume()
    resume.sessionToken = "nobody's"
    for _ in 0..<80 {
      let phone = try TestPlayer(port: server.port)
      for _ in 0..<Limits.refusedTokensMax { #expect(try phone.refusal(of: .resume(resume)).code == .badToken) }
      #expect(try phone.awaitEnd() == CloseCode.badToken.rawValue)
    }
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(token).player.nickname == "player")
  }

  @Test("A lost player's seat is held, and a resume restores room, events and seat, from any shard")
  func resume() throws {
    let server = try TestServer()
    for round in 0..<4 {
      let host = try server.player("host")
      // Every other round the guest dials twice, so that it comes to the other shard.
      if round % 2 == 1 { _ = try TestPlayer(port: server.port) }
      let guest = try TestPlayer(port: server.port)
      let token = try guest.hello("guest").sessionToken
      let room = try host.createRoom()
      let seen = try guest.joinRoom(room.code)
      guest.socket.reset()
      // The loss itself is an event, in a tick of its own.
      var held: WireEvent?
      while held == nil {
        try server.passTick()
        _ = server.report()
        try host.pump()
        held = host.takeEvents().first { $0.body.isHeld }
      }
      #expect(held?.held.seat == 1)
      try host.expectOk(.chat(TestPlayer.chat("missed")))
      try server.passTick()
      let later = try TestPlayer(port: server.port)
      let welcome = try later.resume(token, afterEvent: seen.lastEvent)
      #expect(welcome.room.you.seat == 1)
      #expect(welcome.room.code == room.code)
      #expect(!welcome.gap)
      #expect(welcome.events.map(\.number) == Array(seen.lastEvent + 1...welcome.room.lastEvent))
      #expect(welcome.events.contains { $0.chat.text == "missed" })
      #expect(welcome.room.players.allSatisfy { !$0.held })
      try later.expectOk(.chat(TestPlayer.chat("back")))
    }
  }

  @Test("A newer connection of the same player takes the seat, and the older one is closed with a code")
  func replaced() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom()
    let older = try TestPlayer(port: server.port)
    let token = try older.hello("guest").sessionToken
    _ = try older.joinRoom(room.code)
    for _ in 0..<3 {
      let newer = try TestPlayer(port: server.port)
      let welcome = try newer.resume(token)
      #expect(welcome.room.you.seat == 1)
      try newer.expectOk(.chat(TestPlayer.chat("here")))
    }
    #expect(try older.awaitEnd() == CloseCode.replaced.rawValue)
  }

  @Test("The same device secret is the same player, and the older token is no longer accepted")
  func sameDevice() throws {
    let server = try TestServer()
    let first = try TestPlayer(port: server.port)
    let before = try first.hello("이름", secret: "a secret of sixteen")
    let room = try first.createRoom()
    let second = try TestPlayer(port: server.port)
    let after = try second.hello("새 이름", secret: "a secret of sixteen")
    #expect(after.playerID == before.playerID)
    #expect(after.sessionToken != before.sessionToken)
    #expect(after.room.code == room.code)
    #expect(try first.awaitEnd() == CloseCode.replaced.rawValue)
    let third = try TestPlayer(port: server.port)
    var resume = WireResume()
    resume.sessionToken = before.sessionToken
    #expect(try third.refusal(of: .resume(resume)).code == .sessionEnded)
  }

  @Test("A token that was never issued is unknown, and has no effect on players")
  func wrongSecret() throws {
    let server = try TestServer()
    let owner = try TestPlayer(port: server.port)
    let welcome = try owner.hello("owner")
    let guesser = try TestPlayer(port: server.port)
    var resume = WireResume()
    for token in [String(repeating: "0", count: 64), ""] {
      resume.sessionToken = token
      #expect(try guesser.refusal(of: .resume(resume)).code == .badToken)
    }
    _ = try owner.createRoom()
    let later = try TestPlayer(port: server.port)
    #expect(try later.resume(welcome.sessionToken).playerID == welcome.playerID)
  }

  @Test(
    "After the hold the player is out of the room, and gets seat and points back by joining the same game"
  )
  func holdRunsOut() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let third = try server.player("third")
    let guest = try TestPlayer(port: server.port)
    let token = try guest.hello("guest").sessionToken
    let room = try host.createRoom {
      $0.durationS = 600
      $0.holdS = 30
    }
    _ = try third.joinRoom(room.code)
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    try guest.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    guest.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    try server.pass(seconds: 32, host, third)
    _ = try host.event { $0.body.isLeft && $0.left.seat == 2 }
    let later = try TestPlayer(port: server.port)
    let welcome = try later.resume(token)
    #expect(!welcome.hasRoom)
    let again = try later.joinRoom(room.code)
    #expect(again.you.seat == 2)
    #expect(again.points == [1])
  }

  @Test("A spectator who returns to a free seat in the lobby gets that seat in the answer")
  func heldSpectatorIsSeated() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try server.player("guest")
    let room = try host.createRoom { $0.capacity = 2 }
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    let watcher = try TestPlayer(port: server.port)
    let token = try watcher.hello("watcher").sessionToken
    #expect(try watcher.joinRoom(room.code).you.spectator == 0)
    watcher.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    try guest.expectOk(.leaveRoom(WireLeaveRoom()))
    try host.expectOk(.playAgain(WirePlayAgain()))
    let back = try TestPlayer(port: server.port)
    let welcome = try back.resume(token)
    #expect(welcome.room.you.place == .seat(1))
    #expect(welcome.room.players.map(\.place) == [.seat(0), .seat(1)])
    try back.expectOk(.chat(TestPlayer.chat("seated")))
  }

  @Test("A player who returns after the hold but before the tick that reports it gets no room in the answer")
  func resumeBetweenHoldAndTick() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try TestPlayer(port: server.port)
    let token = try guest.hello("guest").sessionToken
    let room = try host.createRoom {
      $0.tickHz = 1
      $0.holdS = 30
    }
    _ = try guest.joinRoom(room.code)
    server.clock.advance(milliseconds: 500)
    guest.socket.reset()
    // By the clock that the test turns, a commit that is under way would take longer than an answer waits for it.
    _ = try server.report { $0.net.connectionsClosed == 1 && $0.isCommitted }
    // The hold ends half a second before a tick; this is a tenth of a second after it.
    for _ in 0..<6 {
      server.clock.advance(seconds: 5)
      _ = server.report()
      try host.pump()
    }
    server.clock.advance(milliseconds: 100)
    let later = try TestPlayer(port: server.port)
    #expect(try !later.resume(token).hasRoom)
    _ = try later.joinRoom(room.code)
  }

  @Test("A resume brings the newest missed events, and reports a gap if there are more")
  func resumeAfterManyEvents() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try TestPlayer(port: server.port)
    let token = try guest.hello("guest").sessionToken
    let room = try host.createRoom()
    _ = try guest.joinRoom(room.code)
    // One character of many bytes, so that a hundred of them are a long text.
    let long = String(repeating: "👨‍👩‍👧‍👦", count: 60)
    for _ in 0..<100 {
      try host.expectOk(.chat(TestPlayer.chat(long)))
      server.clock.advance(seconds: 1)
      _ = try host.event { $0.body.isChat }
      try guest.pump()
    }
    let later = try TestPlayer(port: server.port)
    let welcome = try later.resume(token, afterEvent: 1)
    #expect(welcome.gap)
    #expect(welcome.events.last?.number == welcome.room.lastEvent)
    #expect(welcome.events.count > 20 && welcome.events.count < 60)
    try later.expectOk(.leaveRoom(WireLeaveRoom()))
  }

  /// Waits for two runs of maintenance as of now.
  private func awaitMaintenance(_ server: TestServer, _ store: StubbornStore) {
    for _ in 0..<2 {
      let before = store.maintenanceCount
      while store.maintenanceCount == before {
        server.clock.advance(milliseconds: 100)
        _ = server.report()
      }
    }
    // The rest of the last maintenance is done.
    _ = server.report()
  }

  @Test("A guest who is connected for days without a room is kept until two days after the last connection")
  func connectedForDays() throws {
    let store = StubbornStore()
    let server = try TestServer(store: store)
    let player = try TestPlayer(port: server.port)
    let id = try #require(PlayerID(try player.hello("guest").playerID))
    for _ in 0..<4 * 24 {
      // A second more, because timers may be late by some milliseconds.
      server.clock.advance(seconds: 3_601)
      // The shard has fired all due timers when it tells this time, and the player has answered its ping.
      var serverTimeMs: Int64 = 0
      while serverTimeMs < server.clock.now().milliseconds {
        guard case .time(let time) = try player.request(.time(WireTimeRequest())) else { throw TestFailure("no time") }
        serverTimeMs = time.serverTimeMs
      }
      _ = try server.report { $0.isCommitted }
    }
    awaitMaintenance(server, store)
    #expect(try store.unknownPlayers(among: [id]) == [])
    player.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    server.clock.advance(seconds: 2 * 86_400 - 2 * 3_600)
    awaitMaintenance(server, store)
    #expect(try store.unknownPlayers(among: [id]) == [])
    server.clock.advance(seconds: 86_400 + 2 * 3_600)
    awaitMaintenance(server, store)
    #expect(try store.unknownPlayers(among: [id]) == [id])
  }

  @Test("A peer that does not answer pings is closed")
  func noPong() throws {
    let server = try TestServer()
    let player = try server.player("silent")
    player.answersPings = false
    server.clock.advance(seconds: 26)
    _ = try server.report { $0.net.sends >= 3 }
    server.clock.advance(seconds: 9)
    _ = try server.report { $0.net.connectionsClosed == 1 || $0.net.sends >= 4 }
    #expect(try player.awaitEnd() == CloseCode.noPong.rawValue)
  }
}
