// Positions over real sockets: streamed with the tick, judged by the rules, one system call for a player and tick.
import MadangProtocol
import TestSupport
import Testing

@Suite struct PositionsTests {
  @Test("A player gets one send a tick, whatever the tick has and in either encoding")
  func oneSendForAPlayerAndTick() throws {
    let server = try TestServer(shards: 1)
    let players = try (0..<4).map { try server.player("player \($0)", $0 % 2 == 0 ? .json : .proto) }
    let room = try players[0].createRoom()
    for player in players.dropFirst() { _ = try player.joinRoom(room.code) }
    try players[0].expectOk(.startGame(WireStartGame()))
    try server.passTick()
    for player in players { _ = try player.event { $0.phase.phase == .playing } }
    let before = server.report()
    var movesSent = 0
    for step in 1...20 {
      for (index, player) in players.enumerated() {
        // Every third fix of the last player is forged, so its own verdict comes with the tick.
        let isForged = index == 3 && step % 3 == 0
        var move = TestPlayer.move(375_665_000 + Int32(step) * 100, 1_269_780_000)
        move.mocked = isForged
        try player.send(.move(move))
        movesSent += 1
      }
      _ = try server.report { $0.net.messagesIn == before.net.messagesIn + movesSent }
      try server.passTick()
      for (index, player) in players.enumerated() {
        #expect(try player.tick().seats.contains(UInt32(index)) || index == 3)
      }
    }
    let after = server.report()
    #expect(after.play.rooms.tickFrames - before.play.rooms.tickFrames == 4 * 20)
    #expect(after.net.sends - before.net.sends == 4 * 20)
  }

  @Test("A forged fix is reported to its player alone, with the reason")
  func verdict() throws {
    let server = try TestServer()
    let host = try server.player("host")
    let guest = try server.player("guest")
    let room = try host.createRoom()
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    try guest.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    server.clock.advance(seconds: 1)
    var mocked = TestPlayer.move(385_665_000, 1_269_780_000)
    mocked.mocked = true
    try guest.expectOk(.move(mocked))
    try server.passTick()
    let message = try guest.first { if case .verdict = $0.body { true } else { false } }
    #expect(message.verdict.fix == .mocked)
    #expect(!message.verdict.suspect)
    try host.expectOk(.chat(TestPlayer.chat("anything after the verdict")))
    try server.passTick()
    _ = try host.event { $0.body.isChat }
    #expect(!host.inbox.contains { if case .verdict = $0.body { true } else { false } })
  }

  @Test("Fixes without a time that the network delivers together are not refused")
  func bunched() throws {
    let server = try TestServer(shards: 1)
    let player = try server.player("player")
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    for second in 0..<4 {
      let fixes = (0..<3).map { TestPlayer.move(375_665_000 + Int32(second * 600 + $0 * 100), 1_269_780_000) }
      try player.socket.send(fixes.flatMap { player.frame(.move($0), id: nil) })
      _ = try player.request(.time(WireTimeRequest()))
      server.clock.advance(seconds: 1)
    }
    try server.passTick()
    var points: UInt32 = 0
    while points < 4 { points = try player.tick().points.last ?? points }
    #expect(!player.inbox.contains { if case .verdict = $0.body { true } else { false } })
  }

  @Test("A move without a place, or with an out-of-range value, is refused by name")
  func badMoves() throws {
    let server = try TestServer()
    let host = try server.player("host")
    _ = try host.createRoom()
    var move = WireMove()
    move.lngE7 = 5
    let error = try host.refusal(of: .move(move))
    #expect(error.code == .outOfRange)
    #expect(error.message.contains("latE7"))
    try host.send(text: #"{"id":70,"move":{"latE7":99999999999,"lngE7":0}}"#)
    guard case .error(let tooLarge) = try host.reply(to: 70) else { throw TestFailure("not refused") }
    #expect(tooLarge.code == .malformed)
  }
}
