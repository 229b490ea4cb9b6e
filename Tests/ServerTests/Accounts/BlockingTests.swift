// Blocking: a player chooses whose chats to hide.
import MadangProtocol
import TestSupport
import Testing

@Suite struct BlockingTests {
  @Test(
    "A blocked player's chats arrive without their text, in ticks and in the room's state; event numbers have no gap"
  )
  func withholds() throws {
    let server = try TestServer(shards: 1)
    let rude = try TestPlayer(port: server.port)
    let rudeID = try rude.hello("rude").playerID
    let victim = try TestPlayer(port: server.port, subprotocol: .proto)
    let token = try victim.hello("victim").sessionToken
    let other = try server.player("other")
    let code = try rude.createRoom().code
    _ = try victim.joinRoom(code)
    _ = try other.joinRoom(code)
    try victim.expectOk(.block(TestPlayer.block(rudeID)))
    try rude.expectOk(.chat(TestPlayer.chat("욕")))
    try other.expectOk(.chat(TestPlayer.chat("안녕")))
    try server.passTick()
    func chats(_ player: TestPlayer) throws -> [WireEvent] {
      var events: [WireEvent] = []
      while events.count < 2 { events += try player.tick().events.filter { $0.body?.name == "chat" } }
      return events
    }
    let seen = try chats(victim)
    let received = try chats(other)
    #expect(seen.map(\.number) == received.map(\.number))
    #expect(seen.map(\.chat.text) == ["", "안녕"] && seen.map(\.chat.withheld) == [true, false])
    #expect(received.map(\.chat.text) == ["욕", "안녕"] && received.map(\.chat.withheld) == [false, false])
    // The room's state respects it.
    let back = try TestPlayer(port: server.port)
    let welcome = try back.resume(token, afterEvent: 0)
    #expect(welcome.player.blocked == [rudeID])
    #expect(welcome.room.chats.map(\.chat.text) == ["", "안녕"])
    #expect(welcome.events.filter { $0.body?.name == "chat" }.map(\.chat.withheld) == [true, false])
  }

  @Test("A player blocks up to ten others, each once, not oneself and no unknown player; unblocking reverses it")
  func bounds() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    let own = try player.hello("player").playerID
    #expect(try player.refusal(of: .block(TestPlayer.block(own))).code == .outOfRange)
    #expect(try player.refusal(of: .block(TestPlayer.block("nobody"))).code == .outOfRange)
    let unknown = String(repeating: "0", count: 32)
    #expect(try player.refusal(of: .block(TestPlayer.block(unknown))).code == .playerNotFound)
    let others = try (0..<11).map { try TestPlayer(port: server.port).hello("other \($0)").playerID }
    for other in others.prefix(10) { try player.expectOk(.block(TestPlayer.block(other))) }
    try player.expectOk(.block(TestPlayer.block(others[0])))
    #expect(try player.refusal(of: .block(TestPlayer.block(others[10]))).code == .tooManyBlocked)
    try player.expectOk(.unblock(TestPlayer.unblock(others[0])))
    try player.expectOk(.block(TestPlayer.block(others[10])))
  }

  @Test("The list of blocked players has their nicknames, also a changed one, and loses a deleted player")
  func list() throws {
    let server = try TestServer()
    let player = try server.player("player")
    let rude = try TestPlayer(port: server.port)
    let rudeID = try rude.hello("rude").playerID
    func blocked() throws -> [WireBlockedPlayer] {
      let answer = try player.request(.blockedPlayers(WireBlockedPlayersRequest()))
      guard case .blockedPlayers(let list) = answer else { throw TestFailure("no list: \(answer)") }
      return list.players
    }
    #expect(try blocked().isEmpty)
    try player.expectOk(.block(TestPlayer.block(rudeID)))
    #expect(try blocked().map(\.nickname) == ["rude"])
    var nickname = WireSetNickname()
    nickname.nickname = "polite"
    try rude.expectOk(.setNickname(nickname))
    #expect(try blocked().map(\.nickname) == ["polite"] && blocked().map(\.playerID) == [rudeID])
    try rude.expectOk(.deleteAccount(WireDeleteAccount()))
    #expect(try blocked().isEmpty)
  }
}
