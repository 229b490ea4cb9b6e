// Bans that hold beyond one device, over real sockets: the browser's mark, new guests of an address, and their ends.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

extension TestPlayer {
  /// Connects as a browser does that has a cookie.
  convenience init(port: UInt16, cookie: String?, from source: UInt32? = nil) throws {
    guard let cookie else {
      try self.init(port: port, from: source)
      return
    }
    try self.init(unconnectedTo: port)
    try socket.send(Self.upgradeRequest().dropLast(2) + Array("Cookie: other=1; \(cookie)\r\n\r\n".utf8))
    try finishUpgrade()
  }
}

extension TestServer {
  /// The cookie that a page gives to a browser without one, as the browser sends it back.
  func newMark(_ fields: String = "") throws -> String {
    let page = try TestHTTP.get("/", port: port, fields: fields)
    return String(try #require(page.field("Set-Cookie")).prefix { $0 != ";" })
  }
}

@Suite struct BansTests {
  private let secret = "the secret of a browser's page"
  /// Another address of this machine.
  private static let elsewhere: UInt32 = 0x7F00_0002

  @Test("A page marks a browser once: signed, for no script, and not for caches between")
  func mark() throws {
    let server = try TestServer { $0.publicURL = "https://play.example.org" }
    let page = try TestHTTP.get("/", port: server.port)
    let field = try #require(page.field("Set-Cookie"))
    #expect(field.hasPrefix("madang_browser_\(server.port)="))
    #expect(field.hasSuffix("; Max-Age=34560000; HttpOnly; SameSite=Lax; Path=/; Secure"))
    #expect(page.field("Cache-Control") == "private, no-cache")
    let mark = try server.newMark()
    for path in ["/", "/tap", "/stories", "/capsules"] {
      #expect(try TestHTTP.get(path, port: server.port, fields: "Cookie: \(mark)\r\n").field("Set-Cookie") == nil)
    }
    // A mark that is not this server's is none.
    for forged in [mark.dropLast() + (mark.hasSuffix("0") ? "1" : "0"), mark.prefix(40), "madang_browser_1=x"] {
      let answer = try TestHTTP.get("/", port: server.port, fields: "Cookie: \(forged)\r\n")
      #expect(answer.field("Set-Cookie") != nil, "\(forged)")
    }
    let other = try TestServer()
    #expect(try TestHTTP.get("/", port: other.port).field("Set-Cookie")?.contains("Secure") == false)
    #expect(try TestHTTP.get("/healthz", port: server.port).field("Set-Cookie") == nil)
  }

  @Test(
    "A ban covers whoever comes with the same browser, over a crash too; a cleared browser comes in",
    arguments: TestStore.Kind.allCases
  )
  func browser(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    let mark = try server.newMark()
    let player = try TestPlayer(port: server.port, cookie: mark)
    let id = try player.helloID("가람", secret: secret)
    let companion = try TestPlayer(port: server.port, cookie: mark)
    let token = try companion.hello("다온").sessionToken
    #expect(server.perform(.ban(id, for: .seconds(600), reason: "")).isDone)
    #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
    server = try server.crash()
    // The cookie has the old server's port in its name, and the new one has another.
    let number = mark.drop { $0 != "=" }
    let cookie = "madang_browser_\(server.port)\(number)"
    for request in [
      WireClientMessage.OneOf_Body.hello(TestPlayer.hello("새 이름")), .resume(TestPlayer.resume(token)),
    ] {
      let back = try TestPlayer(port: server.port, cookie: cookie)
      let refusal = try back.refusal(of: request)
      #expect(refusal.code == .banned && (1...600_000).contains(refusal.retryAfterMs))
      #expect(try back.awaitEnd() == CloseCode.removed.rawValue)
    }
    // What is not held: another browser, one without its cookies, and an app.
    _ = try TestPlayer(port: server.port, cookie: server.newMark()).hello("다른 브라우저")
    _ = try TestPlayer(port: server.port).hello("앱")
    let device = try TestPlayer(port: server.port)
    #expect(try device.refusal(of: .hello(TestPlayer.hello("가람", secret: secret))).code == .banned)
    #expect(server.perform(.unban(id)).isDone)
    #expect(try TestPlayer(port: server.port, cookie: cookie).resume(token).player.nickname == "다온")
  }

