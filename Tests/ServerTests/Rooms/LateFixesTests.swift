// Kept fixes over real sockets: told late, told again, explained; and the rooms that wait for them.
import MadangProtocol
import TestSupport
import Testing

@Suite struct LateFixesTests {
  /// A walk northwards with a fix a second, 6 m a step, from a second after `began` on.
  private func walk(from beganMs: Int64, seconds: ClosedRange<Int64>) -> [WireMove] {
    seconds.map { second in
      var move = TestPlayer.move(375_665_000 + Int32(second) * 540, 1_269_780_000)
      move.timeMs = beganMs + second * 1_000
      return move
    }
  }

  private func solo(_ server: TestServer, seconds: UInt32) throws -> (TestPlayer, token: String) {
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = seconds
    }
    try player.expectOk(.startGame(WireStartGame()))
    return (player, token)
  }

  @Test("A solo run without a connection to its end, told after it by an app that was killed, counts as it was run")
  func wholeRun() throws {
    let server = try TestServer()
    let (player, token) = try solo(server, seconds: 60)
    let beganMs = server.clock.now().milliseconds
    player.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 && $0.isCommitted }
    server.clock.advance(seconds: 300)
    _ = server.report()
    server.clock.advance(seconds: 300)
    let back = try TestPlayer(port: server.port)
    let room = try back.resume(token).room
    #expect(room.phase == .playing && room.throughMs == 0 && room.hasBoardAtGameMs)
    let fixes = walk(from: beganMs, seconds: 1...70)
    let first = try back.tell(Array(fixes[..<40]), more: true)
    #expect(first.accepted == 40 && first.throughMs == fixes[39].timeMs)
    let again = try back.tell(Array(fixes[30..<40]), more: true)
    #expect(again.repeated == 10 && again.accepted == 0)
    let last = try back.tell(Array(fixes[40...]))
    #expect(last.accepted == 20 && last.refused == 10)
    #expect(last.reasons.map(\.verdict) == [.outsideGame])
    #expect(last.throughMs == fixes[69].timeMs, "those behind the end are decided too")
    try server.passTick()
    let board = try back.event { $0.phase.phase == .ended }.phase.board
    #expect(board.map(\.points) == [60] && board.map(\.timeS) == [60])
    #expect(board.map(\.latePercent) == [100] && board.map(\.withheldPercent) == [0])
    let results = try back.results().results
    #expect(results.map(\.points) == [60] && results.map(\.latePercent) == [100])
  }

  @Test("Fixes that `moved` has answered survive a crash; the rest is sent again, and counts once")
  func crash() throws {
    let server = try TestServer()
    let (player, token) = try solo(server, seconds: 600)
    let beganMs = server.clock.now().milliseconds
    try server.pass(seconds: 60, player)
    let fixes = walk(from: beganMs, seconds: 1...60)
    #expect(try player.tell(Array(fixes[..<40]), more: true).accepted == 40)
    let again = try server.crash(downFor: 100)
    let back = try TestPlayer(port: again.port)
    let room = try back.resume(token).room
    #expect(room.throughMs == fixes[39].timeMs && room.points == [40])
    let moved = try back.tell(fixes)
    #expect(moved.repeated == 40 && moved.accepted == 20)
  }

  @Test("Fixes that are too old are decided, so that a phone does not tell them for ever; those ahead are not")
  func decided() throws {
    let server = try TestServer(shards: 1)
    let (host, guest) = (try server.player("가람"), try server.player("나래"))
    let room = try host.createRoom {
      $0.durationS = 600
      $0.lateS = 10
    }
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    let beganMs = server.clock.now().milliseconds
    try host.expectOk(.move(walk(from: beganMs, seconds: 0...0)[0]))
    try server.pass(seconds: 60, host, guest)
    let old = try host.tell(walk(from: beganMs, seconds: 1...30))
    #expect(old.refused == 30 && old.reasons.map(\.verdict) == [.tooOld])
    #expect(old.throughMs == beganMs + 30_000)
    let ahead = try host.tell(walk(from: beganMs, seconds: 59...64))
    #expect(ahead.accepted == 4 && ahead.reasons.map(\.verdict) == [.tooFarAhead])
    #expect(ahead.throughMs == beganMs + 62_000)
  }

  @Test("To a player who has asked for it, each fix's verdict is explained")
  func explained() throws {
    let server = try TestServer(shards: 1)
    let player = try TestPlayer(port: server.port)
    var hello = TestPlayer.hello("가람")
    hello.explain = true
    _ = try player.request(.hello(hello))
    _ = try player.createRoom { $0.solo = true }
    // A lobby in which nothing else happens any more.
    for _ in 0..<3 {
      try server.passTick()
      try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
      try server.passTick()
      let outside = try player.first { if case .verdict = $0.body { true } else { false } }
      #expect(outside.verdict.fix == .outsideGame)
    }
    try player.expectOk(.startGame(WireStartGame()))
    let beganMs = server.clock.now().milliseconds
    try server.pass(seconds: 10, player)
    var fixes = walk(from: beganMs, seconds: 1...4)
    fixes[1].accuracyM = 60
    fixes[2].latE7 += 1_000_000
    #expect(try player.tell(fixes).verdicts == [.accepted, .inaccurate, .setAside, .accepted])
    try server.pass(seconds: 1, player)
    for _ in 0..<2 { try player.expectOk(.move(fixes[3])) }
    try server.passTick()
    let message = try player.first { if case .verdict = $0.body { true } else { false } }
    #expect(message.verdict.fix == .repeated && message.verdict.timeMs == fixes[3].timeMs)
  }

  @Test("Fixes that the failing store kept from being taken are late, but withheld by nobody")
  func storeFails() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let (player, _) = try solo(server, seconds: 100)
    let beganMs = server.clock.now().milliseconds
    store.hold()
    try player.send(.readChat(WireReadChat()), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    try server.pass(halfSeconds: 140, player)
    let fixes = walk(from: beganMs, seconds: 1...60)
    let refusal = try player.refusal(of: .moves(TestPlayer.moves(fixes)))
    #expect(refusal.code == .storeUnavailable)
    store.release()
    _ = try server.report { $0.isCommitted }
    try server.pass(seconds: 10, player)
    #expect(try player.tell(fixes).accepted == 60)
    try server.pass(seconds: 21, player)
    _ = try player.tell([])
    try server.passTick()
    let board = try player.event { $0.phase.phase == .ended }.phase.board
    #expect(board.map(\.latePercent) == [82] && board.map(\.withheldPercent) == [0])
  }

  @Test("A failure of the store excuses late fixes for two minutes, and not for ever")
  func excuse() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let (player, _) = try solo(server, seconds: 600)
    let beganMs = server.clock.now().milliseconds
    try server.pass(seconds: 100, player)
    store.fail(with: .full)
    try player.send(.readChat(WireReadChat()), id: 900)
    while store.failedCount == 0 { _ = server.report() }
    let fixes = walk(from: beganMs, seconds: 1...100)
    #expect(try player.refusal(of: .moves(TestPlayer.moves(fixes))).code == .storeUnavailable)
    store.fail(with: nil)
    try server.pass(seconds: 5, player)
    #expect(try player.tell(Array(fixes[..<50]), more: true).accepted == 50)
    try server.pass(seconds: 116, player)
    #expect(try player.tell(Array(fixes[50...]), more: true).accepted == 50)
    try server.pass(seconds: 379, player)
    _ = try player.tell([])
    try server.passTick()
    let board = try player.event { $0.phase.phase == .ended }.phase.board
    #expect(board.map(\.latePercent) == [100] && board.map(\.withheldPercent) == [50])
  }

  @Test("A late fix in a `move` of its own says nothing of further ones, so no board waits for them")
  func single() throws {
    let server = try TestServer(shards: 1)
    let (player, _) = try solo(server, seconds: 60)
    let beganMs = server.clock.now().milliseconds
    try server.pass(seconds: 50, player)
    try player.expectOk(.move(walk(from: beganMs, seconds: 5...5)[0]))
    try server.pass(seconds: 9, player)
    try player.expectOk(.move(walk(from: beganMs, seconds: 59...59)[0]))
    try server.pass(seconds: 1, player)
    try server.passTick()
    let board = try player.event { $0.phase.phase == .ended }.phase.board
    #expect(board.map(\.points) == [2] && board.map(\.latePercent) == [50])
  }

  @Test("Columns that don't fit each other, and times beyond any, are refused by name")
  func columns() throws {
    let server = try TestServer(shards: 1)
    let (player, _) = try solo(server, seconds: 600)
    var moves = WireMoves()
    func refusal() throws -> WireError { try player.refusal(of: .moves(moves)) }
    moves.afterMs = [0, 1]
    #expect(try refusal().code == .outOfRange)
    (moves.latE7, moves.lngE7, moves.accuracyM) = ([1, 1], [1, 1], [5, 5])
    #expect(try refusal().message.contains("timeMs"))
    moves.timeMs = .max
    #expect(try refusal().code == .outOfRange)
    moves.afterMs = [1, 1]
    #expect(try refusal().message.contains("afterMs"))
    moves.afterMs = [0, 1]
    moves.timeMs = .min
    guard case .moved(let moved) = try player.request(.moves(moves)) else { throw TestFailure("no moved") }
    #expect(moved.refused == 2 && moved.reasons.map(\.verdict) == [.outsideGame])
  }

  @Test("Fixes outside a room, of a spectator, and of a game that is over have each their answer")
  func elsewhere() throws {
    let server = try TestServer(shards: 1)
    let loner = try server.player("가람")
    #expect(try loner.refusal(of: .moves(WireMoves())).code == .notInRoom)
    let (player, _) = try solo(server, seconds: 10)
    let beganMs = server.clock.now().milliseconds
    try player.expectOk(.move(walk(from: beganMs, seconds: 0...0)[0]))
    try server.pass(seconds: 10, player)
    #expect(try player.tell([]).accepted == 0)
    try server.passTick()
    _ = try player.event { $0.phase.phase == .ended }
    let late = try player.tell(walk(from: beganMs, seconds: 1...9))
    #expect(late.refused == 9 && late.throughMs == beganMs + 9_000)
    #expect(try player.results().results.map(\.points) == [1])
  }
}
