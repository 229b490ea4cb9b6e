// A slow or failing store, as players see it: every promise is kept, and a game goes on.
import MadangProtocol
import Server
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct StoreFailureTests {
  /// Two players in a game on one shard.
  private func game(_ server: TestServer) throws -> (TestPlayer, TestPlayer, token: String) {
    let host = try TestPlayer(port: server.port)
    let token = try host.hello("가람").sessionToken
    let guest = try server.player("나래", .proto)
    _ = try guest.joinRoom(try host.createRoom { $0.durationS = 7_200 }.code)
    try host.expectOk(.startGame(WireStartGame()))
    try server.passTick()
    _ = try guest.event { $0.phase.phase == .playing }
    _ = try host.event { $0.phase.phase == .playing }
    return (host, guest, token)
  }

  @Test("Events and answers are not sent before their commit; positions don't wait")
  func commitFirst() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let (host, guest, _) = try game(server)
    store.hold()
    try host.send(.chat(TestPlayer.chat("나중에")), id: 900)
    // Its answer does not wait either, and shows that the chat has arrived.
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    while store.heldCount == 0 { _ = server.report() }
    server.clock.advance(milliseconds: 104)
    let tick = try guest.tick()
    #expect(tick.seats == [0] && tick.events.isEmpty)
    try guest.expectOkWithoutWaiting(server)
    #expect(!host.inbox.contains { $0.replyTo == 900 })
    store.release()
    #expect(try host.reply(to: 900).isOk)
    try server.passTick()
    #expect(try guest.event { $0.body?.name == "chat" }.chat.text == "나중에")
  }

  @Test("A repeated failure of maintenance is logged once, and again for another reason or after a success")
  func maintenanceFails() throws {
    let store = StubbornStore()
    let notifications = Mutex<[OperatorNotification]>([])
    let server = try TestServer(shards: 2, store: store) {
      $0.notifyOperator = { item in if item.isOfStore { notifications.withLock { $0.append(item) } } }
    }
    let player = try TestPlayer(port: server.port)
    _ = try player.hello("가람")
    for failure in [StoreFailure.full, .corrupt("rows"), nil, .corrupt("rows")] {
      store.failMaintenance(with: failure)
      let count = store.maintenanceCount
      while store.maintenanceCount < count + 3 { try server.pass(seconds: 1, player) }
    }
    let corrupt = OperatorNotification.gateway(.maintenanceFails("\(StoreFailure.corrupt("rows"))"))
    #expect(notifications.withLock { $0 } == [.gateway(.maintenanceFails("\(StoreFailure.full)")), corrupt, corrupt])
  }

  @Test("While the store fails durable commands are refused and positions continue; after its repair all commands work")
  func failsAndRecovers() throws {
    let store = StubbornStore()
    let notifications = Mutex<[OperatorNotification]>([])
    let server = try TestServer(shards: 1, store: store) {
      $0.notifyOperator = { item in if item.isOfStore { notifications.withLock { $0.append(item) } } }
    }
    let (host, guest, token) = try game(server)
    store.fail(with: .full)
    // The first is accepted in good faith, and answered when it is committed.
    try host.send(.chat(TestPlayer.chat("버텨")), id: 901)
    while notifications.withLock({ $0.isEmpty }) { _ = server.report() }
    for request in [
      WireClientMessage.OneOf_Body.chat(TestPlayer.chat("안 돼")), .leaveRoom(WireLeaveRoom()), .logout(WireLogout()),
      .setNickname(TestPlayer.setNickname("새 이름")),
    ] {
      let refusal = try guest.refusal(of: request)
      #expect(refusal.code == .storeUnavailable && refusal.retryAfterMs > 0)
    }
    let newcomer = try TestPlayer(port: server.port)
    #expect(try newcomer.refusal(of: .hello(TestPlayer.hello("new"))).code == .storeUnavailable)
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    server.clock.advance(milliseconds: 104)
    #expect(try guest.tick().points == [1])
    let failed = store.failedCount
    store.fail(with: nil)
    // The server retries by itself.
    while notifications.withLock({ $0.count }) < 2 {
      server.clock.advance(milliseconds: 100)
      _ = server.report()
    }
    #expect(
      failed > 0
        && notifications.withLock { $0 } == [.gateway(.storeFails("\(StoreFailure.full)")), .gateway(.storeWorks)]
    )
    #expect(try host.reply(to: 901).isOk)
    try server.passTick()
    let chats = try guest.event { $0.body?.name == "chat" }
    #expect(chats.chat.text == "버텨")
    try guest.expectOk(.chat(TestPlayer.chat("다시")))
    _ = try newcomer.hello("new")
    // Promised chats are durable; refused ones never happened.
    let again = try server.crash()
    let back = try TestPlayer(port: again.port)
    #expect(try back.resume(token).room.chats.map(\.chat.text) == ["버텨", "다시"])
  }

  @Test("The server's end reports whether the store failed", arguments: [StoreFailure.full, nil])
  func end(_ failure: StoreFailure?) throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let (host, _, _) = try game(server)
    store.fail(with: failure)
    try host.send(.chat(TestPlayer.chat("안녕")), id: 900)
    // Its answer shows that the chat has arrived.
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    #expect(server.stop().storeFailure == failure)
  }

  @Test("A crash loses what a failing store was never given, and no player was notified of it")
  func crashWhileFailing() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let (host, _, token) = try game(server)
    try host.expectOk(.chat(TestPlayer.chat("먼저")))
    store.fail(with: .io("a test"))
    try host.send(.chat(TestPlayer.chat("나중")), id: 902)
    while store.failedCount == 0 { _ = server.report() }
    try host.pump()
    #expect(!host.inbox.contains { $0.replyTo == 902 })
    let again = try {
      store.fail(with: nil); return try server.crash()
    }()
    let back = try TestPlayer(port: again.port)
    #expect(try back.resume(token).room.chats.map(\.chat.text) == ["먼저"])
  }
}

extension TestPlayer {
  /// Checks that the server answers a request that needs no commit.
  fileprivate func expectOkWithoutWaiting(_ server: TestServer) throws {
    guard case .time = try request(.time(WireTimeRequest())) else { throw TestFailure("no time") }
    _ = server
  }
}

extension WireServerMessage.OneOf_Body {
  fileprivate var isOk: Bool { if case .ok = self { true } else { false } }
}
