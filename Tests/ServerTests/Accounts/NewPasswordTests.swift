// The effect of a new password on sessions and devices that may be another person's.
import MadangProtocol
import TestSupport
import Testing

@Suite struct NewPasswordTests {
  private let email = "garam@example.org"
  private let password = "correct horse"
  private let secret = "the secret of a phone"

  /// An account, by the phone's secret.
  private func account(_ server: TestServer) throws -> (TestPlayer, WireWelcome) {
    let player = try TestPlayer(port: server.port)
    let welcome = try player.hello("가람", secret: secret)
    try player.expectOk(.register(TestPlayer.register(email, password, named: "가람")))
    return (player, welcome)
  }

  @Test("A password set after a login forgets the old device")
  func oldDevice() throws {
    let server = try TestServer()
    let (phone, welcome) = try account(server)
    let browser = try TestPlayer(port: server.port)
    let login = try browser.login(email, password)
    #expect(try phone.awaitEnd() == CloseCode.replaced.rawValue)
    try browser.expectOk(.setPassword(TestPlayer.setPassword(password, to: "new battery")))
    let old = try TestPlayer(port: server.port)
    let stranger = try old.hello("가람", secret: secret)
    #expect(stranger.playerID != welcome.playerID && stranger.player.email != email)
    // This session goes on.
    let again = try TestPlayer(port: server.port)
    #expect(try again.resume(login.sessionToken).playerID == welcome.playerID)
  }

  @Test(
    "A password set on the device itself keeps the device, also over a resumed connection",
    arguments: [true, false]
  )
  func ownDevice(resumes: Bool) throws {
    let server = try TestServer()
    var (phone, welcome) = try account(server)
    if resumes {
      phone = try TestPlayer(port: server.port)
      welcome = try phone.resume(welcome.sessionToken)
    }
    try phone.expectOk(.setPassword(TestPlayer.setPassword(password, to: "new battery")))
    let back = try TestPlayer(port: server.port)
    #expect(try back.hello("가람", secret: secret).playerID == welcome.playerID)
  }

  @Test("E-mail and device go along when the connection moves to another shard")
  func otherShard() throws {
    let server = try TestServer(shards: 2)
    let (phone, welcome) = try account(server)
    let codes = try (0..<2).map { try server.player("host \($0)").createRoom().code }
    #expect(try Set(codes.map { try server.shard(of: $0).index }) == [0, 1])
    for code in codes {
      _ = try phone.joinRoom(code)
      try phone.expectOk(.leaveRoom(WireLeaveRoom()))
      let register = TestPlayer.register("other@example.org", password, named: "다솜")
      #expect(try phone.refusal(of: .register(register)).code == .alreadyRegistered)
    }
    try phone.expectOk(.setPassword(TestPlayer.setPassword(password, to: "new battery")))
    let back = try TestPlayer(port: server.port)
    let again = try back.hello("가람", secret: secret)
    #expect(again.playerID == welcome.playerID && again.player.email == email)
  }
}
