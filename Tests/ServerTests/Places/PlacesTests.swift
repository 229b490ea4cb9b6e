// Places over real sockets: presence outside of rooms, over sessions and shards, and the fences that players enter and
// leave.
import Game
import MadangProtocol
import Store
import TestSupport
import Testing

@Suite struct PlacesTests {
  /// Walks northwards, 5 m a second, from one place to another; returns the newest answer.
  @discardableResult
  private func walk(
    _ player: TestPlayer,
    _ server: TestServer,
    fromM: Int,
    toM: Int,
    accuracyM: UInt32 = 5
  ) throws -> WireMoved {
    var newest = WireMoved()
    for northM in stride(from: fromM, through: toM, by: 5) {
      try server.passSecond()
      newest = try player.walk(toM: Double(northM), accuracyM: accuracyM)
    }
    return newest
  }

  @Test(
    "A player who walks through a fence enters it, dwells in it and leaves it, each once",
    arguments: Subprotocol.allCases
  )
  func through(subprotocol: Subprotocol) throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 300, radiusM: 50, dwellS: 20)])
    let server = try TestServer(store: store.store)
    let player = try server.player("가람", subprotocol)
    #expect(try player.watchPlaces().isEmpty)
    try walk(player, server, fromM: 0, toM: 240)
    #expect(try player.takeFenceChanges().isEmpty)
    try walk(player, server, fromM: 245, toM: 300)
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
    for _ in 0..<30 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: 300)
    }
    #expect(try player.takeFenceChanges() == ["DWELLED FENCE 1"])
    try walk(player, server, fromM: 305, toM: 480)
    #expect(try player.takeFenceChanges() == ["LEFT FENCE 1"])
  }

  /// Lets a player stand still until the capsules around have been read; returns the answer to the newest fix.
  private func awaitCapsules(_ player: TestPlayer, _ server: TestServer) throws -> WireMoved {
    for _ in 0..<20 {
      server.clock.advance(seconds: 1)
      let moved = try player.walk(toM: 0)
      if moved.nextCheckM > 0 { return moved }
      _ = server.report()
    }
    throw TestFailure("no capsules were read")
  }

  @Test("The answer to a fix says how far and how long nothing can happen")
  func nextCheck() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 600, radiusM: 50, dwellS: 20)])
    let server = try TestServer(shards: 1, store: store.store)
    let player = try server.player("가람")
    try player.watchPlaces()
    let first = try player.walk(toM: 0)
    #expect(first.accepted == 1 && first.throughMs == server.clock.now().milliseconds)
    #expect(first.nextCheckM == 0 && first.nextCheckS == 1, "capsules are still being read")
    let far = try awaitCapsules(player, server)
    // 550 m to the edge; the seconds are those of 12.5 m/s.
    #expect((500...550).contains(far.nextCheckM) && (40...44).contains(far.nextCheckS))
    let near = try walk(player, server, fromM: 5, toM: 500)
    #expect((5...50).contains(near.nextCheckM) && (1...4).contains(near.nextCheckS))
    try walk(player, server, fromM: 505, toM: 545)
    var newest = try player.walk(toM: 550)
    var changes: [WireFenceChange] = []
    // A phone that stays there and sends a fix when it is asked to, and no earlier.
    for _ in 0..<30 where changes.count < 2 {
      #expect(newest.nextCheckS > 0)
      server.clock.advance(seconds: Int64(newest.nextCheckS))
      newest = try player.walk(toM: 600)
      _ = try player.request(.time(WireTimeRequest()))
      changes += player.takeAll { if case .fence(let change) = $0.body { change } else { nil } }
    }
    #expect(changes.map(\.change) == [.entered, .dwelled])
    #expect(changes.map(\.atMs).reduce(0) { $1 - $0 } == 20_000, "not a second late")
  }

  @Test("A new session, and one on another connection, is no way to jump", arguments: [false, true])
  func newSession(byResume: Bool) throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 5_000, radiusM: 50)])
    let server = try TestServer(store: store.store)
    let secret = "the secret of one device"
    var player = try TestPlayer(port: server.port)
    let token = try player.hello("가람", secret: secret).sessionToken
    try player.watchPlaces()
    try walk(player, server, fromM: 0, toM: 100)
    for _ in 0..<3 {
      player = try TestPlayer(port: server.port)
      if byResume { _ = try player.resume(token) } else { try player.hello("가람", secret: secret) }
      try player.watchPlaces()
      // More than the ten that make the filter believe a jump.
      for _ in 0..<15 {
        try server.passSecond()
        let moved = try player.walk(toM: 5_000)
        #expect(moved.nextCheckM == 0 && moved.nextCheckS == 1)
      }
      if byResume { break }
    }
    #expect(try player.takeFenceChanges().isEmpty)
  }

  @Test("A stay goes on over sessions: a player who comes back is told of it, and leaves later")
  func stays() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 100, radiusM: 60)])
    let server = try TestServer(store: store.store)
    var player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    try player.watchPlaces()
    try walk(player, server, fromM: 0, toM: 100)
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
    player.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    server.clock.advance(seconds: 60)
    player = try TestPlayer(port: server.port)
    _ = try player.resume(token)
    #expect(try player.watchPlaces() == ["fence 1"])
    try walk(player, server, fromM: 100, toM: 260)
    #expect(try player.takeFenceChanges() == ["LEFT FENCE 1"])
  }

  @Test("A presence is forgotten half an hour behind its last fix")
  func forgetting() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 100, radiusM: 60)])
    let server = try TestServer(shards: 1, store: store.store)
    var player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    try player.watchPlaces()
    try walk(player, server, fromM: 0, toM: 100)
    player.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    for seconds in [Int64(1_700), 200] {
      server.clock.advance(seconds: seconds)
      _ = server.report()
    }
    player = try TestPlayer(port: server.port)
    _ = try player.resume(token)
    #expect(try player.watchPlaces().isEmpty)
  }

  @Test("Forged fixes open nothing: a mocked one is a finding, three make a suspect, who enters no fence")
  func suspect() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 20, radiusM: 60)])
    let server = try TestServer(shards: 1, store: store.store)
    let player = try server.player("forger")
    try player.watchPlaces()
    for _ in 0..<3 {
      server.clock.advance(seconds: 1)
      var move = TestPlayer.move(TestFences.place(northM: 20).latE7, TestFences.origin.lngE7)
      move.mocked = true
      guard case .moved(let moved) = try player.request(.move(move)) else { throw TestFailure("no moved") }
      #expect(moved.refused == 1 && moved.reasons.map(\.verdict) == [.mocked])
    }
    let verdicts = player.takeAll { if case .verdict(let verdict) = $0.body { verdict } else { nil } }
    #expect(verdicts.map(\.fix) == [.mocked, .mocked, .mocked] && verdicts.map(\.suspect) == [false, false, true])
    for _ in 0..<5 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: 20)
    }
    #expect(try player.takeFenceChanges().isEmpty)
    for _ in 0..<10 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: 20)
    }
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"], "ten fixes that agree end the suspicion")
    let end = player.takeAll { if case .verdict(let verdict) = $0.body { verdict } else { nil } }
    #expect(end.map(\.suspect) == [false] && end.map(\.fix) == [.unspecified])
  }

  @Test("Kept fixes are judged by their own times, up to 120 s late, and fences with them")
  func kept() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 100, radiusM: 60)])
    let server = try TestServer(shards: 1, store: store.store)
    let player = try server.player("가람")
    try player.watchPlaces()
    let beganMs = server.clock.now().milliseconds
    server.clock.advance(seconds: 150)
    _ = server.report()
    try player.pump()
    let fixes = (0..<40).map { number in
      let place = TestFences.place(northM: Double(number) * 5)
      var move = TestPlayer.move(place.latE7, place.lngE7)
      move.timeMs = beganMs + 20_000 + Int64(number) * 1_000
      return move
    }
    let moved = try player.tell(fixes)
    #expect(moved.accepted == 30 && moved.reasons.map(\.verdict) == [.tooOld] && moved.refused == 10)
    #expect(moved.throughMs == fixes[39].timeMs)
    let changes = player.takeAll { if case .fence(let change) = $0.body { change } else { nil } }
    #expect(changes.map(\.change) == [.entered])
    // The second fix that lies inside with its whole circle: 50 m and 55 m north, or the one that decides alone.
    #expect(changes.map { ($0.atMs - beganMs) / 1_000 } == [30])
    #expect(try player.tell(fixes).repeated == 40)
  }

  @Test("In a game the room answers, and fences are told all the same, also on another shard")
  func inGame() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 100, radiusM: 60)])
    let server = try TestServer(shards: 4, store: store.store)
    let host = try server.player("나래")
    let code = try host.createRoom { $0.durationS = 600 }.code
    // On any shard.
    for _ in 0..<6 {
      let player = try server.player("가람")
      try player.watchPlaces()
      try walk(player, server, fromM: 0, toM: 20)
      _ = try player.joinRoom(code)
      _ = try player.walk(toM: 20)
      try host.expectOk(.startGame(WireStartGame()))
      for northM in stride(from: 25, through: 100, by: 5) {
        try server.passSecond()
        let place = TestFences.place(northM: Double(northM))
        try player.expectOk(.move(TestPlayer.move(place.latE7, place.lngE7)))
      }
      #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
      try player.expectOk(.leaveRoom(WireLeaveRoom()))
      try server.passTick()
      _ = try host.event { $0.phase.phase == .ended }
      try host.expectOk(.playAgain(WirePlayAgain()))
      try server.passSecond()
      #expect(try player.walk(toM: 100).accepted == 1)
      player.socket.reset()
    }
  }

  @Test("Without a watch, and after its end, fixes outside of a room are refused as ever")
  func unwatched() throws {
    let server = try TestServer(shards: 1)
    let player = try server.player("가람")
    let move = TestPlayer.move(375_665_000, 1_269_780_000)
    #expect(try player.refusal(of: .move(move)).code == .notInRoom)
    try player.watchPlaces()
    #expect(try player.walk(toM: 0).accepted == 1)
    try player.expectOk(.unwatchPlaces(WireUnwatchPlaces()))
    #expect(try player.refusal(of: .move(move)).code == .notInRoom)
    #expect(try player.refusal(of: .moves(TestPlayer.moves([]))).code == .notInRoom)
    try player.watchPlaces()
    #expect(try player.refusal(of: .move(WireMove())).code == .outOfRange)
    var unequal = TestPlayer.moves([])
    unequal.afterMs = [0]
    #expect(try player.refusal(of: .moves(unequal)).code == .outOfRange)
    try player.expectOk(.unwatchPlaces(WireUnwatchPlaces()))
    try player.expectOk(.unwatchPlaces(WireUnwatchPlaces()))
  }

  @Test("Fixes without a number are not answered, and fences come all the same")
  func unanswered() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 0, radiusM: 60)])
    let server = try TestServer(shards: 1, store: store.store)
    let player = try server.player("가람")
    try player.watchPlaces()
    for _ in 0..<3 {
      server.clock.advance(seconds: 1)
      try player.send(.move(TestPlayer.move(TestFences.origin.latE7, TestFences.origin.lngE7)))
      _ = try player.request(.time(WireTimeRequest()))
    }
    #expect(try player.takeFenceChanges() == ["ENTERED FENCE 1"])
    #expect(player.takeAll { if case .moved = $0.body { true } else { nil } }.isEmpty)
  }
}
