// Chats after a restart. They have no table: texts and read cursors are in the journal of their room, blocked players
// in the rows of those who blocked them.
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct ChatRecoveryTests {
  /// Ends the server with a kill, so that rooms are recovered from their inputs, or in good order, from a snapshot.
  private func restart(_ server: TestServer, inGoodOrder: Bool) throws -> TestServer {
    guard inGoodOrder else { return try server.crash() }
    let box = Box<ServerReport>()
    server.server.drain { box.put($0) }
    _ = try server.end(box)
    return try TestServer(store: server.store, clock: server.clock)
  }

  @Test(
    "Chats have the same texts, authors and numbers, and read cursors their places, after a kill and after a clean end",
    arguments: [false, true]
  )
  func chatsAndCursors(inGoodOrder: Bool) throws {
    let server = try TestServer { $0.gateway.graceSeconds = 0 }
    let host = try TestPlayer(port: server.port)
    let token = try host.hello("가람").sessionToken
    let guest = try server.player("나래", .proto)
    _ = try guest.joinRoom(try host.createRoom().code)
    try host.expectOk(.chat(TestPlayer.chat("어디야?")))
    try guest.expectOk(.chat(TestPlayer.chat("다 왔어 👋 \"q\"")))
    try server.passTick()
    var chats: [WireEvent] = []
    while chats.count < 2 { chats += try host.tick().events.filter { $0.body.isChat } }
    var read = WireReadChat()
    read.upTo = chats[0].number
    try guest.expectOk(.readChat(read))
    let again = try restart(server, inGoodOrder: inGoodOrder)
    let back = try TestPlayer(port: again.port)
    let room = try back.resume(token).room
    #expect(room.chats == chats)
    #expect(room.chats.map(\.chat.text) == ["어디야?", "다 왔어 👋 \"q\""] && room.chats.map(\.chat.seat) == [0, 1])
    #expect(room.players.map(\.readUpTo) == [0, chats[0].number])
    // A later chat has a number of its own.
    try back.expectOk(.chat(TestPlayer.chat("응")))
    try again.passTick()
    #expect(try back.event { $0.body.isChat }.number > chats[1].number)
  }

  @Test(
    "A blocked player's chats stay without their text, after a kill and after a clean end",
    arguments: [false, true]
  )
  func blocked(inGoodOrder: Bool) throws {
    let server = try TestServer { $0.gateway.graceSeconds = 0 }
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
    let again = try restart(server, inGoodOrder: inGoodOrder)
    let back = try TestPlayer(port: again.port)
    let welcome = try back.resume(token, afterEvent: 0)
    #expect(welcome.player.blocked == [rudeID])
    #expect(welcome.room.chats.map(\.chat.text) == ["", "안녕"])
    #expect(welcome.events.filter { $0.body.isChat }.map(\.chat.withheld) == [true, false])
  }
}
