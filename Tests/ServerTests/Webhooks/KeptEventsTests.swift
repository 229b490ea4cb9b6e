// Events for webhooks when something is in their way: a failing store, a budget, a deletion of one of several players.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("Events for webhooks that are kept, and those that are not")
struct KeptEventsTests {
  /// How often the server is asked before more time passes. Each time waits for every shard.
  private static let reportsMax = 2_000
  private static let secondsMax = 20

  /// Lets time pass until the server has found out that the store works. A commit that was under way may have failed
  /// only now, and the next one comes half a second behind it.
  private func awaitStore(_ server: TestServer) throws {
    for _ in 0..<Self.secondsMax {
      server.clock.advance(seconds: 1)
      for _ in 0..<Self.reportsMax where server.report().storeFailure == nil { return }
    }
    throw TestFailure("the store is still failing for the server")
  }

  /// The changes of the next request's events. Lets time pass until it comes.
  private func nextEvents(_ sender: TestWebhookSender, _ server: TestServer) throws -> [String?] {
    for _ in 0..<Self.secondsMax {
      for _ in 0..<Self.reportsMax {
        if sender.waitingCount > 0 { return try sender.next().events.map { $0.text("change") } }
        _ = server.report()
      }
      server.clock.advance(seconds: 1)
    }
    throw TestFailure("no event has come")
  }

  @Test("A player is told of a fence while the store fails; the event waits in memory, and is told when it is back")
  func failingStore() throws {
    let store = StubbornStore()
    let sender = TestWebhookSender()
    let game = try TestOperators(store: TestFences.storeWithFence(store), { $0.webhookSender = sender })
    let server = game.game
    try server.addWebhook(.fence)
    let player = try server.player("가람")
    try player.watchPlaces()
    try server.walk(player, fromM: 0, toM: 30)
    store.fail(with: .full)
    // Something to commit, so that the server finds it out.
    _ = server.begin(.announce("hello", in: nil))
    _ = try server.report { $0.storeFailure != nil }
    try server.walk(player, fromM: 35, toM: 100)
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
    try server.walk(player, fromM: 105, toM: 260)
    #expect(try player.takeFenceChanges() == ["LEFT FENCE 1"])
    #expect(sender.waitingCount == 0)
    let labels = "{budget=\"KEPT_EVENT_BYTES\",scope=\"PROCESS\"}"
    #expect(try game.metrics()["madang_budget_used\(labels)"] ?? 0 > 200)
    store.fail(with: nil)
    try awaitStore(server)
    // In one commit or in two.
    var changes: [String?] = []
    while changes.count < 2 { changes += try nextEvents(sender, server) }
    #expect(changes == ["ENTERED", "LEFT"])
    #expect(try game.metrics()["madang_webhook_dropped_events_total{reason=\"NO_COMMIT\"}"] == 0)
    // From now on events are told behind their commits again.
    try server.walk(player, fromM: 255, toM: 255)
    _ = try server.webhook { $0.deliveredCount == 2 }
    #expect(try game.metrics()["madang_budget_used\(labels)"] == 0)
  }

  @Test("While the store fails an ended game keeps its place among what its players did before and behind it")
  func orderOfOne() throws {
    let store = StubbornStore()
    let sender = TestWebhookSender()
    let game = try TestOperators(store: TestFences.storeWithFence(store), { $0.webhookSender = sender })
    let server = game.game
    try server.addWebhook(.fence, .gameEnded)
    let host = try server.player("나래")
    let player = try server.player("가람")
    _ = try player.joinRoom(try host.createRoom { $0.durationS = 30 }.code)
    try player.watchPlaces()
    try host.expectOk(.startGame(WireStartGame()))
    func move(_ metres: StrideThrough<Int>) throws {
      for northM in metres {
        try server.pass(halfSeconds: 2, host)
        let place = TestFences.place(northM: Double(northM))
        try player.expectOk(.move(TestPlayer.move(place.latE7, place.lngE7)))
      }
    }
    try move(stride(from: 0, through: 30, by: 5))
    store.fail(with: .full)
    _ = server.begin(.announce("hello", in: nil))
    _ = try server.report { $0.storeFailure != nil }
    try move(stride(from: 35, through: 100, by: 5))
    try server.pass(halfSeconds: 30, host, player)
    for northM in stride(from: 100, through: 260, by: 5) {
      try server.pass(halfSeconds: 2, host)
      _ = try player.walk(toM: Double(northM))
    }
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1", "LEFT FENCE 1"])
    #expect(sender.waitingCount == 0)
    store.fail(with: nil)
    try awaitStore(server)
    var changes: [String?] = []
    while changes.count < 3 { changes += try nextEvents(sender, server) }
    #expect(changes == ["ENTERED", nil, "LEFT"])
    // The keeping ends.
    let labels = "{budget=\"KEPT_EVENT_BYTES\",scope=\"PROCESS\"}"
    _ = try server.webhook { $0.deliveredCount == 3 }
    #expect(try game.metrics()["madang_budget_used\(labels)"] == 0)
  }

