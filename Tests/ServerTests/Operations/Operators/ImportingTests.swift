// Lands and schools that operators import while the server runs, as players see them.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import Synchronization
import TestSupport
import Testing

@Suite("Lists are imported while the server runs, and players go on")
struct ImportingTests {
  // Lands.

  /// A square of 80 m.
  private static func offered(_ name: String, east: Int32 = 0, isClosed: Bool = true) -> OfferedLand {
    let corners: [(Int32, Int32)] = [(0, 0), (0, 9_000), (7_200, 9_000), (7_200, 0)] + (isClosed ? [(0, 0)] : [])
    return OfferedLand(
      name: name,
      ring: corners.map { Coordinate(latE7: 375_000_000 + $0.0, lngE7: 1_267_000_000 + east + $0.1) }
    )
  }

  private func names(_ player: TestPlayer) throws -> [String] {
    var request = WireFindLands()
    (request.latE7, request.lngE7, request.withinM) = (375_000_000, 1_267_000_000, 20_000)
    guard case .lands(let found) = try player.request(.findLands(request)) else { throw TestFailure("no lands") }
    return found.lands.map(\.name)
  }

  @Test("Imported lands are found at once, and the audit log has the counts")
  func lands() throws {
    let notifications = Mutex<[OperatorNotification]>([])
    let server = try TestServer {
      $0.notifyOperator = { item in if case .operatorActed = item { notifications.withLock { $0.append(item) } } }
    }
    let player = try server.player("가람")
    #expect(try names(player).isEmpty)
    let lands = [Self.offered("마당"), Self.offered("뒷마당", east: 50_000)]
    #expect(server.perform(.importLands(lands)) == .done("2 added, 0 there already"))
    #expect(try names(player) == ["마당", "뒷마당"])
    #expect(server.perform(.importLands([lands[1], Self.offered("앞마당", east: 90_000)])).isDone)
    #expect(try names(player).count == 3)
    let rows = try server.audit()
    #expect(rows.map(\.action) == ["importLands", "importLands"])
    #expect(rows.map(\.detail) == ["2 added, 0 there already", "1 added, 1 there already"])
    #expect(
      notifications.withLock { $0 } == rows.map { .operatorActed(.imported(.lands, $0.detail)) }
    )
    // A game over an imported land begins, and a restart keeps all of them.
    let found = try server.crash()
    #expect(try names(try found.player("나래")).count == 3)
  }

  @Test("One bad land refuses all of a request, and nothing is written")
  func badLand() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    for (bad, reason) in [
      (Self.offered("열린", isClosed: false), "열린: the ring is not closed"),
      (OfferedLand(name: "빈", ring: []), "빈: the ring has fewer than three"),
      (Self.offered(" "), "a land's name"), (Self.offered("\u{7}"), "a land's name"),
    ] {
      let refusal = try #require(server.perform(.importLands([Self.offered("마당"), bad])).refusal)
      #expect(refusal.contains(reason), "\(refusal)")
    }
    #expect(try names(player).isEmpty && server.audit().isEmpty)
  }

  // Schools.

  private static func school(_ id: String, _ name: String, isClosed: Bool = false) throws -> School {
    let schoolID = try #require(SchoolID(id))
    return try School(id: schoolID, name: name, level: .high, region: "서울특별시", address: "", isClosed: isClosed)
  }

  private func found(_ player: TestPlayer, _ query: String) throws -> [String] {
    var request = WireSearchSchools()
    request.query = query
    guard case .schools(let found) = try player.request(.searchSchools(request)) else {
      throw TestFailure("no schools")
    }
    return found.schools.map(\.schoolID)
  }

  /// The first published ranking that fits.
  private func ranking(_ watcher: TestPlayer, where fits: (WireRanking) -> Bool) throws -> WireRanking {
    while true {
      let ranking = try watcher.ranking()
      if fits(ranking) { return ranking }
    }
  }

  @Test("An edition renames, adds and closes schools at once; totals stay, and watchers see the new names")
  func schools() throws {
    let store = MemoryStore()
    let first = try ["A", "B", "C"].map { try Self.school($0, "금성 \($0)") }
    _ = try store.applySchools(first, at: Instant(milliseconds: 0))
    let server = try TestServer(store: store)
    let tapper = try server.tapper(of: "A")
    let closing = try server.tapper(of: "C")
    for (player, count) in [(tapper, Int64(7)), (closing, 5)] { _ = try player.tap(1, count) }
    let watcher = try server.tapper(.proto, of: "A")
    #expect(try watcher.watchRanking().top.map(\.name) == ["금성 A", "금성 C"])

    let edition = try [
      Self.school("A", "은성 A"), Self.school("B", "금성 B"), Self.school("D", "금성 D"),
    ]
    #expect(server.perform(.importSchools(edition)) == .done("1 added, 1 changed, 1 closed"))
    #expect(try found(tapper, "금성") == ["B", "D"] && found(tapper, "은성") == ["A"])
    #expect(try tapper.tap(2, 3).schoolCount == 10)
    var batch = WireTap()
    (batch.batch, batch.count) = (2, 1)
    #expect(try closing.refusal(of: .tap(batch)).code == .schoolClosed)
    #expect(try tapper.refusal(of: .chooseSchool(TestPlayer.school("C"))).code == .schoolClosed)
    try closing.expectOk(.chooseSchool(TestPlayer.school("D")))
    // The watcher goes on, with the new name and the closed school's total.
    server.clock.advance(milliseconds: 504)
    _ = server.report()
    let shown = try ranking(watcher) { $0.top.first?.count == 10 }
    #expect(shown.top.map(\.name) == ["은성 A", "금성 C"] && shown.top.map(\.count) == [10, 5])
    #expect(shown.mine.name == "은성 A")
    let page = try tapper.request(.schoolRanking(WireSchoolRankingRequest()))
    guard case .schoolRanking(let page) = page else { throw TestFailure("no page") }
    #expect(page.rows.map(\.name) == ["은성 A", "금성 C"])
    #expect(try server.audit().map(\.detail) == ["1 added, 1 changed, 1 closed"])

    // Names alone change, and watchers get them.
    let again = try [Self.school("A", "금강 A"), Self.school("C", "금성 C")]
    #expect(server.perform(.importSchools(again)) == .done("0 added, 2 changed, 2 closed"))
    server.clock.advance(milliseconds: 504)
    _ = server.report()
    #expect(try ranking(watcher) { $0.mine.name == "금강 A" }.top.map(\.name) == ["금강 A", "금성 C"])
    try closing.expectOk(.chooseSchool(TestPlayer.school("C")))
    // The same edition changes nothing.
    #expect(server.perform(.importSchools(again)) == .done("0 added, 0 changed, 0 closed"))
    let restarted = try server.crash()
    #expect(try found(try restarted.player("다온"), "금강") == ["A"])
    #expect(try restarted.standings() == ["A 10", "C 5"])
  }

  @Test("An edition with a school twice, or without an open one, is refused")
  func badEdition() throws {
    let server = try TestServer(store: TestSchools.store(2))
    let player = try server.player("가람")
    let school = try Self.school("A1", "금성")
    #expect(server.perform(.importSchools([school, school])).refusal == "an edition has each school once")
    #expect(server.perform(.importSchools([])).refusal == "an edition has open schools")
    #expect(try server.perform(.importSchools([Self.school("A1", "금성", isClosed: true)])).refusal != nil)
    #expect(try found(player, "학교") == ["A1", "A2"] && server.audit().isEmpty)
  }

  // By the feed.

  @Test("A console imports lands and an edition in parts; a bad message is answered, and changes nothing")
  func feed() throws {
    let operators = try TestOperators(store: TestSchools.store(2))
    let player = try operators.game.player("가람")
    let console = try TestConsole(operators)
    let lats = "[375000000,375000000,375007200,375000000]"
    let lngs = "[1267000000,1267009000,1267009000,1267000000]"
    let land = "{\"name\":\"마당\",\"latE7\":\(lats),\"lngE7\":\(lngs)}"
    let reply = try console.ask("\"act\":\"importLands\",\"lands\":[\(land)]")
    #expect(reply["ok"] as? Bool == true && reply["text"] as? String == "1 added, 0 there already")
    #expect(try names(player) == ["마당"])
    func refusal(_ members: String) throws -> String {
      let reply = try console.ask(members)
      #expect(reply["ok"] as? Bool == false, "\(members)")
      return reply["error"] as? String ?? ""
    }
    #expect(try refusal("\"act\":\"importLands\"").contains("lands"))
    let uneven = "{\"name\":\"마당\",\"latE7\":[1],\"lngE7\":[]}"
    #expect(try refusal("\"act\":\"importLands\",\"lands\":[\(uneven)]").contains("equal length"))
    #expect(try refusal("\"act\":\"importLands\",\"lands\":[{}]").contains("a land's name"))

    func school(_ id: String, _ name: String, level: String = "high") -> String {
      "{\"id\":\"\(id)\",\"name\":\"\(name)\",\"level\":\"\(level)\"}"
    }
    #expect(
      try refusal("\"act\":\"importSchools\",\"schools\":[\(school("A1", "금성", level: "best"))]").contains("level")
    )
    #expect(try refusal("\"act\":\"importSchools\",\"schools\":[\(school("A1", ""))]").contains("name"))
    #expect(try refusal("\"act\":\"importSchools\"").contains("no edition has begun"))
    #expect(try refusal("\"act\":\"importSchools\",\"first\":true").contains("open schools"))
    let part = try console.ask(
      "\"act\":\"importSchools\",\"first\":true,\"more\":true,\"schools\":[\(school("A1", "금성"))]"
    )
    #expect(part["text"] as? String == "1 schools so far")
    #expect(try found(player, "금성").isEmpty)
    let whole = try console.ask("\"act\":\"importSchools\",\"schools\":[\(school("A2", "은성"))]")
    #expect(whole["text"] as? String == "0 added, 2 changed, 0 closed")
    #expect(try found(player, "금성") == ["A1"] && found(player, "은성") == ["A2"])
    // A refused part drops the edition, so that its last part closes no school.
    _ = try console.ask("\"act\":\"importSchools\",\"first\":true,\"more\":true,\"schools\":[\(school("A1", "x"))]")
    #expect(
      try refusal("\"act\":\"importSchools\",\"more\":true,\"schools\":[\(school("A3", ""))]").contains("name")
    )
    #expect(
      try refusal("\"act\":\"importSchools\",\"schools\":[\(school("A4", "y"))]").contains("no edition has begun")
    )
    #expect(try found(player, "은성") == ["A2"])
    // A first part forgets what came before.
    _ = try console.ask("\"act\":\"importSchools\",\"first\":true,\"more\":true,\"schools\":[\(school("A1", "x"))]")
    let other = try console.ask("\"act\":\"importSchools\",\"first\":true,\"schools\":[\(school("A2", "은성"))]")
    #expect(other["text"] as? String == "0 added, 0 changed, 1 closed")
  }

  @Test("An edition over the bound is refused and forgotten")
  func longEdition() throws {
    let operators = try TestOperators(store: TestSchools.store(2))
    let console = try TestConsole(operators)
    let some = (1...2_500).map { "{\"id\":\"B\($0)\",\"name\":\"x\",\"level\":\"high\"}" }.joined(separator: ",")
    for part in 0..<20 {
      let first = part == 0 ? "\"first\":true," : ""
      let reply = try console.ask("\"act\":\"importSchools\",\(first)\"more\":true,\"schools\":[\(some)]")
      #expect(reply["ok"] as? Bool == true)
      operators.game.clock.advance(milliseconds: 60)
    }
    let one = "\"act\":\"importSchools\",\"schools\":[{\"id\":\"C\",\"name\":\"x\",\"level\":\"high\"}]"
    #expect(try console.ask(one)["error"] as? String == "an edition has at most 50000 schools")
    #expect(try (console.ask(one)["error"] as? String)?.hasPrefix("no edition has begun") == true)
  }
}
