// Compression over real sockets: a room's tick compressed once for all clients with compression, and the same tick for
// all others.
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct CompressionTests {
  private func player(
    _ server: TestServer,
    _ name: String,
    _ encoding: Subprotocol = .json,
    compresses: Bool
  ) throws -> TestPlayer {
    let player = try TestPlayer(port: server.port, subprotocol: encoding, compresses: compresses)
    _ = try player.hello(name)
    return player
  }

  /// The texts of one tick's chats.
  private func texts(_ player: TestPlayer, _ count: Int) throws -> [String] {
    var texts: [String] = []
    while texts.count < count { texts += try player.tick().events.map(\.chat.text).filter { !$0.isEmpty } }
    return texts
  }

  @Test(
    "A long tick is compressed once for all clients with compression, and all get the same",
    arguments: Subprotocol.allCases
  )
  func broadcast(_ encoding: Subprotocol) throws {
    let server = try TestServer(shards: 1)
    let host = try player(server, "host", encoding, compresses: true)
    let other = try player(server, "other", encoding, compresses: true)
    let plain = try player(server, "plain", encoding, compresses: false)
    #expect(host.compresses && other.compresses && !plain.compresses)
    let code = try host.createRoom { $0.capacity = 4 }.code
    _ = try other.joinRoom(code)
    _ = try plain.joinRoom(code)
    try server.passTick()
    // The player who came last has all of it in the room's state.
    for player in [host, other] { _ = try player.tick() }
    let before = [other.bytesIn, plain.bytesIn]
    let compressedBefore = server.report().play.rooms.compressedTicks
    let chats = (0..<5).map { String(repeating: "\($0)가나다", count: 25) }
    for chat in chats { try host.expectOk(.chat(TestPlayer.chat(chat))) }
    try server.passTick()
    for player in [host, other, plain] { #expect(try texts(player, 5) == chats) }
    #expect(server.report().play.rooms.compressedTicks == compressedBefore + 1)
    #expect(plain.bytesIn - before[1] > 1_024)
    #expect(other.bytesIn - before[0] < (plain.bytesIn - before[1]) / 2)
  }

  @Test("Short ticks, and all ticks of a server without compression, are sent uncompressed")
  func exceptions() throws {
    for (subprotocol, compresses, repeats) in [
      (Subprotocol.json, true, 1), (.proto, true, 10), (.json, false, 25), (.proto, false, 25),
    ] {
      let server = try TestServer(shards: 1) { $0.gateway.compresses = compresses }
      let host = try TestPlayer(port: server.port, subprotocol: subprotocol, compresses: true)
      _ = try host.hello("host")
      #expect(host.compresses == compresses)
      _ = try host.createRoom()
      try server.passTick()
      let compressedBefore = server.report().play.rooms.compressedTicks
      let chats = (0..<2).map { String(repeating: "\($0)가나다", count: repeats) }
      for chat in chats { try host.expectOk(.chat(TestPlayer.chat(chat))) }
      try server.passTick()
      #expect(try texts(host, 2) == chats)
      #expect(server.report().play.rooms.compressedTicks == compressedBefore)
    }
  }
}
