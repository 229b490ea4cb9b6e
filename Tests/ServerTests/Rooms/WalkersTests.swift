// Practice opponents over real sockets: a room's settings, who sees them, what a game with them leaves, and a crash.
import MadangProtocol
import TestSupport
import Testing

@Suite struct WalkersTests {
  /// A room of one player with practice opponents, whose game has begun.
  private static func begin(_ player: TestPlayer, durationS: UInt32 = 12) throws -> WireRoom {
    let room = try player.createRoom {
      $0.durationS = durationS
      $0.fill = 2
      $0.fillStrength = .hard
    }
    try player.expectOk(.startGame(WireStartGame()))
    try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    return room
  }

  @Test("One alone has a game at once: practice opponents are told as such, and move", arguments: Subprotocol.allCases)
  func alone(_ subprotocol: Subprotocol) throws {
    let server = try TestServer()
    let player = try server.player("가람", subprotocol)
    let room = try Self.begin(player)
    #expect(room.fill == 2 && room.fillStrength == .hard)
    #expect(room.players.count == 1)
    try server.pass(seconds: 3, player)
    let joined = player.takeEvents().map(\.joined).filter(\.walker)
    #expect(joined.map(\.seat) == [1, 2])
    #expect(joined.map(\.nickname) == ["Practice 1", "Practice 2"])
    #expect(joined.allSatisfy { $0.walker && $0.playerID.isEmpty })
    // A watcher is told of them with the room's state.
    let watcher = try server.player("나래")
    let seen = try watcher.joinRoom(room.code)
    #expect(seen.players.map(\.walker) == [false, true, true, false])
    #expect(seen.seats == [0, 1, 2] && seen.points.allSatisfy { $0 > 0 })
  }

  @Test("A game of one against practice opponents has no winner, and is neither a record nor worth a badge")
  func practice() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    _ = try Self.begin(player)
    try server.pass(seconds: 12, player)
    try server.passTick()
    try server.passTick()
    let board = try player.event { $0.phase.phase == .ended }.phase.board
    #expect(board.count == 3)
    let walkers = board.filter(\.walker)
    #expect(walkers.count == 2)
    #expect(walkers.allSatisfy { $0.playerID.isEmpty && $0.rank == 0 && !$0.won && $0.points > 1 })
    #expect(board.filter { !$0.walker }.map(\.rank) == [1])
    #expect(board.allSatisfy { !$0.won })
    let results = try player.results().results
    #expect(results.count == 1 && results[0].completed && !results[0].won)
    let records = try player.records()
    #expect(records.total.count == 0 && records.badges.isEmpty && records.days.allSatisfy { $0.count == 0 })
    // Back in the lobby they are gone.
    try player.expectOk(.playAgain(WirePlayAgain()))
    try server.passTick()
    #expect(try player.event { $0.left.seat == 2 }.number > 0)
  }

  @Test("After a crash practice opponents are where they would have been, and the game ends alike", arguments: [1, 2])
  func crash(shards: Int) throws {
    let server = try TestServer(shards: shards)
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    _ = try Self.begin(player, durationS: 20)
    try server.pass(seconds: 6, player)
    // The answer tells that all before it is committed.
    try player.expectOk(.chat(TestPlayer.chat("여기요")))
    let again = try server.crash(downFor: 300)
    let back = try TestPlayer(port: again.port)
    let room = try back.resume(token).room
    #expect(room.players.map(\.walker) == [false, true, true])
    #expect(room.seats == [0, 1, 2] && room.phase == .playing)
    #expect((6_000...7_000).contains(room.gameMs) && room.points[1] > 1)
    _ = try back.tell([])
    try again.pass(seconds: 15, back)
    try again.passTick()
    let board = try back.event { $0.phase.phase == .ended }.phase.board
    #expect(board.map(\.walker).count { $0 } == 2)
    #expect(board.filter(\.walker).allSatisfy { $0.points > 4 })
  }

  @Test("Too many practice opponents, an unknown strength, and any in a solo room are refused")
  func refusals() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    func refusal(_ configure: (inout WireCreateRoom) -> Void) throws -> String {
      var create = WireCreateRoom()
      configure(&create)
      let error = try player.refusal(of: .createRoom(create))
      #expect(error.code == .outOfRange)
      return error.message
    }
    #expect(try refusal { $0.fill = 11 } == "fill: 0 to 10")
    #expect(try refusal { $0.fillStrength = .UNRECOGNIZED(4) } == "fillStrength: EASY, EVEN, HARD")
    #expect(try refusal { $0.fillStrength = .hard } == "fillStrength: only with fill")
    let alone = try refusal {
      $0.solo = true
      $0.fill = 1
    }
    #expect(alone == "fill: not in a solo room")
    // None at all, of any strength, is a choice that forms offer.
    let none = try server.player("나래").createRoom {
      $0.fill = 0
      $0.fillStrength = .hard
    }
    #expect(none.fill == 0 && none.fillStrength == .unspecified)
    let room = try player.createRoom { $0.fill = 10 }
    #expect(room.fillStrength == .even)
  }

  @Test("Nobody can be asked about as a practice opponent")
  func unnamed() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    _ = try Self.begin(player)
    #expect(try player.refusal(of: .block(TestPlayer.block(""))).code == .outOfRange)
    let disguised = String(repeating: "f", count: 31) + "e"
    #expect(try player.refusal(of: .block(TestPlayer.block(disguised))).code == .playerNotFound)
  }
}
