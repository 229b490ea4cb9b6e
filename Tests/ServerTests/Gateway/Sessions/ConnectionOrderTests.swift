// A player's newest connection wins, even where the store or a shard gets to the older one's request later. The older
// one may be dead, and the server does not know it yet.
import MadangProtocol
import Net
import TestSupport
import Testing

@Suite struct ConnectionOrderTests {
  private let secret = "the secret of a phone"

  /// Two shards, each of which cuts off a piece of its journal at most every 50 ms. Connections go to them in turn: the
  /// first and the third have the same shard.
  private func server() throws -> TestServer {
    try TestServer(shards: 2) { $0.gateway.commitIntervalMilliseconds = 50 }
  }

  /// Waits until all sent messages have been read, though perhaps not committed.
  private func expectRead(_ messages: Int, by server: TestServer) throws {
    _ = try server.report { $0.net.messagesIn == messages }
  }

  @Test("A late hello neither closes the player's newer connection nor ends its session")
  func lateHello() throws {
    let server = try server()
    let busy = try TestPlayer(port: server.port)
    let idle = try TestPlayer(port: server.port)
    let older = try TestPlayer(port: server.port)
    let newer = try TestPlayer(port: server.port)
    // So that the next piece of this shard is 50 ms away.
    try busy.hello("busy")
    try older.send(.hello(TestPlayer.hello("가람", secret: secret)), id: 1)
    try expectRead(2, by: server)
    let welcome = try newer.hello("가람", secret: secret)
    #expect(!older.socket.hasInput)
    server.clock.advance(milliseconds: 60)
    #expect(try older.awaitEnd() == CloseCode.replaced.rawValue)
    #expect(older.inbox.isEmpty)
    let code = try newer.createRoom().code
    server.clock.advance(milliseconds: 60)
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(welcome.sessionToken).room.code == code)
    #expect(idle.closeCode == nil)
  }

  @Test("A late resume does not close the player's newer connection")
  func lateResume() throws {
    let server = try server()
    let busy = try TestPlayer(port: server.port)
    let first = try TestPlayer(port: server.port)
    let token = try first.hello("가람", secret: secret).sessionToken
    first.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    server.clock.advance(milliseconds: 60)
    let older = try TestPlayer(port: server.port)
    let newer = try TestPlayer(port: server.port)
    try busy.hello("busy")
    var resume = WireResume()
    resume.sessionToken = token
    try older.send(.resume(resume), id: 1)
    try expectRead(3, by: server)
    _ = try newer.resume(token)
    #expect(!older.socket.hasInput)
    server.clock.advance(milliseconds: 60)
    #expect(try older.awaitEnd() == CloseCode.replaced.rawValue)
    _ = try newer.createRoom()
  }

  @Test("A hello that completes after a newer connection's resume does not end the session")
  func lateHelloAfterResume() throws {
    let server = try server()
    let busy = try TestPlayer(port: server.port)
    let first = try TestPlayer(port: server.port)
    let token = try first.hello("가람", secret: secret).sessionToken
    first.socket.reset()
    _ = try server.report { $0.net.connectionsClosed == 1 }
    server.clock.advance(milliseconds: 60)
    let older = try TestPlayer(port: server.port)
    let newer = try TestPlayer(port: server.port)
    try busy.hello("busy")
    try older.send(.hello(TestPlayer.hello("가람", secret: secret)), id: 1)
    try expectRead(3, by: server)
    _ = try newer.resume(token)
    #expect(!older.socket.hasInput)
    server.clock.advance(milliseconds: 60)
    #expect(try older.awaitEnd() == CloseCode.replaced.rawValue)
    newer.socket.reset()
    server.clock.advance(milliseconds: 60)
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(token).player.nickname == "가람")
  }

  @Test("Late taps and choices change nothing that the newer connection was sent")
  func lateTaps() throws {
    let server = try TestServer(shards: 2, store: TestSchools.store())
    let older = try TestPlayer(port: server.port)
    let newer = try TestPlayer(port: server.port)
    try older.hello("가람", secret: secret)
    try older.expectOk(.chooseSchool(TestPlayer.school("A1")))
    #expect(try older.tap(1, 10).myCount == 10)
    let shard = try #require(server.server.shards.first { server.messages(on: $0) > 0 })
    // The older one's messages are ready to be read behind the second hold, in a turn in which the shard hears no more.
    let first = ShardPause(shard)
    let second = ShardPause(afterMailboxOf: shard)
    try older.send(.tap(TestPlayer.taps(2, 5)), id: 700)
    try older.send(.chooseSchool(TestPlayer.school("A2")), id: 701)
    first.end()
    second.awaitStart()
    let standing = try newer.hello("가람", secret: secret).player
    #expect(standing.schoolID == "A1" && standing.lastTapBatch == 1 && standing.myCount == 10)
    second.end()
    #expect(try older.awaitEnd() == CloseCode.replaced.rawValue)
    #expect(older.inbox.isEmpty)
    let answer = try newer.tap(2, 7)
    #expect(answer.batch == 2 && answer.myCount == 17 && answer.schoolCount == 17)
  }

  @Test("Connections of today are newer than those of yesterday, even if the clock was set back in between")
  func clockSetBack() throws {
    let ahead = ManualClock()
    ahead.advance(seconds: 3_600)
    let server = try TestServer(clock: ahead)
    let token = try TestPlayer(port: server.port).hello("가람", secret: secret).sessionToken
    let store = server.store
    _ = try server.crash()
    let again = try TestServer(store: store)
    #expect(try TestPlayer(port: again.port).resume(token).player.nickname == "가람")
    #expect(try TestPlayer(port: again.port).hello("가람", secret: secret).player.nickname == "가람")
  }

  @Test(
    "While commits are stopped the newest connection still wins, whether the older is known to be dead or not",
    arguments: [true, false]
  )
  func heldCommits(isKnown: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(store: store)
    store.hold()
    let older = try TestPlayer(port: server.port)
    try older.send(.hello(TestPlayer.hello("가람", secret: secret)), id: 1)
    try expectRead(1, by: server)
    if isKnown {
      older.socket.reset()
      _ = try server.report { $0.net.connectionsClosed == 1 }
    }
    let newer = try TestPlayer(port: server.port)
    try newer.send(.hello(TestPlayer.hello("가람", secret: secret)), id: 700)
    try expectRead(2, by: server)
    store.release()
    guard case .welcome(let welcome) = try newer.reply(to: 700) else { throw TestFailure("no welcome") }
    if !isKnown { #expect(try older.awaitEnd() == CloseCode.replaced.rawValue) }
    let code = try newer.createRoom().code
    newer.socket.reset()
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(welcome.sessionToken).room.code == code)
  }
}
