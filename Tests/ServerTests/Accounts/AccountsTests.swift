// Accounts over real sockets: from guest to account, logging in and out, the end of an account.
import MadangProtocol
import TestSupport
import Testing

@Suite struct AccountsTests {
  private let email = "garam@example.org"
  private let password = "correct horse"

  /// A player with an account.
  private func account(_ server: TestServer, secret: String? = nil) throws -> (TestPlayer, WireWelcome) {
    let player = try TestPlayer(port: server.port)
    let welcome = try player.hello("guest", secret: secret)
    try player.expectOk(.register(TestPlayer.register(email, password, named: "가람")))
    return (player, welcome)
  }

  @Test("A registered guest is the same player on every login, also after a crash")
  func registersAndLogsIn() throws {
    let server = try TestServer()
    let (player, welcome) = try account(server)
    #expect(welcome.player.email.isEmpty)
    #expect(
      try player.refusal(of: .register(TestPlayer.register("b@c.de", password, named: "다른"))).code == .alreadyRegistered
    )
    let again = try server.crash()
    let other = try TestPlayer(port: again.port)
    let back = try other.login("Garam@Example.org", password)
    #expect(back.playerID == welcome.playerID)
    #expect(back.player.nickname == "가람" && back.player.email == email)
  }

  @Test("A wrong password and a wrong e-mail address get the same answer; the sixth try in a minute is not checked")
  func wrongPasswords() throws {
    let server = try TestServer()
    _ = try account(server)
    let stranger = try TestPlayer(port: server.port)
    let wrong = try stranger.refusal(of: .login(TestPlayer.login(email, "wrong horse")))
    let nobody = try stranger.refusal(of: .login(TestPlayer.login("nobody@example.org", "wrong horse")))
    #expect(wrong.code == .wrongPassword && wrong == nobody)
    // The registration used up one try.
    for _ in 0..<3 {
      #expect(try stranger.refusal(of: .login(TestPlayer.login(email, "wrong horse"))).code == .wrongPassword)
    }
    let late = try stranger.refusal(of: .login(TestPlayer.login(email, password)))
    #expect(late.code == .rateLimited && late.retryAfterMs > 0)
    server.clock.advance(seconds: 15)
    let patient = try TestPlayer(port: server.port)
    #expect(try patient.login(email, password).player.email == email)
  }

  @Test("An e-mail address and an account's nickname are unique; guests may share a nickname")
  func uniqueness() throws {
    let server = try TestServer()
    _ = try account(server)
    let other = try TestPlayer(port: server.port)
    #expect(try other.hello("가람").player.nickname == "가람")
    #expect(
      try other.refusal(of: .register(TestPlayer.register("GARAM@example.org", password, named: "나래"))).code
        == .emailTaken
    )
    #expect(
      try other.refusal(of: .register(TestPlayer.register("b@example.org", password, named: "가람"))).code
        == .nicknameTaken
    )
    try other.expectOk(.register(TestPlayer.register("b@example.org", password, named: "나래")))
    #expect(try other.refusal(of: .setNickname(TestPlayer.setNickname("가람"))).code == .nicknameTaken)
    try other.expectOk(.setNickname(TestPlayer.setNickname("다온")))
    #expect(try other.createRoom().players.map(\.nickname) == ["다온"])
  }

  @Test("A nickname is the same however its letters are composed, and all players get the same bytes of it")
  func normalForm() throws {
    let (composed, decomposed) = ("\u{C9C0}\u{BBFC}", "\u{110C}\u{1175}\u{1106}\u{1175}\u{11AB}")
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    let nickname = try player.hello(decomposed).player.nickname
    #expect(nickname.unicodeScalars.elementsEqual(composed.unicodeScalars))
    try player.expectOk(.register(TestPlayer.register(email, password, named: decomposed)))
    let other = try TestPlayer(port: server.port)
    _ = try other.hello(composed)
    #expect(
      try other.refusal(of: .register(TestPlayer.register("b@example.org", password, named: composed))).code
        == .nicknameTaken
    )
    try other.expectOk(.register(TestPlayer.register("b@example.org", password, named: "나래")))
    #expect(try other.refusal(of: .setNickname(TestPlayer.setNickname(composed))).code == .nicknameTaken)
    #expect(try other.refusal(of: .setNickname(TestPlayer.setNickname(decomposed))).code == .nicknameTaken)
  }

  @Test("Invisible characters make no different nickname: neither for accounts, nor within a room")
  func visibleForm() throws {
    let server = try TestServer()
    let player = try server.player("지민")
    try player.expectOk(.register(TestPlayer.register(email, password, named: "지\u{200B}민")))
    let code = try player.createRoom().code
    for (number, typed) in ["지\u{2060}민", "지민\u{FE0F}", "지민\u{2800}"].enumerated() {
      let other = try TestPlayer(port: server.port)
      #expect(try other.hello(typed).player.nickname.unicodeScalars.elementsEqual("지민".unicodeScalars))
      let register = TestPlayer.register("b@example.org", password, named: typed)
      #expect(try other.refusal(of: .register(register)).code == .nicknameTaken)
      #expect(try other.refusal(of: .setNickname(TestPlayer.setNickname("\u{3164}\u{200B}"))).code == .outOfRange)
      #expect(try other.joinRoom(code).players.last?.nickname == "지민 \(number + 2)")
    }
    let account = try server.player("나래")
    try account.expectOk(.register(TestPlayer.register("c@example.org", password, named: "나래")))
    #expect(try account.refusal(of: .setNickname(TestPlayer.setNickname("\u{200F}지민"))).code == .nicknameTaken)
  }

  @Test(
    "An invalid e-mail address, password or nickname is refused, and changes nothing",
    arguments: [
      ("garam", "correct horse", "가람"), ("a@b@c", "correct horse", "가람"), ("a@b.c", "short", "가람"),
      ("a@b.c", "correct horse", " "), ("a@b.c", String(repeating: "x", count: 65), "가람"),
    ]
  )
  func badInput(email: String, password: String, nickname: String) throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    _ = try player.hello("guest")
    let refusal = try player.refusal(of: .register(TestPlayer.register(email, password, named: nickname)))
    #expect(refusal.code == .outOfRange)
    #expect(
      try player.refusal(of: .setPassword(TestPlayer.setPassword(self.password, to: self.password))).code
        == .notRegistered
    )
  }

  @Test("After a change only the new password is accepted")
  func newPassword() throws {
    let server = try TestServer()
    let (player, _) = try account(server)
    #expect(
      try player.refusal(of: .setPassword(TestPlayer.setPassword("wrong horse", to: "new battery"))).code
        == .wrongPassword
    )
    try player.expectOk(.setPassword(TestPlayer.setPassword(password, to: "new battery")))
    let other = try TestPlayer(port: server.port)
    #expect(try other.refusal(of: .login(TestPlayer.login(email, password))).code == .wrongPassword)
    #expect(try other.login(email, "new battery").player.email == email)
  }

  @Test("A logout ends the session, leaves the room, and unlinks an account's device; a guest's device stays")
  func logout() throws {
    let server = try TestServer()
    let (player, welcome) = try account(server, secret: "the secret of a phone")
    let code = try player.createRoom().code
    let witness = try server.player("witness")
    _ = try witness.joinRoom(code)
    try player.expectOk(.logout(WireLogout()))
    #expect(try player.awaitEnd() == 1_000)
    try server.passTick()
    _ = try witness.event { $0.left.seat == 0 && $0.body.isLeft }
    let old = try TestPlayer(port: server.port)
    var resume = WireResume()
    resume.sessionToken = welcome.sessionToken
    #expect(try old.refusal(of: .resume(resume)).code == .sessionEnded)
    #expect(try old.hello("guest", secret: "the secret of a phone").playerID != welcome.playerID)
    let guest = try TestPlayer(port: server.port)
    let before = try guest.hello("guest", secret: "the secret of a guest")
    try guest.expectOk(.logout(WireLogout()))
    _ = try guest.awaitEnd()
    let back = try TestPlayer(port: server.port)
    #expect(try back.hello("guest", secret: "the secret of a guest").playerID == before.playerID)
  }

  @Test("Requests sent just before a logout are answered first")
  func answersInOrder() throws {
    let server = try TestServer(shards: 1)
    let player = try server.player("가람")
    _ = try player.createRoom()
    let requests = player.frame(.chat(TestPlayer.chat("안녕")), id: 700) + player.frame(.logout(WireLogout()), id: 701)
    try player.socket.send(requests)
    guard case .ok = try player.reply(to: 700), case .ok = try player.reply(to: 701) else {
      throw TestFailure("not both are ok")
    }
    #expect(try player.awaitEnd() == 1_000)
  }

  @Test("An address may delete ten accounts a minute, and then must wait")
  func manyDeletions() throws {
    let server = try TestServer(shards: 1)
    for number in 0..<Limits.deletionsPerMinuteForAddress {
      let player = try server.player("guest \(number)")
      try player.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    }
    let late = try server.player("late")
    #expect(try late.refusal(of: .deleteAccount(TestPlayer.deleteAccount())).code == .rateLimited)
  }

  @Test("A session that is unused for 30 days expires; a used one does not")
  func expiry() throws {
    let server = try TestServer()
    // An account: a guest who leaves nothing behind is forgotten sooner.
    let (player, welcome) = try account(server)
    let token = welcome.sessionToken
    player.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    for times in 1...2 {
      server.clock.advance(seconds: 29 * 86_400)
      let back = try TestPlayer(port: server.port)
      _ = try back.resume(token)
      back.socket.reset()
      _ = try server.report { $0.net.connectionsClosed == 1 + times }
    }
    server.clock.advance(seconds: 31 * 86_400)
    let late = try TestPlayer(port: server.port)
    var resume = WireResume()
    resume.sessionToken = token
    #expect(try late.refusal(of: .resume(resume)).code == .sessionExpired)
  }

  @Test("A deletion removes the account: token, device, password, name, and its texts from all its rooms")
  func deletion() throws {
    let server = try TestServer()
    let (player, welcome) = try account(server, secret: "the secret of a phone")
    let witness = try server.player("witness")
    let code = try witness.createRoom().code
    _ = try player.joinRoom(code)
    try player.expectOk(.chat(TestPlayer.chat("잊어 주세요")))
    try witness.expectOk(.chat(TestPlayer.chat("안녕")))
    #expect(try player.refusal(of: .deleteAccount(TestPlayer.deleteAccount("wrong horse"))).code == .wrongPassword)
    try player.expectOk(.deleteAccount(TestPlayer.deleteAccount(password)))
    #expect(try player.awaitEnd() == 1_000)
    let stranger = try TestPlayer(port: server.port)
    #expect(try stranger.refusal(of: .login(TestPlayer.login(email, password))).code == .wrongPassword)
    var resume = WireResume()
    resume.sessionToken = welcome.sessionToken
    #expect(try stranger.refusal(of: .resume(resume)).code != .alreadyWelcome)
    #expect(try stranger.hello("가람", secret: "the secret of a phone").playerID != welcome.playerID)
    // The room as its members see it, and after a crash.
    try expectErased(server, code)
    try expectErased(try server.crash(), code)
  }

  private func expectErased(_ server: TestServer, _ code: String) throws {
    let late = try TestPlayer(port: server.port)
    _ = try late.hello("late")
    let chats = try late.joinRoom(code).chats.map(\.chat.text)
    #expect(chats == ["…", "안녕"])
  }
}
