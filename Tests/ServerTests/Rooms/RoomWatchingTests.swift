// Players who come in to watch alone, as a big screen does, over real sockets.
import MadangProtocol
import TestSupport
import Testing

@Suite("Watching alone")
struct RoomWatchingTests {
  @Test(
    "A watcher is a spectator through lobby, game, board and next lobby, and players are told",
    arguments: [1, 2],
    Subprotocol.allCases
  )
  func wholeGame(shards: Int, subprotocol: Subprotocol) throws {
    let server = try TestServer(shards: shards)
    let host = try TestPlayer(port: server.port)
    _ = try host.hello("가람")
    let made = try host.createRoom { $0.durationS = 10 }
    let screen = try server.player("화면", subprotocol)
    let state = try screen.joinRoom(made.code, watch: true)
    #expect(state.you.spectator == 0 && !state.you.isSeat)
    #expect(state.players.map(\.watching) == [false, true])
    let late = try server.player("나래")
    _ = try late.joinRoom(made.code)
    try server.passTick()
    var joined: [Bool] = []
    while joined.count < 2 { joined += try host.tick().events.filter { $0.number > 2 }.map(\.joined.watching) }
    #expect(joined == [true, false])
    #expect(try screen.refusal(of: .startGame(WireStartGame())).code == .seatNeeded)
    try host.expectOk(.startGame(WireStartGame()))
    try server.pass(seconds: 12, host, screen, late)
    try server.passTick()
    try server.passTick()
    _ = try screen.event { $0.phase.phase == .ended }
    try host.expectOk(.playAgain(WirePlayAgain()))
    try server.passTick()
    _ = try screen.event { $0.phase.phase == .lobby }
    let newcomer = try server.player("다온")
    let seen = try newcomer.joinRoom(made.code)
    #expect(seen.players.map(\.watching) == [false, false, false, true])
    #expect(seen.you.seat == 2)
  }

  @Test("A room without spectators refuses a watcher clearly; a full room of spectators too")
  func refusals() throws {
    let server = try TestServer()
    let host = try server.player("가람")
    let code = try host.createRoom { $0.spectators = false }.code
    let screen = try server.player("화면")
    #expect(try screen.refusal(of: .joinRoom(TestPlayer.join(code, watch: true))).code == .noSpectators)
    #expect(try screen.joinRoom(code).you.isSeat)
    let other = try server.player("나래")
    let open = try other.createRoom { $0.capacity = 2 }.code
    for number in 0..<4 { _ = try server.player("화면 \(number)").joinRoom(open, watch: true) }
    let fifth = try server.player("화면")
    #expect(try fifth.refusal(of: .joinRoom(TestPlayer.join(open, watch: true))).code == .roomFull)
    #expect(try fifth.joinRoom(open).you.isSeat)
  }

  @Test("After a crash a watcher comes back as a watcher, into a lobby with free seats", arguments: [1, 2])
  func restart(shards: Int) throws {
    let server = try TestServer(shards: shards)
    let host = try TestPlayer(port: server.port)
    let screen = try TestPlayer(port: server.port)
    let tokens = (try host.hello("가람").sessionToken, try screen.hello("화면").sessionToken)
    let code = try host.createRoom().code
    _ = try screen.joinRoom(code, watch: true)
    let again = try server.crash(downFor: 60)
    let back = try TestPlayer(port: again.port)
    let room = try back.resume(tokens.1).room
    #expect(room.code == code && !room.you.isSeat)
    #expect(room.players.map(\.watching) == [false, true])
    let hostBack = try TestPlayer(port: again.port)
    #expect(try hostBack.resume(tokens.0).room.you.seat == 0)
  }

  @Test("A watcher whom the host lets in watches")
  func consent() throws {
    let server = try TestServer(shards: 2)
    let host = try server.player("가람")
    let code = try host.createRoom { $0.consent = true }.code
    let screen = try TestPlayer(port: server.port)
    let welcome = try screen.hello("화면")
    try screen.send(.joinRoom(TestPlayer.join(code, watch: true)), id: 77)
    var answer = WireAnswerJoin()
    answer.playerID = welcome.playerID
    answer.admit = true
    _ = try host.first { $0.joinAsked.playerID == welcome.playerID }
    try host.expectOk(.answerJoin(answer))
    guard case .room(let room) = try screen.reply(to: 77) else { throw TestFailure("no room") }
    #expect(!room.you.isSeat && room.players.map(\.watching) == [false, true])
  }
}

extension WirePlace {
  fileprivate var isSeat: Bool { if case .seat = place { true } else { false } }
}
