// Requests whose change the store does not write in time: refused once, without a promise that nothing has changed.
import MadangProtocol
import Store
import TestSupport
import Testing

@Suite struct UnwrittenTests {
  @Test(
    "A chat that can't be written within 5 s is refused once; written later, it is shown",
    arguments: [true, false]
  )
  func chat(isStalled: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let host = try server.player("host")
    let guest = try server.player("guest", .proto)
    _ = try guest.joinRoom(try host.createRoom().code)
    try server.passTick()
    if isStalled { store.hold() } else { store.fail(with: .full) }
    try host.send(.chat(TestPlayer.chat("안녕")), id: 900)
    // Its answer shows that the chat has arrived.
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    while store.heldCount + store.failedCount == 0 { _ = server.report() }
    try server.pass(halfSeconds: 9, host, guest)
    #expect(!host.inbox.contains { $0.replyTo == 900 })
    try server.pass(halfSeconds: 3, host, guest)
    guard case .error(let error) = try host.reply(to: 900) else { throw TestFailure("not refused") }
    #expect(error.code == .storeUnavailable && !error.hasRetryAfterMs)
    // A request from now on has no effect, and is told so.
    #expect(try guest.refusal(of: .chat(TestPlayer.chat("나도"))).retryAfterMs == 1_000)
    try server.pass(halfSeconds: 20, host, guest)
    #expect(!host.inbox.contains { $0.hasReplyTo })

    if isStalled { store.release() } else { store.fail(with: nil) }
    while !server.report().isCommitted { server.clock.advance(milliseconds: 100) }
    server.clock.advance(milliseconds: 104)
    #expect(try guest.event { $0.body?.name == "chat" }.chat.text == "안녕")
    try host.expectOk(.chat(TestPlayer.chat("다시")))
    #expect(!host.inbox.contains { $0.hasReplyTo })
  }

  @Test("A room that can't be written within 5 s is refused with a close; written later, it is there")
  func room() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let host = try TestPlayer(port: server.port)
    let token = try host.hello("host").sessionToken
    store.hold()
    try host.send(.createRoom(WireCreateRoom()), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    try server.pass(halfSeconds: 12, host)
    guard case .error(let error) = try host.reply(to: 900) else { throw TestFailure("not refused") }
    #expect(error.code == .storeUnavailable && !error.hasRetryAfterMs)
    #expect(try host.awaitEnd() == CloseCode.storeUnavailable.rawValue)
    store.release()
    _ = try server.report { $0.isCommitted }
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(token).room.you.seat == 0)
  }

  @Test("A hello and an account's change that can't be written within 5 s are refused with a close")
  func account() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("before").sessionToken
    store.hold()
    let newcomer = try TestPlayer(port: server.port)
    try newcomer.send(.hello(TestPlayer.hello("new", secret: "the secret of a newcomer")), id: 900)
    try player.send(.setNickname(TestPlayer.setNickname("after")), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    try server.pass(halfSeconds: 14, player, newcomer)
    for each in [player, newcomer] {
      guard case .error(let error) = try each.reply(to: 900) else { throw TestFailure("not refused") }
      #expect(error.code == .storeUnavailable && !error.hasRetryAfterMs)
      #expect(try each.awaitEnd() == CloseCode.storeUnavailable.rawValue)
    }
    store.release()
    _ = try server.report { $0.isCommitted }
    let back = try TestPlayer(port: server.port)
    #expect(try back.resume(token).player.nickname == "after")
    let again = try TestPlayer(port: server.port)
    try again.hello("new", secret: "the secret of a newcomer")
  }

  @Test("A join that waits for an older answer is refused with a time, has changed nothing, and the connection goes on")
  func joinBehindAnAnswer() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 2, store: store)
    // Connections go to the shards in turn, and rooms stay on their creators' shards.
    let (one, other) = (try server.player("one"), try server.player("other"))
    let (left, wanted) = (try one.createRoom().code, try other.createRoom().code)
    #expect(try server.shard(of: left).index != server.shard(of: wanted).index)
    store.hold()
    try one.send(.leaveRoom(WireLeaveRoom()), id: 900)
    try one.send(.joinRoom(TestPlayer.join(wanted)), id: 901)
    while store.heldCount == 0 { _ = server.report() }
    try server.pass(halfSeconds: 14, one, other)
    guard case .error(let leaving) = try one.reply(to: 900), case .error(let joining) = try one.reply(to: 901) else {
      throw TestFailure("not refused")
    }
    #expect(leaving.code == .storeUnavailable && !leaving.hasRetryAfterMs)
    #expect(joining.code == .storeUnavailable && joining.retryAfterMs == 1_000)
    guard case .time = try one.request(.time(WireTimeRequest())) else { throw TestFailure("no time") }
    store.release()
    _ = try server.report { $0.isCommitted }
    #expect(try one.joinRoom(wanted).players.map(\.nickname) == ["other", "one"])
  }
}
