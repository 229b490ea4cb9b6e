// Operators' actions on a player who is just coming, moving or going, and while the store is slow or fails.
import Game
import MadangProtocol
import Net
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct OperatorRacesTests {
  private let secret = "the secret of a phone"

  // Coming.

  @Test("A player banned during a login does not stay", arguments: [true, false])
  func banDuringHello(isSameCommit: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 2, store: store)
    let known = try TestPlayer(port: server.port)
    let id = try known.helloID("가람", secret: secret)
    let busy = try server.player("나래")
    _ = try busy.createRoom()
    store.hold()
    if isSameCommit {
      // One commit is under way; everything that comes now waits for the next.
      try busy.send(.chat(TestPlayer.chat("먼저")))
      while store.heldCount < 1 { _ = server.report() }
    }
    let back = try TestPlayer(port: server.port)
    let read = server.report().net.messagesIn
    try back.send(.hello(TestPlayer.hello("가람", secret: secret)), id: 700)
    _ = try server.report { $0.net.messagesIn == read + 1 }
    let outcome = server.begin(.ban(id, for: nil, reason: ""))
    // It is in its shard's journal, and handed on at the turn's end.
    for shard in server.server.shards { server.waitForMailbox(on: shard) }
    store.release()
    #expect(outcome.take().isDone)
    #expect(try back.awaitEnd() == CloseCode.removed.rawValue)
    let again = try TestPlayer(port: server.port)
    #expect(try again.refusal(of: .hello(TestPlayer.hello("가람", secret: secret))).code == .banned)
  }

  @Test("A player muted during a login is muted", arguments: [true, false])
  func muteDuringHello(isBefore: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 2, store: store)
    let known = try TestPlayer(port: server.port)
    let id = try known.helloID("가람", secret: secret)
    store.hold()
    let back = try TestPlayer(port: server.port)
    let read = server.report().net.messagesIn
    func hello() throws {
      try back.send(.hello(TestPlayer.hello("가람", secret: secret)), id: 700)
      _ = try server.report { $0.net.messagesIn == read + 1 }
    }
    if isBefore { try hello() }
    let outcome = server.begin(.mute(id, for: nil, reason: ""))
    for shard in server.server.shards { server.waitForMailbox(on: shard) }
    if !isBefore { try hello() }
    store.release()
    #expect(outcome.take().isDone)
    guard case .welcome = try back.reply(to: 700) else { throw TestFailure("no welcome") }
    _ = try back.createRoom()
    #expect(try back.refusal(of: .chat(TestPlayer.chat("안녕"))).code == .muted)
  }

  // Moving.

  /// A server of two shards: a host with a room on the second, and a player without a room on the first.
  private struct Pair {
    let server: TestServer
    let host: TestPlayer
    let player: TestPlayer
    let id: PlayerID
    let code: String
    let notified = Box<Bool>()

    init(
      store: any Store = MemoryStore(),
      toldOf action: @escaping @Sendable (PerformedAction) -> Bool = { _ in false }
    )
      throws
    {
      let notified = notified
      server = try TestServer(shards: 2, store: store) {
        $0.notifyOperator = { if case .operatorActed(let done) = $0, action(done) { notified.put(true) } }
      }
      var players: [(player: TestPlayer, id: PlayerID, code: String)] = []
      for _ in 0..<2 {
        let player = try TestPlayer(port: server.port)
        players.append((player, try player.helloID("가람"), try player.createRoom().code))
      }
      // Connections go to the shards in turn.
      if try server.shard(of: players[0].code).index == 1 { players.reverse() }
      #expect(try server.shard(of: players[1].code).index == 1)
      (player, id) = (players[0].player, players[0].id)
      (host, code) = (players[1].player, players[1].code)
      try player.expectOk(.leaveRoom(WireLeaveRoom()))
    }

    var shards: [Shard] { server.server.shards }

    /// Sends the player to the room; returns when the first shard has sent them on.
    func join() throws {
      let count = server.messages(on: shards[0])
      try player.send(.joinRoom(TestPlayer.join(code)), id: 700)
      server.await(messages: count + 1, on: shards[0])
    }

    func expectRemoved() throws {
      #expect(try player.awaitEnd() == CloseCode.removed.rawValue)
      player.socket.reset()
      _ = try server.report { $0.connections == 1 }
    }
  }

  @Test("A player kicked during a handoff does not arrive")
  func kickWhileMoving() throws {
    let pair = try Pair()
    let pause = ShardPause(pair.shards[1])
    try pair.join()
    #expect(pair.server.perform(.kick(pair.id)).isDone)
    pause.end()
    try pair.expectRemoved()
    #expect(pair.player.inbox.isEmpty)
    try pair.server.passTick()
    _ = try pair.host.request(.time(WireTimeRequest()))
    #expect(!pair.host.takeEvents().contains { $0.joined.playerID == pair.id.description })
    #expect(try pair.server.audit().map(\.room) == [nil])
  }

  @Test("A player banned during a handoff does not stay")
  func banWhileMoving() throws {
    let pair = try Pair { if case .banned = $0 { true } else { false } }
    let pause = ShardPause(pair.shards[1])
    let outcome = pair.server.begin(.ban(pair.id, for: nil, reason: ""))
    // The walk through the shards has left the first, and waits for the second: it can't meet the player any more.
    _ = pair.notified.take()
    for _ in 0..<2 { pair.server.waitForMailbox(on: pair.shards[0]) }
    try pair.join()
    pause.end()
    #expect(outcome.take().isDone)
    try pair.expectRemoved()
  }

  @Test("A player muted during a handoff arrives muted")
  func muteWhileMoving() throws {
    let pair = try Pair { if case .muted = $0 { true } else { false } }
    let pause = ShardPause(pair.shards[1])
    let outcome = pair.server.begin(.mute(pair.id, for: nil, reason: ""))
    _ = pair.notified.take()
    for _ in 0..<2 { pair.server.waitForMailbox(on: pair.shards[0]) }
    try pair.join()
    pause.end()
    #expect(outcome.take().isDone)
    guard case .room = try pair.player.reply(to: 700) else { throw TestFailure("not let in") }
    #expect(try pair.player.refusal(of: .chat(TestPlayer.chat("안녕"))).code == .muted)
    #expect(pair.server.perform(.unmute(pair.id)).isDone)
    try pair.player.expectOk(.chat(TestPlayer.chat("안녕")))
  }

  @Test("An announcement reaches a player once, before the handoff or during it")
  func announceWhileMoving() throws {
    for joinsBefore in [true, false] {
      let pair = try Pair()
      let pause = ShardPause(pair.shards[1])
      if !joinsBefore { try pair.join() }
      #expect(pair.server.perform(.announce("점검", in: nil)).isDone)
      if joinsBefore { try pair.join() }
      pause.end()
      guard case .room = try pair.player.reply(to: 700) else { throw TestFailure("not let in") }
      for player in [pair.player, pair.host] { #expect(try player.announcementCount() == 1, "\(joinsBefore)") }
    }
  }

  @Test("An announcement reaches a player once who moves from a shard without it to one with it")
  func announceAfterMove() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 2, store: store)
    var players = try (0..<2).map { _ in try server.player("가람") }
    let codes = try players.map { try $0.createRoom().code }
    if try server.shard(of: codes[0]).index == 1 { players.reverse() }
    let code = try #require(try codes.first { try server.shard(of: $0).index == 0 })
    let (mover, shards) = (players[1], server.server.shards)
    store.hold()
    let count = server.messages(on: shards[1])
    // The move to the other shard begins when the first request can be answered.
    try mover.send(.leaveRoom(WireLeaveRoom()), id: 699)
    while store.heldCount == 0 { _ = server.report() }
    try mover.send(.joinRoom(TestPlayer.join(code)), id: 700)
    server.await(messages: count + 2, on: shards[1])
    let outcome = server.begin(.announce("점검", in: nil))
    server.waitForMailbox(on: shards[0])
    let pause = ShardPause(shards[1])
    store.release()
    #expect(outcome.take().isDone)
    pause.end()
    guard case .room = try mover.reply(to: 700) else { throw TestFailure("not let in") }
    for player in players { #expect(try player.announcementCount() == 1) }
  }

  @Test(
    "An announcement to a room that ends before the commit reaches no one, and the operator gets an error"
  )
  func announceToEnded() throws {
    let store = StubbornStore()
    let server = try TestServer(store: store)
    let host = try server.player("나래")
    let code = try host.createRoom().code
    let room = try server.roomID(code)
    store.hold()
    let announced = server.begin(.announce("점검", in: room))
    let closed = server.begin(.closeRoom(room))
    for _ in 0..<2 {
      for shard in server.server.shards { server.waitForMailbox(on: shard) }
    }
    store.release()
    #expect(announced.take().refusal == "room \(room) has ended before anybody was notified")
    #expect(closed.take().isDone)
    #expect(try host.announcementCount() == 0)
    #expect(try server.audit().map(\.action).sorted() == ["announce", "closeRoom"])
  }

  // The store.

  @Test("While commits are stopped no action is done")
  func storeFails() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let host = try server.player("나래")
    let guest = try TestPlayer(port: server.port)
    let id = try guest.helloID("가람")
    let code = try host.createRoom().code
    _ = try guest.joinRoom(code)
    let room = try server.roomID(code)
    store.fail(with: .full)
    try host.send(.chat(TestPlayer.chat("버텨")))
    while store.failedCount == 0 { _ = server.report() }
    for shard in server.server.shards { server.waitForMailbox(on: shard) }
    for action in [
      OperatorAction.kick(id), .ban(id, for: nil, reason: ""), .unban(id), .mute(id, for: nil, reason: ""), .unmute(id),
      .closeRoom(room), .announce("점검", in: nil), .announce("점검", in: room), .closeSeason(1),
      .voidTaps(id, season: 1),
    ] {
      #expect(server.perform(action).refusal == "nothing can be committed: \(StoreFailure.full)", "\(action)")
    }
    #expect(try guest.announcementCount() == 0)
    let ended = Box<String>()
    var configuration = try OperatorConfiguration()
    configuration.end = { ended.put("drain") }
    let address = try ResolvedAddress(host: "127.0.0.1", port: 0)
    let operators = try OperatorServer(configuration, for: server.server, on: address, clock: server.clock)
    defer { operators.stop() }
    #expect(server.perform(.drain).isDone, "the server can be stopped without a working store")
    #expect(ended.take() == "drain")
    store.fail(with: nil)
    server.clock.advance(milliseconds: 600)
    _ = try server.report { $0.isCommitted }
    try guest.expectOk(.chat(TestPlayer.chat("아직 있어")))
    #expect(try server.audit().isEmpty && server.sanctions().isEmpty)
  }

  @Test("An action during a store failure is done once, with its row, after the repair")
  func storeFailsBetween() throws {
    let store = StubbornStore()
    _ = try TestSchools.store(in: store)
    let server = try TestServer(shards: 1, store: store)
    let host = try server.player("나래")
    let guest = try TestPlayer(port: server.port)
    let id = try guest.helloID("가람")
    let code = try host.createRoom().code
    _ = try guest.joinRoom(code)
    store.fail(with: .full)
    // All in one turn, before the first commit fails.
    let pause = ShardPause(server.server.shards[0])
    let outcomes = [OperatorAction.closeSeason(1), .announce("점검", in: nil), .kick(id), .closeSeason(1)].map(
      server.begin
    )
    pause.end()
    while store.failedCount == 0 { _ = server.report() }
    #expect(try guest.awaitEnd() == CloseCode.removed.rawValue, "a close can't be undone")
    #expect(try host.announcementCount() == 0, "an action waits for its row")
    #expect(outcomes.allSatisfy { !$0.isFull })
    store.fail(with: nil)
    server.clock.advance(milliseconds: 600)
    #expect(
      outcomes.map { $0.take().refusal } == [nil, nil, nil, "season 1 does not run"],
      "no season is closed twice"
    )
    #expect(try host.announcement().text == "점검")
    let rows = try server.audit()
    #expect(rows.map(\.action).sorted() == ["announce", "closeSeason", "kick"])
    #expect(rows.map(\.detail).filter { $0.hasPrefix("season") } == ["season 1"])
    let restarted = try server.crash()
    #expect(restarted.perform(.closeSeason(2)) == .done("season 2 is closed, and season 3 has begun"))
  }

  @Test("A crash before the commit leaves neither the action nor its row", arguments: [true, false])
  func crash(isWritten: Bool) throws {
    let store = StubbornStore()
    _ = try TestSchools.store(in: store)
    let server = try TestServer(shards: 2, store: store)
    let player = try TestPlayer(port: server.port)
    let id = try player.helloID("가람", secret: secret)
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try player.tap(1, 7)
    store.hold()
    let pause = ShardPause(server.server.shards[0])
    let actions = [OperatorAction.ban(id, for: nil, reason: ""), .voidTaps(id, season: 1), .closeSeason(1)]
    let outcomes = actions.map(server.begin)
    pause.end()
    while store.heldCount == 0 { _ = server.report() }
    #expect(outcomes.allSatisfy { !$0.isFull })
    if isWritten { store.release() } else { store.forget() }
    let restarted = try server.crash()
    let rows = try restarted.audit()
    #expect(rows.map(\.action) == (isWritten ? ["ban", "voidTaps", "closeSeason"] : []))
    #expect(try restarted.store.finalRanking(of: 1)?.ranking.count == (isWritten ? 0 : nil))
    let back = try TestPlayer(port: restarted.port).request(.hello(TestPlayer.hello("가람", secret: secret)))
    if case .error(let error) = back {
      #expect(isWritten && error.code == .banned)
    } else {
      #expect(!isWritten)
    }
  }
}
