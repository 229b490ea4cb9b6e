// Budgets of players and addresses, over real sockets: a spent budget refuses with a time to wait, and nobody else
// pays.
import MadangProtocol
import TestSupport
import Testing

@Suite struct BudgetsTests {
  @Test("A player may start ten games a minute, and then must wait")
  func starts() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try server.player("guest")
    let room = try host.createRoom()
    for _ in 0..<10 {
      _ = try guest.joinRoom(room.code)
      try host.expectOk(.startGame(WireStartGame()))
      // A game with one player ends.
      try guest.expectOk(.leaveRoom(WireLeaveRoom()))
      try host.expectOk(.playAgain(WirePlayAgain()))
    }
    _ = try guest.joinRoom(room.code)
    let refusal = try host.refusal(of: .startGame(WireStartGame()))
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs == 6_000)
    // The room's own budget is spent too.
    #expect(try guest.refusal(of: .startGame(WireStartGame())).code == .rateLimited)
    try server.pass(seconds: 6, host, guest)
    try host.expectOk(.startGame(WireStartGame()))
  }

  @Test("A start that the rules refuse costs nothing")
  func refusedStarts() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom()
    let guest = try server.player("guest")
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    for _ in 0..<15 {
      #expect(try host.refusal(of: .startGame(WireStartGame())).code == .wrongPhase)
      server.clock.advance(milliseconds: 100)
    }
    try guest.expectOk(.leaveRoom(WireLeaveRoom()))
    try host.expectOk(.playAgain(WirePlayAgain()))
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
  }

  @Test("A player may have ten open rooms, and another one after one has closed")
  func openRooms() throws {
    let server = try TestServer()
    let maker = try server.player("maker")
    var guests: [TestPlayer] = []
    for number in 0..<10 {
      let room = try maker.createRoom()
      let guest = try server.player("guest \(number)")
      _ = try guest.joinRoom(room.code)
      guests.append(guest)
      try maker.expectOk(.leaveRoom(WireLeaveRoom()))
    }
    for _ in 0..<12 {
      try server.passSecond()
      try maker.pump()
      for guest in guests { try guest.pump() }
    }
    let refusal = try maker.refusal(of: .createRoom(WireCreateRoom()))
    #expect(refusal.code == .rateLimited && refusal.message == "too many open rooms")
    // Another player can still make rooms.
    _ = try server.player("other").createRoom()
    try guests[0].expectOk(.leaveRoom(WireLeaveRoom()))
    for _ in 0..<61 {
      server.clock.advance(seconds: 1)
      _ = try server.report { $0.isCommitted }
      try maker.pump()
      for guest in guests { try guest.pump() }
    }
    _ = try maker.createRoom()
  }

  @Test("A player may reconnect thirty times a minute; afterwards the third try closes the connection")
  func resumes() throws {
    let server = try TestServer()
    let first = try TestPlayer(port: server.port)
    let token = try first.hello("player").sessionToken
    // The hello was the first use.
    for _ in 0..<29 { _ = try TestPlayer(port: server.port).resume(token) }
    let late = try TestPlayer(port: server.port)
    for _ in 0..<2 {
      let refusal = try late.refusal(of: .resume(TestPlayer.resume(token)))
      #expect(refusal.code == .rateLimited && refusal.retryAfterMs > 0)
    }
    #expect(try late.refusal(of: .resume(TestPlayer.resume(token))).code == .rateLimited)
    #expect(try late.awaitEnd() == CloseCode.rateLimited.rawValue)
    // Other players of the address are not refused.
    try TestPlayer(port: server.port).hello("neighbour")
    server.clock.advance(seconds: 2)
    _ = try TestPlayer(port: server.port).resume(token)
  }

  @Test("An address that guesses codes does not block the right codes, over WebSocket or HTTP")
  func rightCodes() throws {
    let server = try TestServer()
    let room = try server.player("host").createRoom()
    for session in 0..<40 {
      let guesser = try server.player("guesser \(session)")
      for number in 0..<5 {
        let code = RoomCode(drawing: UInt64(session * 5 + number)).description
        #expect(try guesser.refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomNotFound)
      }
    }
    let neighbour = try server.player("neighbour")
    let wrong = RoomCode(drawing: 9_999).description
    #expect(try neighbour.refusal(of: .joinRoom(TestPlayer.join(wrong))).code == .rateLimited)
    #expect(try neighbour.joinRoom(room.code).code == room.code)
    // Pages have a budget of their own.
    #expect(try TestHTTP.get("/j/\(wrong)", port: server.port).status == 404)
    #expect(try TestHTTP.get("/qr/\(room.code).svg", port: server.port).status == 200)
  }

  @Test("An address that has tried 200 codes over HTTP gets the same page for every code")
  func guessesByHTTP() throws {
    let server = try TestServer()
    let room = try server.player("host").createRoom()
    for number in 0..<200 {
      let code = RoomCode(drawing: UInt64(number)).description
      #expect(try TestHTTP.get("/j/\(code)", port: server.port).status == 404)
    }
    let wrong = RoomCode(drawing: 9_999).description
    for code in [wrong, room.code] {
      #expect(try TestHTTP.get("/j/\(code)", port: server.port).status == 200)
      // Others behind the address have rooms whose QRs they need.
      #expect(try TestHTTP.get("/qr/\(code).svg", port: server.port).status == 200)
      let picture = try TestHTTP.get("/qr/\(code).png", port: server.port)
      #expect(picture.status == 429 && picture.head.contains("Retry-After: "))
    }
    // A player gets the true answer.
    let player = try server.player("player")
    #expect(try player.refusal(of: .joinRoom(TestPlayer.join(wrong))).code == .roomNotFound)
    #expect(try player.joinRoom(room.code).code == room.code)
  }

  @Test("Right passwords do not count towards the account's limit")
  func rightPasswords() throws {
    let server = try TestServer()
    let owner = try server.player("owner")
    try owner.expectOk(.register(TestPlayer.register("owner@example.org", "correct horse", named: "owner")))
    for _ in 0..<7 { _ = try TestPlayer(port: server.port).login("owner@example.org", "correct horse") }
  }

  @Test("A login waits for at most one login of another network that floods")
  func passwordTurns() throws {
    let server = try TestServer()
    let flooders = try (0..<16).map { _ in try TestPlayer(port: server.port, from: 0x7F00_0101) }
    for (number, flooder) in flooders.enumerated() {
      try flooder.send(.login(TestPlayer.login("flood\(number)@example.org", "wrong horse")), id: 1)
    }
    // The other fifteen wait.
    while !flooders.contains(where: \.hasInput) {}
    let other = try TestPlayer(port: server.port, from: 0x7F00_0201)
    #expect(try other.refusal(of: .login(TestPlayer.login("other@example.org", "wrong horse"))).code == .wrongPassword)
    #expect(flooders.contains { !$0.hasInput })
    for flooder in flooders { _ = try flooder.reply(to: 1) }
  }

  @Test("A player over the journal's budget is refused, and may leave; other players continue")
  func journalBytes() throws {
    let server = try TestServer()
    let talker = try server.player("talker")
    let other = try server.player("other")
    let room = try talker.createRoom()
    _ = try other.joinRoom(room.code)
    let text = String(repeating: "👨‍👩‍👧‍👦", count: 64)
    // 256 KiB at once, of which 1,165 bytes a second come back. A chat a second is about 1,690.
    var said = 0
    while case .ok = try talker.request(.chat(TestPlayer.chat(text))) {
      said += 1
      server.clock.advance(seconds: 1)
      try talker.pump()
      try other.pump()
    }
    #expect((400...600).contains(said))
    let refusal = try talker.refusal(of: .chat(TestPlayer.chat("more")))
    #expect(refusal.code == .rateLimited && refusal.retryAfterMs > 0)
    #expect(refusal.message == "too much to keep from this player or address")
    try other.expectOk(.chat(TestPlayer.chat("here")))
    try talker.expectOk(.leaveRoom(WireLeaveRoom()))
  }
}