  @Test("Of more events than can be kept while the store fails the oldest go, and are counted")
  func keptMost() throws {
    let store = StubbornStore()
    let sender = TestWebhookSender()
    let game = try TestOperators(store: TestFences.storeWithFence(store)) {
      $0.webhookSender = sender
      // Room for one.
      $0.keptEventBytesMax = 600
    }
    let server = game.game
    try server.addWebhook(.fence)
    let player = try server.player("가람")
    try player.watchPlaces()
    try server.walk(player, fromM: 0, toM: 30)
    store.fail(with: .full)
    _ = server.begin(.announce("hello", in: nil))
    _ = try server.report { $0.storeFailure != nil }
    try server.walk(player, fromM: 35, toM: 260)
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1", "LEFT FENCE 1"])
    #expect(try game.metrics()["madang_webhook_dropped_events_total{reason=\"NO_COMMIT\"}"] == 1)
    store.fail(with: nil)
    try awaitStore(server)
    #expect(try nextEvents(sender, server) == ["LEFT"])
  }

  @Test("Events at fences have a budget; beyond it the player is told, and webhooks are not")
  func budget() throws {
    let sender = TestWebhookSender()
    let store = try TestFences.store(with: (0..<32).map { try TestFences.circle(1 + $0, northM: 100, radiusM: 15) })
    let game = try TestOperators(store: store, { $0.webhookSender = sender })
    let server = game.game
    try server.addWebhook(.fence)
    let player = try server.player("가람")
    try player.watchPlaces()
    var told = 0
    for _ in 0..<8 {
      for northM in Array(stride(from: 40.0, through: 160, by: 10)) + Array(stride(from: 150.0, through: 50, by: -10)) {
        server.clock.advance(seconds: 1)
        _ = try player.walk(toM: northM)
      }
      told += try player.takeFenceChanges().count
    }
    // Two fixes in a row outside.
    for _ in 0..<2 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: 40)
    }
    told += try player.takeFenceChanges().count
    // Each of 16 crossings enters and leaves 32 fences; 600 events are paid, and one a second.
    #expect(told >= 900)
    // Each stay is told with its end, or not at all.
    _ = try server.webhook { $0.pendingCount == 0 }
    var inside: Set<String> = []
    while sender.waitingCount > 0 {
      for event in try sender.next().events {
        let fence = try #require(event.text("fenceId"))
        let isFit = event.text("change") == "ENTERED" ? inside.insert(fence).inserted : inside.remove(fence) != nil
        #expect(isFit, "\(event.data)")
      }
    }
    #expect(inside.isEmpty)
    let dropped = try game.metrics()["madang_webhook_dropped_events_total{reason=\"OVER_BUDGET\"}"] ?? 0
    #expect(dropped > 50 && dropped < Double(told) - 600)
    // Ends of stays that were told are paid where they can be.
    let refusals = "madang_budget_refusals_total{budget=\"FENCE_EVENTS\",scope=\"PLAYER\"}"
    #expect(try game.metrics()[refusals] ?? 0 >= dropped / 2)
    #expect(try server.webhook { $0.pendingCount == 0 }.deliveredCount == Int64(told) - Int64(dropped))
  }

  @Test("The end of a game waits on without a player who is deleted")
  func deletionOfOne() throws {
    let sender = TestWebhookSender()
    let server = try TestServer({ $0.webhookSender = sender })
    sender.fail(true)
    try server.addWebhook(.gameEnded)
    let host = try TestPlayer(port: server.port)
    let hostID = try host.hello("나래").playerID
    let guest = try TestPlayer(port: server.port)
    let guestID = try guest.hello("가람 \"\\").playerID
    let code = try host.createRoom { $0.durationS = 30 }.code
    _ = try guest.joinRoom(code)
    try host.expectOk(.startGame(WireStartGame()))
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    try server.pass(seconds: 61, host, guest)
    _ = try server.webhook { $0.failingSince != nil && $0.pendingCount == 1 }
    try guest.expectOk(.deleteAccount(WireDeleteAccount()))
    while sender.waitingCount > 0 { _ = sender.next() }
    sender.fail(false)
    server.clock.advance(seconds: 301)
    let request = sender.next()
    let board = try #require(try request.events.first?.data["board"] as? [[String: Any]])
    #expect(board.compactMap { $0["playerId"] as? String } == [hostID])
    #expect(Set(board.compactMap { $0["nickname"] as? String }) == ["나래", "…"])
    let text = String(decoding: request.body, as: UTF8.self)
    #expect(!text.contains(guestID) && !text.contains("가람") && board.allSatisfy { $0["rank"] != nil })
  }
}
