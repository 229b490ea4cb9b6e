// Rooms' whole states for many players at once: equal except for each one's own part, in every encoding.
import MadangProtocol
import TestSupport
import Testing

@Suite struct SharedStatesTests {
  @Test("Players who return together share one encoded state, each with an own place", arguments: Subprotocol.allCases)
  func together(_ subprotocol: Subprotocol) throws {
    let server = try TestServer()
    var players: [TestPlayer] = []
    var tokens: [String] = []
    for number in 0..<8 {
      let player = try TestPlayer(port: server.port, subprotocol: subprotocol)
      tokens.append(try player.hello("player \(number)").sessionToken)
      players.append(player)
    }
    let room = try players[0].createRoom { $0.capacity = 8 }
    for player in players.dropFirst() { _ = try player.joinRoom(room.code) }
    // Long enough to be compressed for clients with compression.
    for _ in 0..<5 { try players[0].expectOk(.chat(TestPlayer.chat(String(repeating: "마당 ", count: 33)))) }
    try players[1].expectOk(.block(TestPlayer.block(room.players[0].playerID)))

    let back = try tokens.map { _ in try TestPlayer(port: server.port, subprotocol: subprotocol) }
    for (player, token) in zip(back, tokens) {
      try player.send(.resume(TestPlayer.resume(token, afterEvent: room.lastEvent)), id: 900)
    }
    for (seat, player) in back.enumerated() {
      let answer = try player.reply(to: 900)
      guard case .welcome(let welcome) = answer else { throw TestFailure("no welcome: \(answer)") }
      #expect(welcome.sessionToken == tokens[seat])
      #expect(welcome.room.you.seat == UInt32(seat))
      #expect(welcome.room.players.count == 8)
      #expect(welcome.room.code == room.code)
      #expect(welcome.room.chats.count == 5)
      // The player who has blocked the author gets nothing of theirs.
      #expect(welcome.room.chats.allSatisfy { $0.chat.withheld == (seat == 1) })
      #expect(welcome.events.first?.number == room.lastEvent + 1)
      #expect(welcome.events.last?.number == welcome.room.lastEvent)
    }
  }

  @Test("A request after one that requests a state is answered after the state")
  func order() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let room = try host.createRoom()
    let guest = try server.player("guest")
    try guest.send(.joinRoom(TestPlayer.join(room.code)), id: 900)
    try guest.send(.chat(TestPlayer.chat("안녕")), id: 901)
    let first = try guest.first { [900, 901].contains($0.replyTo) }
    #expect(first.replyTo == 900 && first.room.chats.isEmpty)
    guard case .ok = try guest.reply(to: 901) else { throw TestFailure("no ok behind") }
  }
}
