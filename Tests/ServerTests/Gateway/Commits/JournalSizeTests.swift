// The size of a room's journal: each input once, and states in proportion to that; nothing that the room refused.
import Game
import MadangProtocol
import Store
import TestSupport
import Testing

@Suite struct JournalSizeTests {
  /// One character of 1,599 bytes.
  private static let longText = "e" + String(repeating: "\u{301}", count: 799)

  /// This many long chats, in turn.
  private func chat(_ count: Int, _ server: TestServer, _ players: [TestPlayer]) throws {
    for number in 0..<count {
      if number % players.count == 0 { server.clock.advance(seconds: 1) }
      try players[number % players.count].expectOk(.chat(TestPlayer.chat(Self.longText)))
      // Ticks are read, so that nobody is behind.
      if number % 10 == 9 { for player in players { try player.pump() } }
    }
  }

  /// A game of ten seconds.
  private func play(_ server: TestServer, _ players: [TestPlayer], at latE7: Int32 = 375_432_109) throws {
    try players[0].expectOk(.startGame(WireStartGame()))
    try players[1].expectOk(.move(TestPlayer.move(latE7, 1_268_765_432)))
    for _ in 0..<11 {
      server.clock.advance(seconds: 1)
      _ = try server.report { $0.isCommitted }
      for player in players { try player.pump() }
    }
  }

  private func journal(_ store: any Store) throws -> [UInt8] {
    var journals: [[UInt8]] = []
    try store.liveRooms { journals.append($0.journal) }
    return try #require(journals.first)
  }

  /// The numbers of snapshots and of games' beginnings in a journal.
  private func states(_ journal: [UInt8]) throws -> (snapshots: Int, beginnings: Int) {
    var states = (snapshots: 0, beginnings: 0)
    var reader = JournalReader(journal)
    while let record = try reader.next() {
      switch record {
      case .snapshot: states.snapshots += 1
      case .beginning: states.beginnings += 1
      case .created, .input: break
      }
    }
    return states
  }

  private func holds(_ journal: [UInt8], _ pattern: [UInt8]) -> Bool {
    journal.indices.contains { journal[$0...].starts(with: pattern) }
  }

  @Test(
    "After several games and a crash a room is restored with chats and board, and every game can be replayed",
    arguments: TestStore.Kind.allCases
  )
  func games(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let server = try TestServer(store: kept.store)
    let host = try TestPlayer(port: server.port)
    let token = try host.hello("host").sessionToken
    let guest = try server.player("guest", .proto)
    _ = try guest.joinRoom(try host.createRoom { $0.durationS = 10 }.code)
    try chat(12, server, [host, guest])
    for number in 0..<3 {
      try play(server, [host, guest])
      if number < 2 { try host.expectOk(.playAgain(WirePlayAgain())) }
    }
    _ = try server.report { $0.isCommitted }
    #expect(try states(journal(kept.store)) == (0, 3))

    let again = try server.crash(downFor: 5)
    let back = try TestPlayer(port: again.port)
    let room = try back.resume(token).room
    #expect(room.phase == .ended && room.board.map(\.points) == [1, 0])
    #expect(room.chats.map(\.chat.text) == Array(repeating: Self.longText, count: 12))
    let games = try kept.store.games(newest: .max)
    #expect(games.count == 3)
    for game in games {
      let journal = try #require(try kept.store.journal(of: game.id))
      // It has the game, and none of the earlier chats.
      #expect(journal.count < 4_096 || game.id.number == 1)
      var replay = try GameReplay(game.id.number, in: journal)
      var effects = Effects()
      while try replay.next(into: &effects) != nil {}
      #expect(replay.result?.fingerprint == game.fingerprint)
    }
  }

  @Test("A start writes a snapshot after enough requests to pay for it, and recovery begins there")
  func snapshots() throws {
    let kept = try TestStore(.memory)
    let server = try TestServer(store: kept.store)
    let players = try (0..<4).map { try server.player("player \($0)", .proto) }
    let code = try players[0].createRoom { $0.durationS = 10 }.code
    for player in players.dropFirst() { _ = try player.joinRoom(code) }
    try chat(40, server, players)
    try play(server, players)
    #expect(try states(journal(kept.store)) == (0, 1))
    try players[0].expectOk(.playAgain(WirePlayAgain()))
    try chat(80, server, players)
    try play(server, players)
    let journal = try journal(kept.store)
    #expect(try states(journal) == (1, 0))
    #expect(try RoomRecovery(from: journal)?.room.chats.count == EventRules.chatTextBytesMax / 1_599)
    for game in try kept.store.games(newest: .max) {
      var replay = try GameReplay(game.id.number, in: try #require(try kept.store.journal(of: game.id)))
      var effects = Effects()
      while try replay.next(into: &effects) != nil {}
      #expect(replay.result?.fingerprint == game.fingerprint)
    }
  }

  @Test("The journal has nothing of a refused chat or of a refused join")
  func refused() throws {
    let kept = try TestStore(.memory)
    let server = try TestServer(store: kept.store)
    let host = try server.player("host")
    let guest = try server.player("guest", .proto)
    let code = try host.createRoom { $0.capacity = 2 }.code
    _ = try guest.joinRoom(code)
    for _ in 0..<5 { try guest.expectOk(.chat(TestPlayer.chat("said"))) }
    _ = try server.report { $0.isCommitted }
    let before = try journal(kept.store)
    #expect(holds(before, Array("said".utf8)))
    for _ in 0..<20 {
      #expect(try guest.refusal(of: .chat(TestPlayer.chat("unsaid"))).code == .rateLimited)
    }
    _ = try host.refusal(of: .chat(TestPlayer.chat(" ")))
    #expect(try server.player("stranger").refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomFull)
    _ = try server.report { $0.isCommitted }
    #expect(try journal(kept.store) == before)
  }

  @Test("The track of a player who left is erased with the account, even if the room no longer shows the player")
  func deleted() throws {
    let kept = try TestStore(.disk)
    let server = try TestServer(store: kept.store)
    let host = try server.player("host")
    let other = try server.player("other")
    let walker = try server.player("walker")
    let code = try host.createRoom { $0.durationS = 10 }.code
    for player in [walker, other] { _ = try player.joinRoom(code) }
    try play(server, [host, walker, other])
    try walker.expectOk(.leaveRoom(WireLeaveRoom()))
    try host.expectOk(.playAgain(WirePlayAgain()))
    for _ in 0..<5 {
      try chat(10, server, [host, other])
      try walker.pump()
    }
    try play(server, [host, other, walker], at: 375_532_109)
    try walker.pump()
    let way = withUnsafeBytes(of: Int32(375_432_109).littleEndian) { Array($0) }
    #expect(holds(try journal(kept.store), way))
    try host.expectOk(.playAgain(WirePlayAgain()))
    try walker.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    _ = try server.report { $0.isCommitted }
    #expect(try states(journal(kept.store)).snapshots == 1)
    #expect(!holds(try journal(kept.store), way))
    let recovered = try #require(try RoomRecovery(from: try journal(kept.store)))
    #expect(recovered.room.chats.count == 40)
    #expect(!recovered.room.members.contains { $0.nickname == "walker" })
  }
}
