// The end in good order, on SIGTERM: nothing new begins, everybody is notified, games may end, and it is over within
// the grace.
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct DrainTests {
  private static let graceSeconds: Int64 = 30

  private func drain(_ server: TestServer) -> Box<ServerReport> {
    let box = Box<ServerReport>()
    server.server.drain { box.put($0) }
    // Every shard has begun.
    _ = server.report()
    return box
  }

  private func closing(_ player: TestPlayer) throws -> WireClosing {
    try player.first { if case .closing = $0.body { true } else { false } }.closing
  }

  /// A player in a running game of this length.
  private func playing(_ server: TestServer, seconds: UInt32) throws -> TestPlayer {
    let player = try server.player("player")
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = seconds
    }
    try player.expectOk(.startGame(WireStartGame()))
    return player
  }

  @Test("A draining server is not ready at once, refuses connections, and says so; its health is good")
  func refusesNew() throws {
    let server = try TestServer()
    let player = try playing(server, seconds: 60)
    #expect(try TestHTTP.get("/readyz", port: server.port).status == 200)
    let box = drain(server)
    #expect(try TestHTTP.get("/readyz", port: server.port).status == 503)
    #expect(try TestHTTP.get("/healthz", port: server.port).status == 200)
    let upgrade = String(decoding: TestPlayer.upgradeRequest(), as: UTF8.self)
    #expect(try TestHTTP.send(upgrade, port: server.port).status == 503)
    #expect(!box.isFull)
    _ = try closing(player)
  }

  @Test(
    "All players get the time to reconnect, early enough to keep their places; players outside of games are closed at once"
  )
  func spreadsReconnects() throws {
    let server = try TestServer()
    let inGame = try playing(server, seconds: 7_200)
    let idle = try (0..<50).map { try server.player("player \($0)") }
    let lobby = idle[0]
    _ = try lobby.createRoom()
    let box = drain(server)
    let delays = try idle.map { try closing($0).reconnectAfterMs }
    #expect(delays.allSatisfy { $0 < 20_000 }, "the grace time is longer")
    // Fifty draws from 20,000: fewer than 25 different ones are practically impossible.
    #expect(Set(delays).count > 25)
    for player in idle { #expect(try player.awaitEnd() == CloseCode.shuttingDown.rawValue) }
    #expect(try closing(inGame).reconnectAfterMs < 20_000)
    try inGame.expectOk(.chat(TestPlayer.chat("the game goes on")))
    #expect(inGame.closeCode == nil)
    #expect(!box.isFull)
  }

  @Test("A game that ends within the grace is played to its end, and then the server stops")
  func gameEnds() throws {
    let server = try TestServer()
    let player = try playing(server, seconds: 10)
    let box = drain(server)
    for _ in 0..<9 {
      try server.passSecond()
      try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    }
    #expect(player.closeCode == nil)
    server.clock.advance(seconds: 2)
    try server.passTick()
    _ = try player.event { $0.phase.phase == .ended }
    #expect(try player.awaitEnd() == CloseCode.shuttingDown.rawValue)
    // The client never answers the close frame: the server waits for it, but not for longer than the grace.
    for _ in 0..<Self.graceSeconds - 11 {
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    #expect(try server.end(box).play.rooms.tickFrames > 0)
  }

  @Test("A longer game is cut off just before the grace ends, and the server stops within it")
  func graceEnds() throws {
    let server = try TestServer()
    let player = try playing(server, seconds: 7_200)
    let box = drain(server)
    for _ in 0..<Self.graceSeconds - 3 {
      try server.passSecond()
      try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    }
    #expect(player.closeCode == nil)
    server.clock.advance(seconds: 2)
    #expect(try player.awaitEnd() == CloseCode.shuttingDown.rawValue)
    server.clock.advance(seconds: 1)
    #expect(try server.end(box).play.rooms.tickFrames > 0)
  }

  @Test("When all players have left the server stops without waiting for the grace")
  func everybodyLeaves() throws {
    let server = try TestServer()
    let players = try (0..<3).map { try server.player("player \($0)") }
    let box = drain(server)
    for player in players {
      #expect(try player.awaitEnd() == CloseCode.shuttingDown.rawValue)
      player.socket.reset()
    }
    _ = try server.report { $0.connections == 0 }
    #expect(try server.end(box).connections == 0)
  }

  @Test("Without a grace all connections are closed and the server stops")
  func noGrace() throws {
    let server = try TestServer { $0.gateway.graceSeconds = 0 }
    let player = try playing(server, seconds: 60)
    let box = drain(server)
    _ = try server.end(box)
    let message = try player.first { if case .closing = $0.body { true } else { false } }
    #expect(message.closing.reconnectAfterMs == 0)
    #expect(try player.awaitEnd() == CloseCode.shuttingDown.rawValue)
  }
}
