// A game's track in the console: it shows what the players have seen.
import ClientModel
import Foundation
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct ConsoleTrackTests {
  /// A track, parsed.
  private struct Track {
    let json: [String: Any]

    init(_ game: String, _ operators: TestOperators) throws {
      let answer = try operators.get("/console/games/\(game)/track", TestOperators.bearer)
      guard answer.status == 200 else { throw TestFailure("\(answer.status): \(answer.body)") }
      #expect(answer.field("Content-Type") == "application/json")
      json = try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any] ?? [:]
    }

    var room: WireRoom { get throws { try json.wireRoom("room") } }

    var ticks: [WireTick] {
      get throws { try json.rows("ticks").map { try ["tick": $0].wireTick("tick") } }
    }

    /// The room at the track's end.
    var end: ShownRoom {
      get throws {
        var copy = try RoomCopy(try room)
        for tick in try ticks { try copy.take(tick, as: nil) }
        return ShownRoom(copy)
      }
    }
  }

  /// A game of two players who walk and chat, and the guest's copy of it.
  private final class Played {
    let operators: TestOperators
    let host: TestPlayer
    let guest: TestPlayer
    private var copy: RoomCopy
    let id: String

    init(_ store: any Store, mode: WireMode = .footprint) throws {
      operators = try TestOperators(store: store)
      host = try operators.game.player("host")
      guest = try operators.game.player("guest", .proto)
      let room = try host.createRoom { room in
        room.mode = mode
        room.durationS = 20
      }
      copy = try RoomCopy(try guest.joinRoom(room.code))
      try host.expectOk(.chat(TestPlayer.chat("before")))
      try operators.game.passTick()
      try host.expectOk(.startGame(WireStartGame()))
      id = try #require(try TestConsole(operators).watch("rooms").rows("rows").first?.text("id"))
    }

    /// Walks for a second, up to the tick after it.
    func walk(_ second: Int) throws {
      let step = Int32(second) * 400
      try host.expectOk(.move(TestPlayer.move(375_665_000 + step, 1_269_780_000)))
      try guest.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000 + step)))
      if second % 3 == 0 { try guest.expectOk(.chat(TestPlayer.chat("at \(second)"))) }
      // Both are notified of what they did; a second is over.
      for _ in 0..<9 { try operators.game.passTick() }
      operators.game.clock.advance(milliseconds: 64)
      try host.pump()
    }

    func catchUp() throws {
      try operators.game.passTick()
      try operators.game.passTick()
      _ = try guest.request(.time(WireTimeRequest()))
      while let tick = guest.takeTick() { try copy.take(tick, as: nil) }
    }

    /// The room as the guest has it. A game's journal begins without earlier chats.
    var seen: ShownRoom {
      var seen = ShownRoom(copy)
      seen.chats.removeAll { $0 == "before" }
      return seen
    }
  }

  @Test(
    "The track of a finished game ends with what its players saw, at a tick a second",
    arguments: TestStore.Kind.allCases
  )
  func ended(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let played = try Played(kept.store)
    for second in 0..<20 { try played.walk(second) }
    try played.catchUp()
    #expect(played.seen.phase == .ended)
    let track = try Track("\(played.id)-1", played.operators)
    #expect(track.json.text("game") == "\(played.id)-1" && track.json.text("mode") == "FOOTPRINT")
    let took = try #require(track.json.int("endedAtMs")) - (try #require(track.json.int("startedAtMs")))
    #expect(took == 20_000)
    let room = try track.room
    #expect(room.phase == .playing && room.gameID == "\(played.id)-1" && !room.hasYou)
    #expect(room.players.map(\.nickname) == ["host", "guest"])
    #expect(room.chats.isEmpty)
    let ticks = try track.ticks
    #expect((19...22).contains(ticks.count))
    #expect(ticks.map(\.gameMs) == ticks.map(\.gameMs).sorted())
    #expect(try track.end == played.seen)
    // The board stays for a minute; the next game has a track of its own.
    try played.host.expectOk(.playAgain(WirePlayAgain()))
    try played.host.expectOk(.startGame(WireStartGame()))
    #expect(try Track("\(played.id)-1", played.operators).end == played.seen)
    #expect(try Track("\(played.id)-2", played.operators).json["endedAtMs"] == nil)
  }

  @Test("The track of a running game ends with the last commit", arguments: TestStore.Kind.allCases)
  func running(kind: TestStore.Kind) throws {
    let kept = try TestStore(kind)
    let played = try Played(kept.store)
    for second in 0..<5 { try played.walk(second) }
    try played.catchUp()
    let track = try Track("\(played.id)-1", played.operators)
    #expect(track.json["endedAtMs"] == nil)
    #expect(try track.end == played.seen)
    for second in 5..<8 { try played.walk(second) }
    try played.catchUp()
    #expect(try Track("\(played.id)-1", played.operators).end == played.seen)
  }

  @Test("A game over ground has its ground in the track, and a game that survived a crash is complete")
  func groundOverACrash() throws {
    let kept = try TestStore(.memory)
    let first = try TestServer(store: kept.store)
    let host = try first.player("host")
    let guest = try TestPlayer(port: first.port)
    let token = try guest.hello("guest").sessionToken
    let room = try host.createRoom { room in
      room.mode = .territory
      room.durationS = 120
    }
    _ = try guest.joinRoom(room.code)
    try host.expectOk(.startGame(WireStartGame()))
    let corners: [(Int32, Int32)] = [(0, 0), (0, 5), (5, 5), (5, 0), (0, 0)]
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 0..<5 {
        let lat = from.0 + (to.0 - from.0) / 5 * Int32(step)
        let lng = from.1 + (to.1 - from.1) / 5 * Int32(step)
        try host.expectOk(.move(TestPlayer.move(375_665_000 + lat * 720, 1_269_780_000 + lng * 900)))
        try first.pass(seconds: 1, host, guest)
      }
    }
    try host.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    _ = try first.report { $0.isCommitted }
    first.server.abandon {}
    let operators = try TestOperators(store: kept.store, clock: first.clock)
    let again = try TestPlayer(port: operators.game.port)
    let welcome = try again.resume(token)
    #expect(!welcome.room.cellStarts.isEmpty)
    let track = try Track(welcome.room.gameID, operators)
    let (end, now) = (try track.end, ShownRoom(try RoomCopy(welcome.room)))
    #expect(end.cells == now.cells && end.rows == now.rows)
    #expect(try track.ticks.count > 10)
    withExtendedLifetime(again) {}
  }

  @Test("A track is refused without the token, and for an unknown game")
  func access() throws {
    let played = try Played(MemoryStore())
    let path = "/console/games/\(played.id)-1/track"
    #expect(try played.operators.get(path).status == 401)
    #expect(try played.operators.get(path, TestOperators.bearer, "Origin: https://evil.example").status == 403)
    #expect(try played.operators.get(path, TestOperators.bearer).status == 200)
    for path in [
      "/console/games/\(played.id)-2/track", "/console/games/\(played.id)-0/track", "/console/games/x/track",
      "/console/games/\(played.id)-1", "/console/games/\(played.id)-1/track/", "/console/games//track",
    ] {
      #expect(try played.operators.get(path, TestOperators.bearer).status == 404, "\(path)")
    }
  }

  @Test("A track is compressed for clients that accept it")
  func compression() throws {
    let played = try Played(MemoryStore())
    for second in 0..<5 { try played.walk(second) }
    let path = "/console/games/\(played.id)-1/track"
    let plain = try played.operators.get(path, TestOperators.bearer)
    let packed = try played.operators.get(path, TestOperators.bearer, "Accept-Encoding: gzip")
    #expect(packed.field("Content-Encoding") == "gzip" && packed.bytes.starts(with: [0x1F, 0x8B]))
    #expect(packed.bytes.count < plain.bytes.count && plain.field("Content-Encoding") == nil)
    #expect(packed.field("Vary") == "Accept-Encoding" && packed.field("Cache-Control") == "no-store")
  }

  @Test("A bounded number of tracks may wait; further requests get a Retry-After, and other requests are answered")
  func tooMany() throws {
    let store = StubbornStore()
    let played = try Played(store)
    store.holdJournals()
    let request = """
      GET /console/games/\(played.id)-1/track HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
      \(TestOperators.bearer)\r\n\r\n
      """
    let sockets = try (0..<5).map { _ in
      let socket = try TestSocket(port: played.operators.port)
      try socket.send(Array(request.utf8))
      return socket
    }
    // The last of them is refused at once.
    var refused = 0
    for _ in 0..<10_000 where refused == 0 {
      #expect(try played.operators.get("/stats", TestOperators.bearer).status == 200)
      refused = sockets.count { $0.hasInput }
    }
    #expect(refused == 1)
    for _ in 0..<4 { store.releaseJournal() }
    let answers = try sockets.map { String(decoding: try $0.receiveToEnd(), as: UTF8.self) }
    #expect(answers.count { $0.hasPrefix("HTTP/1.1 200 ") } == 4)
    #expect(answers.count { $0.hasPrefix("HTTP/1.1 503 ") } == 1)
  }
}
