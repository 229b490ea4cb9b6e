// The console's lists: rooms, connections, schools, stored rows; filtered, in order, page by page.
import MadangProtocol
import TestSupport
import Testing

@Suite struct ConsoleListTests {
  /// Rooms of 1 to `count` players over three shards; the largest one has a game.
  private func crowd(_ operators: TestOperators, _ count: Int) throws -> (players: [TestPlayer], codes: [String]) {
    var players: [TestPlayer] = []
    var codes: [String] = []
    for size in 1...count {
      let host = try operators.game.player("host \(size)")
      let room = try host.createRoom { $0.capacity = 8 }
      codes.append(room.code)
      players.append(host)
      for number in 1..<size {
        let guest = try operators.game.player("guest \(size) \(number)")
        _ = try guest.joinRoom(room.code)
        players.append(guest)
      }
      if size == count { try host.expectOk(.startGame(WireStartGame())) }
    }
    return (players, codes)
  }

  @Test("Rooms of all shards are filtered by code, identifier, mode and phase")
  func roomFilters() throws {
    let operators = try TestOperators(shards: 3)
    let (players, codes) = try crowd(operators, 4)
    let alone = try operators.game.player("alone")
    _ = try alone.createRoom { room in
      room.solo = true
      room.mode = .territory
    }
    let console = try TestConsole(operators)
    let all = try console.watch("rooms")
    #expect(all.int("total") == 5 && all.int("matching") == 5 && all.int("offset") == 0)
    let rows = all.rows("rows")
    #expect(Set(rows.map { $0.text("code") }) == Set(codes + [""]))
    #expect(Set(rows.map { $0.int("shard") }).count > 1, "the rooms are on several shards")
    let playing = try #require(rows.first { $0.text("phase") == "PLAYING" })
    #expect(playing.int("players") == 4 && playing.int("connected") == 4 && playing.int("capacity") == 8)
    #expect(rows.allSatisfy { $0["locked"] == nil && $0["consent"] == nil })
    #expect(playing.int("game") == 1 && playing.int("suspects") == 0 && playing.text("mode") == "FOOTPRINT")
    func found(_ members: String) throws -> [String?] {
      let list = try console.watch("rooms", members)
      operators.game.clock.advance(milliseconds: 60)
      #expect(list.int("total") == 5)
      #expect(list.int("matching") == list.rows("rows").count)
      return list.rows("rows").map { $0.text("code") }
    }
    let code = codes[1]
    for text in [code, code.lowercased(), code.replacing("-", with: ""), String(code.prefix(7)), " \(code) "] {
      #expect(try found("\"filter\":\"\(text)\"") == [code], "\(text)")
    }
    let id = try #require(rows.first { $0.text("code") == code }?.text("id"))
    #expect(try found("\"filter\":\"\(id)\"") == [code])
    #expect(try found("\"filter\":\"\(id.prefix(12))\"").contains(code))
    #expect(try found("\"filter\":\"U\"") == [])
    #expect(try found("\"filter\":\"가\"") == [])
    #expect(try found("\"mode\":\"territory\"") == [""])
    #expect(try found("\"phase\":\"PLAYING\"") == [codes[3]])
    #expect(try found("\"phase\":\"playing\",\"mode\":\"land\"") == [])
    withExtendedLifetime((players, alone)) {}
  }

  @Test("Rows of rooms tell who may come in: locked by the host, and asked about")
  func doors() throws {
    let operators = try TestOperators()
    let host = try operators.game.player("host")
    let code = try host.createRoom { $0.consent = true }.code
    var lock = WireLockRoom()
    lock.locked = true
    try host.expectOk(.lockRoom(lock))
    let console = try TestConsole(operators)
    let row = try #require(try console.watch("rooms").rows("rows").first)
    #expect(row.text("code") == code && row["locked"] as? Bool == true && row["consent"] as? Bool == true)
    lock.locked = false
    try host.expectOk(.lockRoom(lock))
    operators.game.clock.advance(milliseconds: 1_000)
    let open = try #require(try console.watch("rooms").rows("rows").first)
    #expect(open["locked"] == nil && open["consent"] as? Bool == true)
  }

