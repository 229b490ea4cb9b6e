// A disk that loses rooms' events: no room is rebuilt as if nothing were missing, and the surviving state in memory is
// written down.
import Game
import MadangProtocol
import Server
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct DamageTests {
  /// A player alone in a game of a room for two, who has walked a step.
  private func game(_ server: TestServer) throws -> (TestPlayer, token: String) {
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    _ = try player.createRoom {
      $0.solo = true; $0.durationS = 100
    }
    try player.expectOk(.startGame(WireStartGame()))
    try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    return (player, token)
  }

  @Test("A room with a missing piece keeps its state before the piece, and continues from there")
  func missingPiece() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let (player, token) = try game(server)
    try server.pass(seconds: 2, player)
    try player.expectOk(.chat(TestPlayer.chat("먼저")))
    store.loseSegments(true)
    try player.expectOk(.chat(TestPlayer.chat("잃은 말")))
    store.loseSegments(false)
    try server.pass(seconds: 3, player)
    try player.expectOk(.chat(TestPlayer.chat("나중")))
    let restoration = try Restoration(from: store)
    #expect(restoration.roomCount == 1)
    #expect(restoration.complaints.count == 1 && restoration.complaints[0].contains("something is missing"))

    var again = try server.crash(downFor: 60)
    var back = try TestPlayer(port: again.port)
    var room = try back.resume(token).room
    #expect(room.chats.map(\.chat.text) == ["먼저"])
    // Its clock stands at the beginning of the loss, not at the server's end.
    #expect((2_000...2_300).contains(room.gameMs))
    try back.expectOk(.chat(TestPlayer.chat("다시")))

    // The loss is reported once only.
    again = try again.crash()
    #expect(try Restoration(from: store).complaints == [])
    back = try TestPlayer(port: again.port)
    room = try back.resume(token).room
    #expect(room.chats.map(\.chat.text) == ["먼저", "다시"])
  }

  @Test(
    "A game whose end is lost continues as another one, and its new end counts; no event number is reused",
    arguments: [true, false]
  )
  func lostEnd(isNoticed: Bool) throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: store)
    let (player, token) = try game(server)
    try server.pass(seconds: 2, player)
    store.loseSegments(true)
    // Its end waits 30 s for the fixes of a silent player.
    try server.pass(seconds: 129, player)
    try player.expectOk(.chat(TestPlayer.chat("끝")))
    try server.passTick()
    let lastNumber = try player.event { $0.body?.name == "chat" }.number
    let before = try player.results().results
    try #require(before.count == 1)
    store.loseSegments(false)
    // A later chunk shows the loss; without one only the store knows.
    if isNoticed { try player.expectOk(.chat(TestPlayer.chat("나중"))) }
    #expect(try Restoration(from: store).complaints.count == 1)

    let again = try server.crash()
    let back = try TestPlayer(port: again.port)
    let welcome = try back.resume(token, afterEvent: lastNumber)
    #expect(welcome.room.phase == .playing && welcome.room.gameID != before[0].gameID)
    #expect(welcome.gap && welcome.events.allSatisfy { $0.number > lastNumber })
    try again.pass(seconds: 131, back)
    let results = try back.results().results
    #expect(results.count == 2 && results[1] == before[0])
    #expect(try Restoration(from: store).complaints == [])
  }

  @Test("A damaged segment is reported, and every room is written from memory: a later crash loses nothing")
  func writtenDown() throws {
    let store = StubbornStore()
    let notifications = Mutex<[OperatorNotification]>([])
    let server = try TestServer(shards: 2, store: store) {
      $0.notifyOperator = { item in if item.isOfStore { notifications.withLock { $0.append(item) } } }
    }
    let (player, token) = try game(server)
    store.loseSegments(true)
    try player.expectOk(.chat(TestPlayer.chat("먼저")))
    store.loseSegments(false)
    try player.expectOk(.chat(TestPlayer.chat("나중")))
    #expect(try Restoration(from: store).complaints.count == 1)
    let damaged = DamagedSegment(number: 7, writtenAt: Instant(milliseconds: 3), byteCount: 100)
    store.find(damaged)
    // Until the next maintenance.
    while notifications.withLock({ $0.isEmpty }) { try server.pass(seconds: 1, player) }
    #expect(notifications.withLock { $0 } == [.gateway(.segmentLost(damaged))])
    _ = try server.report { $0.isCommitted }
    #expect(try Restoration(from: store).complaints == [])
    let again = try server.crash()
    let back = try TestPlayer(port: again.port)
    #expect(try back.resume(token).room.chats.map(\.chat.text) == ["먼저", "나중"])
  }
}
