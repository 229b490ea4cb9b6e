// A new password by an operator's link, over real sockets.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct PasswordResetTests {
  private static func put(_ body: String, port: UInt16) throws -> TestHTTP {
    let head = "PUT /v1/password-reset/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    return try TestHTTP.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)", port: port)
  }

  @Test(
    "A link sets a new password once: older sessions, devices and passwords are out",
    arguments: TestStore.Kind.allCases
  )
  func reset(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    let player = try TestPlayer(port: server.port)
    let welcome = try player.hello("가람", secret: "the secret of a phone")
    let id = try #require(PlayerID(welcome.playerID))
    #expect(server.perform(.resetPassword(id)).refusal == "there is no account \(id)")
    try player.expectOk(.register(TestPlayer.register("garam@example.org", "correct horse", named: "가람")))
    guard case .done(_, let link?) = server.perform(.resetPassword(id)) else { throw TestFailure("no link") }
    let parts = link.split(separator: "#")
    #expect(parts.count == 2 && parts[0].hasSuffix("/reset") && parts[1].count == 64)
    let secret = String(try #require(parts.last))
    #expect(try TestHTTP.get("/reset", port: server.port).status == 200)
    for (body, status, word) in [
      ("\(secret)\nshort", 400, "password\n"), (secret, 400, "link\n"), ("\(secret)0\nbattery staple", 404, "link\n"),
      (String(repeating: "a", count: 513), 413, "password\n"),
    ] {
      let answer = try Self.put(body, port: server.port)
      #expect(answer.status == status && answer.body == word, "\(body)")
    }
    server = try server.crash()
    let here = try TestPlayer(port: server.port)
    _ = try here.resume(welcome.sessionToken)
    #expect(try Self.put("\(secret)\nbattery staple", port: server.port).body == "done\n")
    #expect(try here.awaitEnd() == CloseCode.badToken.rawValue)
    #expect(try Self.put("\(secret)\nbattery staple", port: server.port).status == 404)

    let back = try TestPlayer(port: server.port)
    #expect(try back.refusal(of: .resume(TestPlayer.resume(welcome.sessionToken))).code == .sessionEnded)
    #expect(try back.refusal(of: .login(TestPlayer.login("garam@example.org", "correct horse"))).code == .wrongPassword)
    #expect(try back.login("garam@example.org", "battery staple").playerID == welcome.playerID)
    let device = try TestPlayer(port: server.port)
    #expect(try device.hello("가람", secret: "the secret of a phone").playerID != welcome.playerID)
    let rows = try server.audit()
    #expect(rows.map(\.action) == ["resetPassword"] && !rows[0].detail.contains(secret))
  }
}
