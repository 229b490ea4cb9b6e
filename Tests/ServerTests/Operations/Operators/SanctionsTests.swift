// Bans and mutes over real sockets: entry, chats, their ends, and restarts.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct SanctionsTests {
  private let secret = "the secret of a phone"

  @Test(
    "A ban closes the connection at once, and refuses every login until it has ended",
    arguments: Subprotocol.allCases
  )
  func ban(subprotocol: Subprotocol) throws {
    let server = try TestServer()
    let host = try server.player("나래")
    let player = try TestPlayer(port: server.port, subprotocol: subprotocol)
    let welcome = try player.hello("가람", secret: secret)
    let id = try #require(PlayerID(welcome.playerID))
    try player.expectOk(.register(TestPlayer.register("garam@example.org", "correct horse", named: "가람")))
    _ = try player.joinRoom(try host.createRoom().code)
    #expect(server.perform(.ban(id, for: .seconds(600), reason: "욕설")).isDone)
    #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
    try server.passTick()
    _ = try host.event { $0.body?.isLeft ?? false }
    try server.pass(seconds: 599, host)

    for request in [
      WireClientMessage.OneOf_Body.hello(TestPlayer.hello("다른 이름", secret: secret)),
      .login(TestPlayer.login("garam@example.org", "correct horse")), .resume(TestPlayer.resume(welcome.sessionToken)),
    ] {
      let back = try TestPlayer(port: server.port, subprotocol: subprotocol)
      let refusal = try back.refusal(of: request)
      #expect(refusal.code == .banned && (1...1_000).contains(refusal.retryAfterMs))
      #expect(try back.awaitEnd() == CloseCode.removed.rawValue)
    }
    _ = try server.player("another player")
    try server.pass(seconds: 1, host)
    let back = try TestPlayer(port: server.port)
    let after = try back.resume(welcome.sessionToken)
    #expect(after.playerID == welcome.playerID && after.player.nickname == "가람" && !after.hasRoom)
    #expect(try server.audit().map(\.action) == ["ban"])
    let row = try server.audit()[0].entry
    #expect(row.detail == "10 min" && row.reason == "욕설" && row.address == "127.0.0.1" && row.operator == "token")
  }

  @Test("A ban without an end holds until it is lifted, over a crash too", arguments: TestStore.Kind.allCases)
  func unban(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    let player = try TestPlayer(port: server.port)
    let welcome = try player.hello("가람", secret: secret)
    let id = try #require(PlayerID(welcome.playerID))
    #expect(server.perform(.ban(id, for: nil, reason: "")).isDone)
    #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
    server = try server.crash(downFor: 86_400)
    let refusal = try TestPlayer(port: server.port).refusal(of: .resume(TestPlayer.resume(welcome.sessionToken)))
    #expect(refusal.code == .banned && !refusal.hasRetryAfterMs)
    #expect(try server.sanctions().map(\.player) == [id])
    #expect(server.perform(.unban(id)).isDone)
    #expect(try TestPlayer(port: server.port).resume(welcome.sessionToken).playerID == welcome.playerID)
    #expect(server.perform(.unban(id)).refusal == "player \(id) is not banned")
    #expect(try server.audit().map(\.action) == ["ban", "unban"])
  }

  @Test("A ban beyond the largest wait is reported as the largest wait")
  func longBan() throws {
    let server = try TestServer()
    let id = try TestPlayer(port: server.port).helloID("가람", secret: secret)
    #expect(server.perform(.ban(id, for: .seconds(86_400 * 3_650), reason: "")).isDone)
    let refusal = try TestPlayer(port: server.port).refusal(of: .hello(TestPlayer.hello("가람", secret: secret)))
    #expect(refusal.code == .banned && refusal.retryAfterMs == .max)
  }

  @Test("An absent player can be banned: a held place is freed, and a later login is refused")
  func absent() throws {
    let server = try TestServer()
    let host = try server.player("나래")
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람", secret: secret)
    _ = try player.joinRoom(try host.createRoom().code)
    player.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    #expect(server.perform(.ban(id, for: nil, reason: "")).isDone)
    try server.passTick()
    _ = try host.event { $0.body?.isLeft ?? false }
    #expect(server.perform(.ban(id, for: .seconds(60), reason: "")).isDone, "the new ban replaces the first one")
    #expect(try server.sanctions().map { $0.until != nil } == [true])
    let back = try TestPlayer(port: server.port)
    #expect(try back.refusal(of: .hello(TestPlayer.hello("가람", secret: secret))).code == .banned)
  }

  @Test("A muted player's chats are refused at once and on later connections, and nothing else is")
  func mute() throws {
    let server = try TestServer()
    let host = try server.player("나래")
    let player = try TestPlayer(port: server.port, subprotocol: .proto)
    let welcome = try player.hello("가람", secret: secret)
    let id = try #require(PlayerID(welcome.playerID))
    let code = try host.createRoom().code
    _ = try player.joinRoom(code)
    try player.expectOk(.chat(TestPlayer.chat("하나")))
    #expect(server.perform(.mute(id, for: .seconds(60), reason: "도배")).isDone)
    let refusal = try player.refusal(of: .chat(TestPlayer.chat("둘")))
    #expect(refusal.code == .muted && (59_000...60_000).contains(refusal.retryAfterMs))
    try host.expectOk(.chat(TestPlayer.chat("셋")))
    try player.expectOk(.readChat(WireReadChat()))
    try server.pass(seconds: 30, host, player)

    player.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(welcome.sessionToken).room.chats.map(\.chat.text) == ["하나", "셋"])
    #expect((29_000...30_000).contains(try back.refusal(of: .chat(TestPlayer.chat("넷"))).retryAfterMs))
    try server.pass(seconds: 31, host, back)
    try back.expectOk(.chat(TestPlayer.chat("다섯")))
    #expect(server.perform(.unmute(id)).refusal == "player \(id) is not muted")
    #expect(try server.audit().map(\.action) == ["mute"])
  }

  @Test("A mute without an end holds until it is lifted, over a crash too", arguments: TestStore.Kind.allCases)
  func unmute(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    var server = try TestServer(store: kept.store)
    var player = try TestPlayer(port: server.port)
    let welcome = try player.hello("가람", secret: secret)
    let id = try #require(PlayerID(welcome.playerID))
    _ = try player.createRoom()
    #expect(server.perform(.mute(id, for: nil, reason: "")).isDone)
    server = try server.crash()
    player = try TestPlayer(port: server.port)
    #expect(try player.resume(welcome.sessionToken).hasRoom)
    let refusal = try player.refusal(of: .chat(TestPlayer.chat("안녕")))
    #expect(refusal.code == .muted && !refusal.hasRetryAfterMs)
    #expect(server.perform(.unmute(id)).isDone)
    try player.expectOk(.chat(TestPlayer.chat("안녕")))
    #expect(try server.audit().map(\.action) == ["mute", "unmute"])
  }

  @Test("A failed action is refused with a reason, and is not in the audit log")
  func refused() throws {
    let server = try TestServer()
    let id = try TestPlayer(port: server.port).helloID("가람")
    let nobody = PlayerID(7)
    #expect(server.perform(.ban(nobody, for: nil, reason: "")).refusal == "there is no player \(nobody)")
    #expect(server.perform(.mute(nobody, for: nil, reason: "")).refusal == "there is no player \(nobody)")
    #expect(server.perform(.unban(nobody)).refusal == "player \(nobody) is not banned")
    for action in [
      OperatorAction.ban(id, for: .zero, reason: ""), .mute(id, for: .seconds(-1), reason: ""),
      .ban(id, for: .seconds(86_400 * 3_650 + 1), reason: ""),
      .ban(id, for: nil, reason: String(repeating: "a", count: 501)), .mute(id, for: nil, reason: "a\u{1B}[2J"),
    ] {
      #expect(server.perform(action).refusal != nil, "\(action)")
    }
    #expect(try server.audit().isEmpty && server.sanctions().isEmpty)
  }

  @Test("A banned player's deletion removes the ban; the audit log keeps only the identifier")
  func deletion() throws {
    let kept = try TestStore(.disk)
    let server = try TestServer(store: kept.store)
    let id = try TestPlayer(port: server.port).helloID("가람", secret: secret)
    #expect(server.perform(.ban(id, for: nil, reason: "")).isDone)
    kept.forget(id, at: server.clock)
    #expect(try server.sanctions().isEmpty)
    #expect(try server.audit().map(\.player) == [id] && server.audit()[0].nickname == nil)
    #expect(try TestPlayer(port: server.port).helloID("가람", secret: secret) != id, "a new player")
  }
}

extension WireEvent.OneOf_Body {
  var isLeft: Bool { if case .left = self { true } else { false } }
}
