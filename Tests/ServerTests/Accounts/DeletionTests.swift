// The remains of a deleted player: nothing in any journal, over a crash too, in memory and on a disk.
import Dispatch
import Game
import MadangProtocol
import Net
import Store
import TestSupport
import Testing

@Suite struct DeletionTests {
  private static let name = "잊혀질이"
  private static let words = "잊어 주세요"
  private static let latitude: Int32 = 375_432_109

  /// The player's positions: places where nobody else goes, 7 m from one to the next.
  private static func place(_ number: Int32) -> WireMove {
    TestPlayer.move(latitude + number * 631, 1_268_765_432 - number)
  }

  /// The player's traces in a journal: names, words, and coordinates in the forms of fixes and states.
  private static func traces(in journal: [UInt8]) -> [String] {
    var patterns = [(name, Array(name.utf8)), (words, Array(words.utf8))]
    for number in Int32(0)..<12 {
      for coordinate in [place(number).latE7, place(number).lngE7] {
        patterns.append(("\(coordinate)", withUnsafeBytes(of: coordinate.littleEndian) { Array($0) }))
      }
    }
    return patterns.filter { _, bytes in
      journal.indices.contains { journal[$0...].starts(with: bytes) }
    }.map(\.0)
  }

  /// The player's traces in all journals of a store.
  private static func traces(in store: any Store) throws -> [String] {
    var traces: [String] = []
    try store.liveRooms { traces += Self.traces(in: $0.journal) }
    for game in try store.games(newest: .max) { traces += Self.traces(in: try store.journal(of: game.id) ?? []) }
    return traces
  }

  /// The fingerprint of a replayed game; nil when its journal is not kept.
  private static func fingerprint(ofReplayed game: GameRow, in store: any Store) throws -> UInt64? {
    guard let journal = try store.journal(of: game.id) else { return nil }
    var replay = try GameReplay(game.id.number, in: journal)
    var effects = Effects()
    while try replay.next(into: &effects) != nil {}
    return replay.result?.fingerprint
  }

  /// Plays a game of ten seconds, or begins one, in which some walk and each says something.
  private func play(_ server: TestServer, _ players: [TestPlayer], from first: Int32, toTheEnd: Bool = true) throws {
    try players[0].expectOk(.startGame(WireStartGame()))
    for step in first..<first + 3 {
      try server.passSecond()
      try players[players.count - 1].expectOk(.move(Self.place(step)))
    }
    guard toTheEnd else { return }
    for _ in 0..<10 {
      server.clock.advance(seconds: 1)
      _ = try server.report { $0.isCommitted }
      for player in players { try player.pump() }
    }
    try players[0].expectOk(.playAgain(WirePlayAgain()))
  }

  @Test(
    "After a deletion, a crash and a start no journal has a text or a position of the player",
    arguments: TestStore.Kind.allCases
  )
  func leavesNoTrace(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let server = try TestServer(store: kept.store)
    let host = try server.player("host")
    let guest = try server.player("guest", .proto)
    let player = try TestPlayer(port: server.port, named: Self.name)
    let code = try host.createRoom { $0.durationS = 10 }.code
    _ = try guest.joinRoom(code)
    _ = try player.joinRoom(code)
    try player.expectOk(.chat(TestPlayer.chat(Self.words)))
    // A game of theirs, then one of the others, which they watch while their phone still sends positions, and a running
    // one.
    try play(server, [host, guest, player], from: 0)
    try player.expectOk(.leaveRoom(WireLeaveRoom()))
    try host.expectOk(.startGame(WireStartGame()))
    #expect(try player.joinRoom(code).you.place == .spectator(0))
    #expect(try player.refusal(of: .move(Self.place(4))).code == .seatNeeded)
    for _ in 0..<11 { try server.pass(seconds: 1, host, guest, player) }
    try host.expectOk(.playAgain(WirePlayAgain()))
    try player.expectOk(.move(Self.place(5)))
    try play(server, [host, guest, player], from: 6, toTheEnd: false)
    _ = try server.report { $0.isCommitted }
    #expect(try Self.traces(in: kept.store).contains(Self.words))
    #expect(try Self.traces(in: kept.store).contains("\(Self.place(6).latE7)"))

    try player.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    let again = try server.crash()
    _ = try again.report { $0.isCommitted }
    #expect(try Self.traces(in: kept.store) == [])
    // The game of the others can still be replayed, theirs can't.
    let games = try kept.store.games(newest: 2)
    #expect(games.map(\.id.number) == [2, 1])
    #expect(try Self.fingerprint(ofReplayed: games[0], in: kept.store) == games[0].fingerprint)
    #expect(try Self.fingerprint(ofReplayed: games[1], in: kept.store) == nil)
  }

