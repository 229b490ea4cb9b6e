// Moves of a loaded shard's fast rooms over real sockets: they are read right before a tick, which has them all.
import Game
import MadangProtocol
import TestSupport
import Testing

@Suite("Moves that are read right before a tick")
struct ReadsAtTicksTests {
  /// A running game of a shard that coalesces its reads once a frame has left with a tick, whose players move at the
  /// pace of its ticks.
  private struct Game {
    let server: TestServer
    let players: [TestPlayer]
    let welcomes: [WireWelcome]
    let code: String
    private(set) var steps: Int32 = 0

    private static let latE7: Int32 = 375_665_000
    static let lngE7: Int32 = 1_269_780_000
    /// A third of a metre.
    private static let stepE7: Int32 = 30

    init(players count: Int, tickHz: UInt32) throws {
      let server = try TestServer(shards: 1) { $0.netLimits.coalescingDeliveriesPerSecond = 1 }
      self.server = server
      players = try (0..<count).map {
        try TestPlayer(port: server.port, subprotocol: $0 % 2 == 0 ? .json : .proto)
      }
      welcomes = try players.enumerated().map { try $1.hello("player \($0)") }
      code = try players[0].createRoom { $0.tickHz = tickHz }.code
      for player in players.dropFirst() { _ = try player.joinRoom(code) }
      try players[0].expectOk(.startGame(WireStartGame()))
      // At 9 Hz the first tick is due behind more than one at 10 Hz.
      for _ in 0..<2 { try server.passTick() }
      for player in players { _ = try player.event { $0.phase.phase == .playing } }
      // Their pace is known from the second step on, and a tick is set for the fourth.
      for _ in 0..<4 {
        try move()
        try server.passTick()
        _ = server.report()
      }
      // A slower room's tick for the last step is still to come.
      if tickHz < 10 { try server.passTick() }
      for player in players { while try player.tick().latE7.last != Self.latitude(of: steps) {} }
    }

    /// Everybody moves. Returns the number of messages that the server has read by then.
    @discardableResult
    mutating func move() throws -> Int {
      steps += 1
      for player in players { try player.send(.move(TestPlayer.move(Self.latitude(of: steps), Self.lngE7))) }
      // A report comes before the sockets of its turn, and the first turn may have begun before the moves came.
      for _ in 0..<2 { _ = server.report() }
      return server.report().net.messagesIn
    }

    static func latitude(of step: Int32) -> Int32 { latE7 + step * stepE7 }
  }

  @Test("They wait for the tick, which has the newest position of each player")
  func waiting() throws {
    var game = try Game(players: 3, tickHz: 10)
    for _ in 0..<5 {
      let before = game.server.report().net.messagesIn
      #expect(try game.move() == before)
      try game.server.passTick()
      for player in game.players {
        let tick = try player.tick()
        #expect(tick.seats == [0, 1, 2])
        #expect(tick.latE7 == Array(repeating: Game.latitude(of: game.steps), count: 3))
      }
      #expect(game.server.report().net.messagesIn == before + 3)
    }
  }

  @Test("In a slower room they are read at once")
  func slowRoom() throws {
    var game = try Game(players: 2, tickHz: 9)
    let before = game.server.report().net.messagesIn
    _ = try game.move()
    _ = try game.server.report { $0.net.messagesIn == before + 2 }
  }

  @Test("A request behind a move that waits is answered at once, and the move is read before it")
  func requests() throws {
    var game = try Game(players: 2, tickHz: 10)
    let before = try game.move()
    // No time passes, so the answer can't have waited for a tick.
    _ = try game.players[0].request(.time(WireTimeRequest()))
    #expect(game.server.report().net.messagesIn == before + 2)
  }

  @Test("They are answered when their room closes before its tick")
  func closed() throws {
    var game = try Game(players: 2, tickHz: 10)
    let before = try game.move()
    #expect(game.server.perform(.closeRoom(try game.server.roomID(game.code))).isDone)
    _ = try game.server.report { $0.net.messagesIn == before + 2 }
    for player in game.players { _ = try player.first { if case .roomClosed = $0.body { true } else { false } } }
  }

  @Test("A kicked player's move that waits does not count, and the others' do")
  func kicked() throws {
    var game = try Game(players: 3, tickHz: 10)
    try game.move()
    #expect(game.server.perform(.kick(try #require(PlayerID(game.welcomes[1].playerID)))).isDone)
    #expect(try game.players[1].awaitEnd() == CloseCode.removed.rawValue)
    try game.server.passTick()
    for player in [game.players[0], game.players[2]] {
      let tick = try player.tick()
      #expect(tick.seats == [0, 2])
      #expect(tick.latE7 == [Game.latitude(of: game.steps), Game.latitude(of: game.steps)])
    }
  }

  @Test("The move of a connection that a newer one of the same player replaces does not count, and the newer one's do")
  func replaced() throws {
    var game = try Game(players: 2, tickHz: 10)
    try game.move()
    let newer = try TestPlayer(port: game.server.port)
    #expect(try newer.resume(game.welcomes[1].sessionToken).room.you.seat == 1)
    #expect(try game.players[1].awaitEnd() == CloseCode.replaced.rawValue)
    try game.server.passTick()
    var tick = try game.players[0].tick()
    #expect(tick.seats == [0])
    try newer.expectOk(.move(TestPlayer.move(Game.latitude(of: game.steps), Game.lngE7)))
    try game.server.passTick()
    tick = try game.players[0].tick()
    #expect(tick.seats == [1] && tick.latE7 == [Game.latitude(of: game.steps)])
  }

  @Test("Players leave by messages that have waited for a tick, and get none")
  func left() throws {
    var game = try Game(players: 2, tickHz: 10)
    let before = try game.move()
    try game.server.passTick()
    _ = try game.server.report { $0.net.messagesIn == before + 2 }
    for player in game.players {
      #expect(try player.tick().latE7.last == Game.latitude(of: game.steps))
      try player.send(.leaveRoom(WireLeaveRoom()), id: 77)
    }
    for _ in 0..<3 { #expect(game.server.report().net.messagesIn == before + 2) }
    try game.server.passTick()
    for player in game.players {
      guard case .ok = try player.reply(to: 77) else { throw TestFailure("the player has not left") }
    }
    try game.server.passTick()
    for player in game.players {
      #expect(try player.refusal(of: .chat(TestPlayer.chat("still here?"))).code == .notInRoom)
      #expect(player.takeTick() == nil)
    }
    #expect(try game.players[0].joinRoom(game.code).code == game.code)
  }
}