  @Test("Rooms are listed in every defined order, and page by page as one list")
  func roomOrders() throws {
    let operators = try TestOperators(shards: 3)
    let (players, codes) = try crowd(operators, 5)
    let console = try TestConsole(operators)
    func rows(_ members: String) throws -> [[String: Any]] {
      defer { operators.game.clock.advance(milliseconds: 60) }
      return try console.watch("rooms", members).rows("rows")
    }
    let byPlayers = try rows("\"sort\":\"players\",\"descending\":true")
    #expect(byPlayers.map { $0.int("players") } == [5, 4, 3, 2, 1])
    #expect(try rows("\"sort\":\"connected\"").map { $0.int("connected") } == [1, 2, 3, 4, 5])
    #expect(try rows("\"sort\":\"code\"").map { $0.text("code") } == codes.sorted())
    #expect(try rows("\"sort\":\"phase\",\"descending\":true").first?.text("phase") == "PLAYING")
    #expect(try rows("\"sort\":\"game\",\"descending\":true").map { $0.int("game") } == [1, 0, 0, 0, 0])
    for sort in ["mode", "shard", "suspects"] {
      let numbers = try rows("\"sort\":\"\(sort)\"").compactMap { $0.int(sort) }
      #expect(numbers == numbers.sorted())
    }
    for isDescending in [true, false] {
      let order = "\"sort\":\"players\",\"descending\":\(isDescending)"
      let all = try rows(order).map { $0.text("id") }
      var paged: [String?] = []
      for offset in [0, 2, 4] { paged += try rows("\(order),\"offset\":\(offset),\"limit\":2").map { $0.text("id") } }
      #expect(paged == all)
    }
    #expect(try rows("\"offset\":1000000").isEmpty)
    withExtendedLifetime(players) {}
  }

  @Test("A list is sent again after a change, and only then")
  func changes() throws {
    let operators = try TestOperators()
    let console = try TestConsole(operators)
    #expect(try console.watch("rooms").int("total") == 0)
    for _ in 0..<3 { try console.step() }
    #expect(!console.inbox.contains { $0["rooms"] != nil })
    let player = try operators.game.player("player")
    let room = try player.createRoom()
    let list = try console.received("rooms") { $0.int("total") == 1 }
    #expect(list.rows("rows").first?.text("code") == room.code)
    // Only the overview is watched now.
    try console.send("{\"watch\":\"overview\"}")
    _ = try console.ask("\"query\":\"none\"")
    _ = try operators.game.player("other").createRoom()
    for _ in 0..<3 { try console.step() }
    #expect(!console.inbox.contains { $0["rooms"] != nil })
    withExtendedLifetime(player) {}
  }