  @Test("New guests of a banned player's address are refused for a day at most; known players stay and come back")
  func address() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    let known = try TestPlayer(port: server.port)
    let welcome = try known.hello("다온", secret: secret)
    #expect(server.perform(.ban(id, for: nil, reason: "욕설", address: .server)).isDone)
    #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
    let new = try TestPlayer(port: server.port)
    let refusal = try new.refusal(of: .hello(TestPlayer.hello("새 손님")))
    #expect(refusal.code == .banned && (86_399_000...86_400_000).contains(refusal.retryAfterMs))
    #expect(try new.awaitEnd() == CloseCode.removed.rawValue)
    // Who was there goes on, comes back by session and by device, and others come from elsewhere.
    _ = try known.createRoom()
    #expect(try TestPlayer(port: server.port).resume(welcome.sessionToken).hasRoom)
    #expect(try TestPlayer(port: server.port).hello("다온", secret: secret).playerID == welcome.playerID)
    let visitor = try TestPlayer(port: server.port, from: Self.elsewhere)
    _ = try visitor.hello("먼 손님")
    let row = try #require(try server.sanctions().first)
    #expect(row.until == nil && row.addressBan?.room == nil)
    let entry = try server.audit()[0].entry
    #expect(entry.detail == "until it is lifted; new guests of their address: 1440 min" && entry.room == nil)
    // A ban without a part for the address replaces all of it.
    #expect(server.perform(.ban(id, for: nil, reason: "")).isDone)
    _ = try TestPlayer(port: server.port).hello("새 손님")
  }

  @Test("In a room alone, new guests of the address come to the server, but not into that room", arguments: [1, 3])
  func addressInRoom(shards: Int) throws {
    let server = try TestServer(shards: shards)
    let host = try TestPlayer(port: server.port, from: Self.elsewhere)
    _ = try host.hello("나래")
    let room = try host.createRoom()
    let known = try server.player("다온")
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    #expect(
      server.perform(.ban(id, for: .seconds(60), reason: "", address: .room)).refusal == "player \(id) is in no room"
    )
    _ = try player.joinRoom(room.code)
    #expect(server.perform(.ban(id, for: .seconds(60), reason: "", address: .room)).isDone)
    #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
    let new = try server.player("새 손님")
    let refusal = try new.refusal(of: .joinRoom(TestPlayer.join(room.code)))
    #expect(refusal.code == .barred && (1...60_000).contains(refusal.retryAfterMs))
    // Other rooms are open to them, and this one to known players.
    _ = try new.joinRoom(server.player("다른 방장").createRoom().code)
    #expect(try known.joinRoom(room.code).you.seat == 1)
    let entry = try server.audit()[0].entry
    #expect(entry.code == room.code && entry.detail == "1 min; new guests of their address: 1 min, in that room")
  }

  @Test("Without a connection there is no address, and nothing is done")
  func absent() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람")
    player.socket.reset()
    _ = try server.report { $0.connections == 0 }
    let outcome = server.perform(.ban(id, for: nil, reason: "", address: .server))
    #expect(outcome.refusal == "player \(id) is not connected: their address is not known")
    #expect(try server.sanctions().isEmpty && server.audit().isEmpty)
  }

  @Test("The console shows who shares an address before it is banned, and the ban in its list")
  func console() throws {
    let operators = try TestOperators(shards: 2)
    let console = try TestConsole(operators)
    let port = operators.game.port
    let player = try TestPlayer(port: port)
    let id = try player.helloID("가람")
    let others = try (0..<3).map { try operators.game.player("p\($0)") }
    let far = try TestPlayer(port: port, from: Self.elsewhere)
    _ = try far.hello("먼 손님")
    let room = try others[0].createRoom()
    _ = try player.joinRoom(room.code)
    let network = try #require(
      try console.ask("\"query\":\"network\",\"player\":\"\(id)\"")["network"] as? [String: Any]
    )
    #expect(network["address"] as? String == "127.0.0.1" && network["players"] as? Int == 3)
    #expect(network["code"] as? String == room.code)
    let nobody = try console.ask("\"query\":\"network\",\"player\":\"\(PlayerID(7))\"")
    #expect(nobody["ok"] as? Bool == false)
    let wrong = try console.ask("\"act\":\"ban\",\"player\":\"\(id)\",\"addressBan\":\"street\"")
    #expect(wrong.text("error") == "addressBan: room, server")
    let ban = try console.ask("\"act\":\"ban\",\"player\":\"\(id)\",\"minutes\":5,\"addressBan\":\"room\"")
    #expect(ban["ok"] as? Bool == true, "\(ban)")
    let row = try #require(try console.watch("sanctions").rows("rows").first)
    #expect(row.int("addressBanEndsAtMs") == row.int("endsAtMs"))
    #expect(row.text("addressBanRoom") == network["room"] as? String)
  }
}