  @Test("A player who was refused a place leaves nothing in the room's journal")
  func refusedJoin() throws {
    let kept = try TestStore(.memory)
    let server = try TestServer(store: kept.store)
    let host = try server.player("host")
    let guest = try server.player("guest")
    let player = try TestPlayer(port: server.port, named: Self.name)
    let code = try host.createRoom { $0.capacity = 2 }.code
    _ = try guest.joinRoom(code)
    #expect(try player.refusal(of: .joinRoom(TestPlayer.join(code))).code == .roomFull)
    _ = try server.report { $0.isCommitted }
    #expect(try Self.traces(in: kept.store) == [])
  }

  @Test(
    "At the next start the data of a player unknown to the store is erased from restored rooms",
    arguments: TestStore.Kind.allCases
  )
  func strangers(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let server = try TestServer(store: kept.store)
    let host = try TestPlayer(port: server.port)
    let token = try host.hello("host").sessionToken
    let player = try TestPlayer(port: server.port)
    let id = try player.hello(Self.name).playerID
    let code = try host.createRoom { $0.durationS = 600 }.code
    _ = try player.joinRoom(code)
    try play(server, [host, player], from: 0, toTheEnd: false)
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    // The state after a crash between the two.
    kept.forget(try #require(PlayerID(id)), at: server.clock)
    Self.erase(try #require(PlayerID(id)), in: kept.store)
    try player.expectOk(.chat(TestPlayer.chat(Self.words)))
    #expect(try !Self.traces(in: kept.store).isEmpty)

    let again = try server.crash()
    _ = try again.report { $0.isCommitted }
    #expect(try Self.traces(in: kept.store) == [])
    let back = try TestPlayer(port: again.port)
    let room = try back.resume(token).room
    #expect(room.players.map(\.nickname) == ["host", "…"])
    #expect(room.chats.map(\.chat.text) == ["…"])
    #expect(room.seats == [0])
    // The next crash brings none of it back.
    #expect(try again.crash().report().rooms == 1)
    #expect(try Self.traces(in: kept.store) == [])
  }

  /// A living room that does not show a former visitor any more: the other player's later chats have taken the place.
  private func leaveBehind(_ visitor: PlayerID, _ other: PlayerID, at start: Instant) throws -> (Batch, end: Instant) {
    let id = RoomID(1)
    var now = start
    let configuration = try RoomConfiguration(duration: .seconds(10))
    var room = Room(configuration, seed: 1, at: now)
    var journal = JournalWriter()
    var effects = Effects()
    journal.create(configuration, seed: 1, at: now)
    func apply(_ input: Input, from player: PlayerID? = nil) {
      now = now + .seconds(1)
      journal.append(input, from: player, at: now)
      room.apply(input, at: now, into: &effects)
    }
    apply(.join(other, nickname: "other"), from: other)
    apply(.join(visitor, nickname: Self.name), from: visitor)
    apply(.chat(.seat(1), text: Self.words), from: visitor)
    apply(.leave(.seat(1)), from: visitor)
    // One character of many bytes, so that the room keeps few of them.
    let long = String(repeating: "👨‍👩‍👧‍👦", count: 60)
    for _ in 0..<100 {
      apply(.chat(.seat(0), text: long), from: other)
      apply(.tick(through: .max))
    }
    #expect(room.shows(other) && !room.shows(visitor))
    var segment = Segment()
    segment.append(id) { journal.take(into: &$0) }
    let hellos = [visitor, other].map { player in
      let digest = [UInt8](repeating: UInt8(truncatingIfNeeded: player.value), count: 32)
      let session = NewSession(digest: digest, connection: 0, expiresAt: start + .seconds(30 * 86_400))
      let hello = HelloChange(
        device: digest,
        newPlayer: player,
        nickname: "\(player)",
        session: session,
        at: start
      )
      return Change.session(.hello(hello))
    }
    let opening = Change.room(.open(RoomRow(id: id, code: 1, openedAt: start)))
    let changes = hellos + [opening, .room(.addPresence(visitor, id)), .room(.addPresence(other, id))]
    return (Batch(at: now, segments: [segment], changes: changes), now)
  }

  @Test(
    "After the next start a room's journal has nothing of a deleted player who is no longer shown",
    arguments: TestStore.Kind.allCases,
    [true, false]
  )
  func visitors(kind: TestStore.Kind, isDeleted: Bool) throws {
    let kept = try TestStore(kind)
    let (visitor, other) = (PlayerID(1), PlayerID(2))
    let (batch, end) = try leaveBehind(visitor, other, at: Instant(milliseconds: 1_790_000_000_000))
    kept.commit(batch)
    if isDeleted { kept.commit(Batch(at: end, changes: [.deletion(.finish(visitor, at: end))])) }
    func shownPlayers() throws -> Set<PlayerID> {
      var players: Set<PlayerID> = []
      try kept.store.liveRooms { players.formUnion(try RoomRecovery(from: $0.journal)?.visitors ?? []) }
      return players
    }
    #expect(try shownPlayers() == Set([visitor, other]))
    let server = try TestServer(store: kept.store, clock: ManualClock(Timestamp(milliseconds: end.milliseconds + 1)))
    _ = try server.report { $0.isCommitted }
    // A guest who only came by is no unknown player.
    let deleted: Set<PlayerID> = isDeleted ? [visitor] : []
    #expect(try shownPlayers() == Set([visitor, other]).subtracting(deleted))
    #expect(try kept.store.unknownPlayers(among: [visitor, other]) == Array(deleted))
  }

  /// Waits until a player is erased from the store.
  private static func erase(_ player: PlayerID, in store: any Store) {
    let done = DispatchSemaphore(value: 0)
    store.erase(player) { _ in done.signal() }
    done.wait()
  }

  @Test("A deletion is answered when everything is erased; until then the device is already unknown")
  func answeredWhenErased() throws {
    let store = StubbornStore()
    let server = try TestServer(store: store)
    let secret = "the secret of a phone"
    let player = try TestPlayer(port: server.port)
    let welcome = try player.hello(Self.name, secret: secret)
    _ = try player.createRoom()
    try player.expectOk(.chat(TestPlayer.chat(Self.words)))
    store.holdErasures()
    try player.send(.deleteAccount(TestPlayer.deleteAccount()), id: 800)
    _ = try server.report { _ in store.heldErasureCount == 1 }
    let back = try TestPlayer(port: server.port)
    var resume = WireResume()
    resume.sessionToken = welcome.sessionToken
    #expect(try back.refusal(of: .resume(resume)).code == .badToken)
    #expect(try back.hello(Self.name, secret: secret).playerID != welcome.playerID)
    try player.pump()
    #expect(player.inbox.allSatisfy { !$0.hasReplyTo } && player.closeCode == nil)
    store.releaseErasures()
    guard case .ok = try player.reply(to: 800) else { throw TestFailure("not deleted") }
    #expect(try player.awaitEnd() == 1_000)
    #expect(try Self.traces(in: store) == [])
  }

  @Test(
    "A deletion is finished even if nobody waits for it, because the connection or the server has gone",
    arguments: [true, false]
  )
  func finishedByItself(crashes: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(store: store)
    let host = try server.player("host")
    var player: TestPlayer? = try TestPlayer(port: server.port, named: Self.name)
    _ = try player?.joinRoom(try host.createRoom().code)
    try player?.expectOk(.chat(TestPlayer.chat(Self.words)))
    store.holdErasures()
    try player?.send(.deleteAccount(TestPlayer.deleteAccount()), id: 800)
    _ = try server.report { _ in store.heldErasureCount == 1 }
    player = nil
    if crashes {
      store.forgetErasures()
      let runs = store.maintenanceCount
      let again = try server.crash()
      // The start begins with maintenance.
      _ = try again.report { $0.isCommitted && store.maintenanceCount > runs }
      _ = again.report()
      #expect(try Self.traces(in: store) == [])
    } else {
      store.releaseErasures()
      _ = try server.report { $0.isCommitted }
      #expect(try Self.traces(in: store) == [])
    }
  }

  @Test(
    "A deletion gets an error if its erasure fails or takes over a minute, and maintenance continues it",
    arguments: [true, false]
  )
  func notErased(isDamaged: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(store: store)
    let player = try TestPlayer(port: server.port)
    let token = try player.hello(Self.name).sessionToken
    _ = try player.createRoom()
    try player.expectOk(.chat(TestPlayer.chat(Self.words)))
    store.holdErasures()
    try player.send(.deleteAccount(TestPlayer.deleteAccount()), id: 800)
    _ = try server.report { _ in store.heldErasureCount == 1 }
    if isDamaged { store.failErasures(with: .corrupt("a page")) } else { server.clock.advance(seconds: 61) }
    guard case .error(let error) = try player.reply(to: 800) else { throw TestFailure("deleted") }
    #expect(error.code == .storeUnavailable && !error.hasRetryAfterMs)
    #expect(try player.awaitEnd() == 1_000)
    #expect(try TestPlayer(port: server.port).refusal(of: .resume(TestPlayer.resume(token))).code == .badToken)
    // A later erasure is reported to nobody.
    store.releaseErasures()
    let runs = store.maintenanceCount
    while store.maintenanceCount < runs + 2 {
      server.clock.advance(seconds: 1)
      _ = server.report()
    }
    #expect(try Self.traces(in: store) == [])
  }

  @Test(
    "Nobody can log in as a player who is being deleted: their device is unknown",
    arguments: [1, 2],
    [true, false]
  )
  func comesBackMeanwhile(shards: Int, isBefore: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(shards: shards, store: store)
    let secret = "the secret of a phone"
    let player = try TestPlayer(port: server.port)
    let id = try player.hello(Self.name, secret: secret).playerID
    _ = try player.createRoom()
    let messagesBefore = server.report().net.messagesIn
    let back = try TestPlayer(port: server.port)
    let asks = [
      { try player.send(.deleteAccount(TestPlayer.deleteAccount()), id: 800) },
      { try back.send(.hello(TestPlayer.hello(Self.name, secret: secret)), id: 1) },
    ]
    store.hold()
    for (number, ask) in (isBefore ? asks.reversed() : asks).enumerated() {
      try ask()
      _ = try server.report { $0.net.messagesIn == messagesBefore + number + 1 }
    }
    store.release()
    guard case .ok = try player.reply(to: 800) else { throw TestFailure("not deleted") }
    #expect(try player.awaitEnd() == 1_000)
    if isBefore {
      // The store has admitted them, and the server has not.
      #expect(try back.awaitEnd() == CloseCode.badToken.rawValue)
      #expect(back.inbox.isEmpty)
      let stranger = try TestPlayer(port: server.port)
      #expect(try stranger.hello(Self.name, secret: secret).playerID != id)
    } else {
      guard case .welcome(let welcome) = try back.reply(to: 1) else { throw TestFailure("no welcome") }
      #expect(welcome.playerID != id)
    }
  }
}