  @Test("Connections are found by nickname, player and address, with the player's room")
  func connections() throws {
    let operators = try TestOperators(shards: 2)
    let named = try ["가람 One", "나래 two", "다솔 Three"].map { try operators.game.player($0, .proto) }
    let quiet = try TestPlayer(port: operators.game.port)
    let room = try named[0].createRoom()
    let console = try TestConsole(operators)
    let all = try console.watch("connections", "\"sort\":\"nickname\"")
    #expect(all.int("total") == 4 && all.int("matching") == 4)
    #expect(all.rows("rows").map { $0.text("nickname") } == [nil, "가람 One", "나래 two", "다솔 Three"])
    let first = try #require(all.rows("rows").dropFirst().first)
    #expect(first.text("code") == room.code && first.text("address") == "127.0.0.1")
    #expect(first.text("player") == room.players.first?.playerID)
    #expect(first.text("subprotocol") == Subprotocol.proto.rawValue)
    #expect(first.int("unsentBytes") == 0 && first["behind"] as? Bool == false)
    #expect(first.int("roundTripMs") != nil)
    let openedAtMs = try #require(first.int("openedAtMs"))
    #expect(abs(Int(operators.game.clock.now().milliseconds) - openedAtMs) < 1_000)
    func found(_ text: String) throws -> [String?] {
      defer { operators.game.clock.advance(milliseconds: 60) }
      return try console.watch("connections", "\"filter\":\"\(text)\"").rows("rows").map { $0.text("nickname") }
    }
    #expect(try found("tW") == ["나래 two"])
    #expect(try found("솔") == ["다솔 Three"])
    #expect(try found(String(try #require(first.text("player")).prefix(20))) == ["가람 One"])
    #expect(try found("127.0.0.").count == 4)
    #expect(try found("10.").isEmpty)
    #expect(try found("nobody").isEmpty)
    for sort in ["address", "shard", "unsentBytes", "room"] {
      let page = try console.watch("connections", "\"sort\":\"\(sort)\",\"descending\":true,\"offset\":1,\"limit\":2")
      operators.game.clock.advance(milliseconds: 60)
      #expect(page.rows("rows").count == 2 && page.int("offset") == 1, "\(sort)")
    }
    let byRoom = try console.watch("connections", "\"sort\":\"room\",\"descending\":true,\"limit\":1")
    #expect(byRoom.rows("rows").first?.text("nickname") == "가람 One")
    withExtendedLifetime((named, quiet)) {}
  }

  @Test("The contest is shown as committed: the top schools, and all taps of the season")
  func schools() throws {
    let operators = try TestOperators(store: TestSchools.store())
    let ids = ["A1", "A2", "A3"]
    let players = try ids.map { try operators.game.tapper(of: $0) }
    for (index, player) in players.enumerated() { _ = try player.tap(1, Int64(index + 1)) }
    let console = try TestConsole(operators)
    let list = try console.watch("schools", "\"limit\":2")
    #expect(list.int("season") == 1 && list.int("taps") == 6)
    #expect(list.rows("rows").map { $0.text("school") } == [ids[2], ids[1]])
    #expect(list.rows("rows").map { $0.int("count") } == [3, 2])
    #expect(list.rows("rows").first?.text("name") == "학교 A3")
    #expect(list.rows("rows").first?.int("rank") == 1)
    operators.game.clock.advance(seconds: 1)
    _ = try players[0].tap(2, 10)
    let next = try console.received("schools") { $0.int("taps") == 16 }
    #expect(next.rows("rows").first?.text("school") == ids[0])
  }

  @Test("The games of a room are listed, the running one first")
  func games() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("player")
    _ = try player.createRoom { room in
      room.solo = true
      room.durationS = 10
    }
    let console = try TestConsole(operators)
    let room = try #require(try console.watch("rooms").rows("rows").first?.text("id"))
    func games() throws -> [[String: Any]] {
      let reply = try console.ask("\"query\":\"games\",\"room\":\"\(room)\"")
      #expect(reply["ok"] as? Bool == true)
      return reply.rows("games")
    }
    #expect(try games().isEmpty)
    try player.expectOk(.startGame(WireStartGame()))
    #expect(try games().map { $0.text("game") } == ["\(room)-1"])
    #expect(try games().first?["endedAtMs"] == nil)
    operators.game.clock.advance(seconds: 10)
    for _ in 0..<2 { try operators.game.passTick() }
    _ = try player.event { $0.phase.phase == .ended }
    try player.expectOk(.playAgain(WirePlayAgain()))
    try player.expectOk(.startGame(WireStartGame()))
    let both = try games()
    #expect(both.map { $0.text("game") } == ["\(room)-2", "\(room)-1"])
    let first = try #require(both.last)
    #expect(try #require(first.int("endedAtMs")) - (try #require(first.int("startedAtMs"))) == 10_000)
    let none = String(repeating: "0", count: 32)
    #expect(try console.ask("\"query\":\"games\",\"room\":\"\(none)\"").rows("games").isEmpty)
  }
}
