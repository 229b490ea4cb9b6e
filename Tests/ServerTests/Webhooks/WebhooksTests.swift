// Webhooks of a server: which events there are, when they are told, and what operators do with them.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("Events for webhooks")
struct WebhooksTests {
  private static func configure(_ sender: TestWebhookSender) -> (inout ServerConfiguration) -> Void {
    { $0.webhookSender = sender }
  }

  private static func onlyRoom(_ server: TestServer) throws -> RoomID {
    var rooms: [RoomID] = []
    try server.store.liveRooms { rooms.append($0.row.id) }
    return try #require(rooms.first)
  }

  // Fences.

  @Test("A fence's event has what the player is told, and no position")
  func fence() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(store: TestFences.storeWithFence(), Self.configure(sender))
    let webhook = try server.addWebhook(.fence)
    let player = try TestPlayer(port: server.port)
    let id = try player.hello("가람").playerID
    try player.watchPlaces()
    try server.walk(player, fromM: 0, toM: 100)
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
    let request = sender.next()
    #expect(request.url == "https://example.org/hook" && request.secret == webhook.secret)
    #expect(request.id.hasPrefix("\(webhook.id)-"))
    let event = try #require(try request.events.first)
    #expect(event.type == "fence" && event.timestamp.hasSuffix("Z") && event.id.count == 32)
    #expect(Set(event.data.keys) == ["playerId", "fenceId", "name", "topic", "change", "atMs"])
    #expect(event.text("playerId") == id && event.text("fenceId") == "\(FenceID(1))")
    #expect(event.text("change") == "ENTERED" && event.text("name") == "fence 1" && event.text("topic") == "gate")
    try server.walk(player, fromM: 105, toM: 260)
    #expect(try sender.next().events.map { $0.text("change") } == ["LEFT"])
    let row = try server.webhook { $0.deliveredCount == 2 }
    #expect(row.pendingCount == 0 && row.failingSince == nil)
  }

  @Test("A player is told of a fence when the event is committed, and the answer comes behind it")
  func durableBeforeTold() throws {
    let store = StubbornStore()
    let sender = TestWebhookSender()
    let server = try TestServer(store: TestFences.storeWithFence(store), Self.configure(sender))
    try server.addWebhook(.fence)
    let player = try server.player("가람")
    try player.watchPlaces()
    try server.walk(player, fromM: 0, toM: 35)
    _ = try server.report { $0.isCommitted }
    store.hold()
    server.clock.advance(seconds: 1)
    let place = TestFences.place(northM: 60)
    for northM in [40.0, 45, 50, 55] {
      let place = TestFences.place(northM: northM)
      try player.send(.move(TestPlayer.move(place.latE7, place.lngE7, accuracyM: 5)), id: nil)
      server.clock.advance(seconds: 1)
      _ = try player.request(.time(WireTimeRequest()))
    }
    try player.send(.move(TestPlayer.move(place.latE7, place.lngE7, accuracyM: 5)), id: 900)
    _ = try player.request(.time(WireTimeRequest()))
    _ = try server.report { _ in store.heldCount > 0 }
    #expect(store.heldCount == 1 && sender.waitingCount == 0)
    #expect(!player.inbox.contains { if case .fence = $0.body { true } else { $0.replyTo == 900 } })
    store.release()
    _ = try player.reply(to: 900)
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
    #expect(try sender.next().events.map { $0.text("change") } == ["ENTERED"])
  }

  @Test("Where no webhook wants fences, players are told of them without a commit")
  func unwanted() throws {
    let store = StubbornStore()
    let server = try TestServer(store: TestFences.storeWithFence(store), Self.configure(TestWebhookSender()))
    try server.addWebhook(.gameEnded)
    let player = try server.player("가람")
    try player.watchPlaces()
    _ = try server.report { $0.isCommitted }
    store.hold()
    try server.walk(player, fromM: 0, toM: 100)
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
    #expect(store.heldCount == 0)
    store.release()
  }

  @Test("A player who joins a room on another shard takes along what waits for a commit")
  func handoff() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 4, store: TestFences.storeWithFence(store)) {
      $0.webhookSender = TestWebhookSender()
      $0.capsuleReadIntervalMilliseconds = 20
    }
    try server.addWebhook(.fence)
    let host = try server.player("나래")
    let code = try host.createRoom { $0.capacity = 20 }.code
    _ = try host.bury(atM: 158) { $0.everyone = true }
    // On any shard.
    for _ in 0..<6 {
      let player = try server.player("가람")
      try player.watchPlaces()
      try server.walk(player, fromM: 0, toM: 35)
      _ = try server.report { $0.isCommitted }
      store.hold()
      for northM in [40.0, 45, 50, 55, 60] {
        server.clock.advance(seconds: 1)
        let place = TestFences.place(northM: northM)
        try player.send(.move(TestPlayer.move(place.latE7, place.lngE7, accuracyM: 5)), id: nil)
        _ = try player.request(.time(WireTimeRequest()))
      }
      // The event of the fence waits for its commit. The capsule, in reach of the newest fix alone, is read behind the
      // request.
      try player.send(.joinRoom(TestPlayer.join(code)), id: 900)
      for _ in 0..<3 { _ = server.report() }
      server.clock.advance(milliseconds: 30)
      for _ in 0..<3 { _ = server.report() }
      store.release()
      guard case .room = try player.reply(to: 900) else { throw TestFailure("no room") }
      #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
      try player.expectOk(.leaveRoom(WireLeaveRoom()))
      player.socket.reset()
    }
  }

  // Other events.

  @Test("The end of a game is told with its board")
  func gameEnded() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(Self.configure(sender))
    try server.addWebhook(.gameEnded)
    let player = try TestPlayer(port: server.port)
    let id = try player.hello("가람 \"\\").playerID
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = 30
    }
    let roomID = try Self.onlyRoom(server)
    try player.expectOk(.startGame(WireStartGame()))
    try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    try server.pass(seconds: 31, player)
    try player.expectOk(.leaveRoom(WireLeaveRoom()))
    let event = try #require(try sender.next().events.first)
    #expect(event.type == "gameEnded" && event.text("roomId") == "\(roomID)")
    #expect(event.text("mode") == "FOOTPRINT" && event.text("gameId")?.hasSuffix("-1") == true)
    let board = try #require(event.data["board"] as? [[String: Any]])
    #expect(board.count == 1 && board[0]["playerId"] as? String == id && board[0]["rank"] as? Int == 1)
    #expect(board[0]["nickname"] as? String == "가람 \"\\" && board[0]["points"] as? Int == 1)
  }

  @Test("A suspicion is told when it begins and when it ends, outside of rooms and in one")
  func suspect() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(Self.configure(sender))
    try server.addWebhook(.suspect)
    let player = try TestPlayer(port: server.port)
    let id = try player.hello("가람").playerID
    func forge() throws {
      for northM in 0..<3 {
        server.clock.advance(seconds: 1)
        let place = TestFences.place(northM: Double(northM))
        var move = TestPlayer.move(place.latE7, place.lngE7, accuracyM: 5)
        move.mocked = true
        _ = try player.request(.move(move))
      }
    }
    try player.watchPlaces()
    try forge()
    var event = try #require(try sender.next().events.first)
    #expect(event.type == "suspect" && event.text("playerId") == id && event.data["suspect"] as? Bool == true)
    #expect(event.text("roomId") == nil)
    try server.walk(player, fromM: 5, toM: 80)
    event = try #require(try sender.next().events.first)
    #expect(event.data["suspect"] as? Bool == false)
    try player.expectOk(.unwatchPlaces(WireUnwatchPlaces()))
    _ = try player.createRoom { $0.solo = true }
    let roomID = try Self.onlyRoom(server)
    try player.expectOk(.startGame(WireStartGame()))
    try forge()
    event = try #require(try sender.next().events.first)
    #expect(event.data["suspect"] as? Bool == true)
    #expect(event.text("roomId") == "\(roomID)")
    try player.expectOk(.leaveRoom(WireLeaveRoom()))
    event = try #require(try sender.next().events.first)
    #expect(event.data["suspect"] as? Bool == false && event.text("roomId") != nil)
  }

  @Test("A deletion erases the player's pending events and is told as the last")
  func deletion() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(store: TestFences.storeWithFence(), Self.configure(sender))
    sender.fail(true)
    try server.addWebhook(.fence, .playerDeleted)
    let player = try TestPlayer(port: server.port)
    let id = try player.hello("가람").playerID
    try player.watchPlaces()
    try server.walk(player, fromM: 0, toM: 100)
    _ = try server.webhook { $0.failingSince != nil && $0.pendingCount == 1 }
    try player.expectOk(.deleteAccount(WireDeleteAccount()))
    #expect(try server.webhook { _ in true }.pendingCount == 1)
    while sender.waitingCount > 0 { #expect(try sender.next().events.allSatisfy { $0.type == "fence" }) }
    sender.fail(false)
    server.clock.advance(seconds: 301)
    let event = try #require(try sender.next().events.first)
    #expect(event.type == "playerDeleted" && event.text("playerId") == id && event.data.count == 1)
    #expect(try server.webhook { $0.pendingCount == 0 }.deliveredCount == 1)
  }

  // Deliveries.

  @Test("A failed batch comes again after a wait with the same name, and then what came meanwhile, in order")
  func retry() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(Self.configure(sender))
    sender.answer(with: .answered(status: 500), .failed("down"))
    let id = try server.addWebhook(.fence).id
    #expect(server.perform(.testWebhook(id)).isDone)
    let first = sender.next()
    _ = try server.webhook { $0.lastFailure?.text == "STATUS_500: the answer has the status 500" }
    #expect(server.perform(.testWebhook(id)).isDone)
    #expect(sender.waitingCount == 0)
    server.clock.advance(seconds: 1, milliseconds: 10)
    #expect(sender.next().id == first.id)
    _ = try server.webhook { $0.lastFailure?.text == "FAILED: down" }
    server.clock.advance(seconds: 2, milliseconds: 10)
    let third = sender.next()
    #expect(third.id == first.id && third.body == first.body)
    let fourth = sender.next()
    #expect(fourth.id != first.id)
    #expect(try first.events.map(\.type) == ["test"] && fourth.events.map(\.type) == ["test"])
    #expect(try server.webhook { $0.pendingCount == 0 }.failingSince == nil)
  }

  @Test("A target that is gone is switched off; its events wait until it is enabled, over a restart")
  func gone() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(Self.configure(sender))
    sender.answer(with: .answered(status: 410))
    let id = try server.addWebhook(.fence).id
    #expect(server.perform(.testWebhook(id)).isDone)
    _ = sender.next()
    _ = try server.webhook { $0.switchedOff != nil }
    #expect(server.perform(.testWebhook(id)).isDone)
    server.stop()
    let again = try TestServer(store: server.store, clock: server.clock, Self.configure(sender))
    try again.pass(seconds: 5)
    #expect(sender.waitingCount == 0)
    #expect(again.perform(.enableWebhook(id)).isDone)
    #expect(try sender.next().events.count == 2)
    #expect(try again.webhook { $0.pendingCount == 0 }.switchedOff == nil)
  }

  @Test("A target without a success for a day is switched off")
  func day() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(Self.configure(sender))
    sender.fail(true)
    let id = try server.addWebhook(.fence).id
    #expect(server.perform(.testWebhook(id)).isDone)
    _ = sender.next()
    let since = try #require(try server.webhook { $0.failingSince != nil }.failingSince)
    server.stop()
    server.clock.advance(seconds: 24 * 60 * 60)
    let again = try TestServer(store: server.store, clock: server.clock, Self.configure(sender))
    _ = sender.next()
    // The server that was down has tried nothing.
    #expect(try again.webhook { $0.lastFailure?.at != since }.switchedOff == nil)
    again.clock.advance(seconds: 60 * 60)
    _ = sender.next()
    let row = try again.webhook { $0.switchedOff != nil }
    #expect(row.failingSince == since && row.pendingCount == 1)
    #expect(row.switchedOff?.text == "nothing delivered for a day: FAILED: down")
  }

  @Test("A crash loses no pending event")
  func crash() throws {
    let sender = TestWebhookSender()
    var server = try TestServer()
    let id = try server.addWebhook(.fence).id
    for _ in 0..<3 { #expect(server.perform(.testWebhook(id)).isDone) }
    server.server.abandon {}
    server = try TestServer(store: server.store, clock: server.clock, Self.configure(sender))
    #expect(try sender.next().events.count == 3)
    _ = try server.webhook { $0.deliveredCount == 3 }
  }

  @Test("Events beyond the bound are dropped and counted")
  func bound() throws {
    let game = try TestOperators(store: MemoryStore(webhookBytesMax: 300))
    let id = try game.game.addWebhook(.fence).id
    for _ in 0..<5 { #expect(game.game.perform(.testWebhook(id)).isDone) }
    let row = try #require(try game.game.store.webhooks().first)
    #expect(row.pendingBytes <= 300 && row.droppedCount + row.pendingCount == 5 && row.droppedCount > 0)
  }

  // Operators.

  @Test("Bad addresses, a ninth webhook and unknown ones are refused with the reason, and nothing is written")
  func refusals() throws {
    let server = try TestServer(Self.configure(TestWebhookSender()))
    func refusal(_ action: OperatorAction) throws -> String { try #require(server.perform(action).refusal) }
    let insecure = OfferedWebhook(url: "http://example.org/", types: [.fence])
    #expect(try refusal(.addWebhook(insecure)) == "the URL is not secure")
    let steering = OfferedWebhook(url: "https://example.org/", name: "\u{1b}[2J", types: [.fence])
    #expect(try refusal(.addWebhook(steering)).contains("control character"))
    let unknown = WebhookID(7)
    for action: OperatorAction in [.removeWebhook(unknown), .enableWebhook(unknown), .testWebhook(unknown)] {
      #expect(try refusal(action) == "there is no webhook \(unknown)")
    }
    #expect(try server.audit().isEmpty)
    for _ in 0..<WebhookTarget.countMax { try server.addWebhook(.fence) }
    let ninth = OfferedWebhook(url: "https://example.org/", types: [.fence])
    #expect(try refusal(.addWebhook(ninth)) == "there are 8 webhooks already: remove one first")
    #expect(try server.audit().count == WebhookTarget.countMax)
  }

  @Test("Every action is in the audit log, without secrets")
  func audit() throws {
    let sender = TestWebhookSender()
    let server = try TestServer(Self.configure(sender))
    let (id, secret) = try server.addWebhook(.fence, url: "https://example.org/hook?key=1")
    for action: OperatorAction in [.testWebhook(id), .enableWebhook(id), .removeWebhook(id)] {
      #expect(server.perform(action).isDone)
    }
    let rows = try server.audit()
    #expect(rows.map(\.action) == ["addWebhook", "testWebhook", "enableWebhook", "removeWebhook"])
    #expect(rows[0].detail == "\(id) at https://example.org" && rows[3].detail == "\(id)")
    #expect(secret.hasPrefix("whsec_") && !rows.contains { $0.detail.contains(secret) })
    #expect(try server.store.webhooks() == [])
  }

  @Test("The metrics have what waits and what was delivered")
  func metrics() throws {
    let sender = TestWebhookSender()
    let game = try TestOperators(Self.configure(sender))
    sender.answer(with: .failed("down"))
    let id = try game.game.addWebhook(.fence).id
    #expect(game.game.perform(.testWebhook(id)).isDone)
    _ = sender.next()
    _ = try game.game.webhook { $0.failingSince != nil }
    #expect(try game.metrics()["madang_webhook_failed_requests_total"] == 1)
    game.game.clock.advance(seconds: 2)
    _ = sender.next()
    _ = try game.game.webhook { $0.deliveredCount == 1 }
    #expect(try game.metrics()["madang_webhook_delivered_events_total"] == 1)
  }
}
