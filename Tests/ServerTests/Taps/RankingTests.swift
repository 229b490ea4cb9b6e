// The ranking of schools as watchers see it: at its ticks, only when it has changed, the same for all of a school.
import Game
import MadangProtocol
import Net
import Store
import TestSupport
import Testing

@Suite struct RankingTests {
  /// Taps for a school, as a new player.
  private func tap(_ server: TestServer, _ school: String, _ count: Int64) throws {
    let player = try server.player("tapper")
    try player.expectOk(.chooseSchool(TestPlayer.school(school)))
    _ = try player.tap(1, count)
    player.socket.reset()
  }

  private func watcher(_ server: TestServer, of school: String? = nil, _ subprotocol: Subprotocol = .json) throws
    -> TestPlayer
  {
    let player = try server.player("watcher", subprotocol)
    if let school { try player.expectOk(.chooseSchool(TestPlayer.school(school))) }
    return player
  }

  /// Lets one tick of the ranking pass, and the timer wheel's possible delay.
  private func passTick(_ server: TestServer) {
    server.clock.advance(milliseconds: 504)
    _ = server.report()
  }

  private func rows(_ schools: [WireRankedSchool]) -> [String] {
    schools.map { "\($0.rank) \($0.schoolID) \($0.count)" }
  }

  @Test("A watcher gets the top schools, the player's own one and its neighbours", arguments: Subprotocol.allCases)
  func answer(subprotocol: Subprotocol) throws {
    let server = try TestServer(store: TestSchools.store(20))
    for number in 1...15 { try tap(server, "A\(number)", Int64(100 - number)) }
    let player = try watcher(server, of: "A13", subprotocol)
    let ranking = try player.watchRanking()
    #expect(ranking.season == 1)
    #expect(rows(ranking.top) == (1...10).map { "\($0) A\($0) \(100 - $0)" })
    #expect(rows([ranking.mine]) == ["13 A13 87"] && rows(ranking.neighbours) == ["12 A12 88", "14 A14 86"])
    #expect(ranking.top[0].name == "학교 A1" && ranking.top[0].region == "서울특별시" && ranking.mine.name == "학교 A13")
    let last = try watcher(server, of: "A15", subprotocol).watchRanking(top: 1)
    #expect(rows(last.top) == ["1 A1 99"] && rows(last.neighbours) == ["14 A14 86"])
    let first = try watcher(server, of: "A1", subprotocol).watchRanking(top: 100)
    #expect(first.top.count == 15 && rows([first.mine]) == ["1 A1 99"] && rows(first.neighbours) == ["2 A2 98"])
    let unranked = try watcher(server, of: "A20", subprotocol).watchRanking()
    #expect(rows([unranked.mine]) == ["0 A20 0"] && unranked.neighbours.isEmpty)
    let nobody = try watcher(server, subprotocol).watchRanking()
    #expect(!nobody.hasMine && nobody.neighbours.isEmpty && nobody.top.count == 10)
  }

  @Test("The whole ranking comes in pages, and a page of another season is refused", arguments: Subprotocol.allCases)
  func pages(subprotocol: Subprotocol) throws {
    let server = try TestServer(store: TestSchools.store(9))
    for number in 1...7 { try tap(server, "A\(number)", Int64(100 - number)) }
    let player = try watcher(server, subprotocol)
    func page(_ cursor: String, _ limit: UInt32?) throws -> WireSchoolRanking {
      var request = WireSchoolRankingRequest()
      request.cursor = cursor
      if let limit { request.limit = limit }
      guard case .schoolRanking(let page) = try player.request(.schoolRanking(request)) else {
        throw TestFailure("no page")
      }
      return page
    }
    let whole = try page("", nil)
    #expect(rows(whole.rows) == (1...7).map { "\($0) A\($0) \(100 - $0)" })
    #expect(whole.nextCursor.isEmpty && whole.season == 1 && whole.rows[0].name == "학교 A1")
    var (found, cursor): ([String], String) = ([], "")
    repeat {
      let page = try page(cursor, 3)
      found += rows(page.rows)
      cursor = page.nextCursor
    } while !cursor.isEmpty
    #expect(found == rows(whole.rows))
    #expect(try page("1.60000", 100).rows.isEmpty)
    for cursor in ["?", "2.3", "1.0", "1.65536", "1.3.", "1"] {
      var request = WireSchoolRankingRequest()
      request.cursor = cursor
      #expect(try player.refusal(of: .schoolRanking(request)).code == .outOfRange, "\(cursor)")
    }
    var request = WireSchoolRankingRequest()
    request.limit = 101
    #expect(try player.refusal(of: .schoolRanking(request)).code == .outOfRange)
  }

  @Test("Of equal counts the first to reach it ranks higher")
  func equals() throws {
    let server = try TestServer(store: TestSchools.store())
    try tap(server, "A2", 5)
    try tap(server, "A1", 5)
    #expect(try rows(watcher(server).watchRanking().top) == ["1 A2 5", "2 A1 5"])
  }

  @Test(
    "Changes are published twice a second, to both encodings and both shards, and not without a change"
  )
  func ticks() throws {
    let server = try TestServer(store: TestSchools.store())
    let watchers = try (0..<4).map { try watcher(server, of: "A\($0 % 2 + 1)", Subprotocol.allCases[$0 / 2]) }
    for watcher in watchers { #expect(try watcher.watchRanking().top.isEmpty) }
    try tap(server, "A1", 5)
    try tap(server, "A2", 7)
    passTick(server)
    for (index, watcher) in watchers.enumerated() {
      let ranking = try watcher.ranking()
      #expect(ranking.season == 1 && rows(ranking.top) == ["1 A2 7", "2 A1 5"])
      #expect(rows([ranking.mine]) == [index % 2 == 0 ? "2 A1 5" : "1 A2 7"])
      #expect(rows(ranking.neighbours) == [index % 2 == 0 ? "1 A2 7" : "2 A1 5"])
    }
    for _ in 0..<3 { passTick(server) }
    for watcher in watchers {
      try watcher.expectOk(.unwatchRanking(WireUnwatchRanking()))
      #expect(watcher.inbox.isEmpty)
    }
  }

  @Test("A watcher is not sent changes outside the top and the neighbours")
  func concerned() throws {
    let server = try TestServer(shards: 1, store: TestSchools.store(10))
    for number in 1...10 { try tap(server, "A\(number)", Int64(100 - 10 * number + 5)) }
    let top = try watcher(server, of: "A1")
    let ninth = try watcher(server, of: "A9")
    _ = try top.watchRanking(top: 2)
    _ = try ninth.watchRanking(top: 2)
    try tap(server, "A10", 1)
    passTick(server)
    #expect(try rows(ninth.ranking().neighbours) == ["8 A8 25", "10 A10 6"])
    try top.expectOk(.unwatchRanking(WireUnwatchRanking()))
    #expect(top.inbox.isEmpty)
    #expect(server.report().play.taps.rankings == 1)
  }

  @Test("The answer's content is not published again")
  func notAgain() throws {
    let server = try TestServer(shards: 1, store: TestSchools.store())
    let player = try watcher(server, of: "A1")
    _ = try player.watchRanking()
    try tap(server, "A1", 5)
    #expect(try player.watchRanking().mine.count == 5)
    passTick(server)
    _ = try player.request(.time(WireTimeRequest()))
    #expect(player.inbox.isEmpty)
    try tap(server, "A2", 6)
    passTick(server)
    #expect(try rows(player.ranking().top) == ["1 A2 6", "2 A1 5"])
  }

  @Test("Uncommitted taps are in no ranking")
  func committed() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: TestSchools.store(in: store))
    let player = try watcher(server, of: "A1")
    _ = try player.watchRanking()
    store.hold()
    try player.send(.tap(TestPlayer.taps(1, 5)), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    passTick(server)
    #expect(try player.watchRanking().top.isEmpty)
    #expect(!player.inbox.contains { if case .ranking = $0.body { true } else { false } })
    store.release()
    _ = try player.reply(to: 900)
    passTick(server)
    #expect(try rows(player.ranking().top) == ["1 A1 5"])
  }

  @Test("A watch ends by request, and another `top` replaces it")
  func unwatch() throws {
    let server = try TestServer(shards: 1, store: TestSchools.store())
    let player = try watcher(server, of: "A1")
    _ = try player.watchRanking(top: 1)
    _ = try player.watchRanking(top: 2)
    try tap(server, "A1", 5)
    try tap(server, "A2", 4)
    passTick(server)
    #expect(try rows(player.ranking().top) == ["1 A1 5", "2 A2 4"])
    try player.expectOk(.unwatchRanking(WireUnwatchRanking()))
    try player.expectOk(.unwatchRanking(WireUnwatchRanking()))
    try tap(server, "A2", 4)
    passTick(server)
    _ = try player.request(.time(WireTimeRequest()))
    #expect(player.inbox.isEmpty && server.report().play.taps.rankings == 1)
  }

  @Test("An out-of-range request is refused, and the current watch continues")
  func refused() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try watcher(server, of: "A1")
    _ = try player.watchRanking(top: 1)
    for top: UInt32 in [0, 101, .max] {
      var watch = WireWatchRanking()
      watch.top = top
      let refusal = try player.refusal(of: .watchRanking(watch))
      #expect(refusal.code == .outOfRange && refusal.message.hasPrefix("top"))
    }
    try tap(server, "A1", 5)
    passTick(server)
    #expect(try rows(player.ranking().top) == ["1 A1 5"])
  }

  @Test("A player who chooses another school gets that one from the next tick on")
  func otherSchool() throws {
    let server = try TestServer(store: TestSchools.store())
    try tap(server, "A1", 5)
    try tap(server, "A2", 4)
    let player = try watcher(server)
    #expect(try !player.watchRanking().hasMine)
    for (school, mine) in [("A1", "1 A1 5"), ("A2", "2 A2 4"), ("A3", "0 A3 0")] {
      try player.expectOk(.chooseSchool(TestPlayer.school(school)))
      passTick(server)
      #expect(try rows([player.ranking().mine]) == [mine])
    }
  }

  @Test("A watch moves along to a room on another shard")
  func moving() throws {
    let server = try TestServer(shards: 2, store: TestSchools.store())
    let hosts = try (0..<2).map { try server.player("host \($0)") }
    let codes = try hosts.map { try $0.createRoom().code }
    let player = try watcher(server, of: "A1")
    _ = try player.watchRanking()
    for (index, code) in codes.enumerated() {
      _ = try player.joinRoom(code)
      try tap(server, "A1", 5)
      passTick(server)
      #expect(try player.ranking().mine.count == Int64(5 * (index + 1)))
      try player.expectOk(.leaveRoom(WireLeaveRoom()))
    }
  }

  @Test(
    "A ranking published during a watcher's handoff arrives afterwards, even without a further change"
  )
  func movingBetweenTicks() throws {
    let server = try TestServer(shards: 2, store: TestSchools.store())
    let codes = try (0..<2).map { try server.player("host \($0)").createRoom().code }
    let player = try watcher(server, of: "A1")
    _ = try player.watchRanking()
    for (index, code) in codes.enumerated() {
      try tap(server, "A1", 5)
      _ = try player.joinRoom(code)
      passTick(server)
      #expect(try player.ranking().mine.count == Int64(5 * (index + 1)))
      try player.expectOk(.leaveRoom(WireLeaveRoom()))
    }
  }

  @Test("An uncommitted choice is not shown")
  func uncommittedChoice() throws {
    let store = StubbornStore()
    let server = try TestServer(shards: 1, store: TestSchools.store(in: store))
    let player = try watcher(server, of: "A1")
    _ = try player.watchRanking()
    store.hold()
    try player.send(.chooseSchool(TestPlayer.school("A2")), id: 900)
    while store.heldCount == 0 { _ = server.report() }
    #expect(try player.watchRanking().mine.schoolID == "A1")
    passTick(server)
    _ = try player.request(.time(WireTimeRequest()))
    #expect(player.inbox.isEmpty)
    store.release()
    guard case .ok = try player.reply(to: 900) else { throw TestFailure("not chosen") }
    #expect(try player.watchRanking().mine.schoolID == "A2")
  }

  @Test("Ranking requests and school searches are queries with a limit a minute")
  func paid() throws {
    let server = try TestServer(store: TestSchools.store())
    let player = try watcher(server)
    // Slower than the rate of messages, faster than that of queries.
    var asked = 0
    while asked < Limits.queriesPerMinute {
      for _ in 0..<10 {
        _ = try player.watchRanking()
        guard case .schools = try player.request(.searchSchools(WireSearchSchools())) else {
          throw TestFailure("refused")
        }
      }
      asked += 20
      server.clock.advance(seconds: 1)
    }
    let refusals = try (0..<10).map { _ in
      [
        try player.request(.watchRanking(WireWatchRanking())),
        try player.request(.searchSchools(WireSearchSchools())),
      ]
    }
    let codes = refusals[9].map { if case .error(let error) = $0 { error.code } else { WireErrorCode.unspecified } }
    #expect(codes == [.rateLimited, .rateLimited])
    _ = try player.request(.time(WireTimeRequest()))
  }

  @Test("A client that does not read misses rankings and gets the newest")
  func slowReader() throws {
    let server = try TestServer(shards: 1, store: TestSchools.store(100)) {
      $0.netLimits.behindBytes = 0
      $0.netLimits.kernelSendBytes = 4_096
      $0.netLimits.pongSeconds = 100_000
    }
    for number in 1...100 { try tap(server, "A\(number)", 1) }
    let slow = try TestPlayer(unconnectedTo: server.port)
    slow.socket.shrinkReceiveBuffer()
    try slow.socket.send(TestPlayer.upgradeRequest())
    try slow.finishUpgrade()
    try slow.hello("slow")
    #expect(try slow.watchRanking(top: 100).top.count == 100)
    let tapper = try watcher(server, of: "A100")
    var batch: UInt32 = 0
    var missed = 0
    while missed < 3 {
      let rankings = server.report().play.taps.rankings
      batch += 1
      _ = try tapper.tap(batch, 1)
      server.clock.advance(seconds: 1)
      if server.report().play.taps.rankings == rankings { missed += 1 }
    }
    // Everything sent is read, while no time passes in which the server could lose its patience.
    repeat { try slow.pump() } while server.report().unsentBytes > 0
    passTick(server)
    let newest = Int64(batch) + 1
    var received = 1
    while try slow.ranking().top[0].count < newest { received += 1 }
    #expect(received == Int(batch) - missed + 1)
  }

  @Test("A closed season is published: the next one's number, and no school has a count")
  func season() throws {
    let server = try TestServer(store: TestSchools.store())
    try tap(server, "A1", 5)
    let player = try watcher(server, of: "A1")
    #expect(try player.watchRanking().mine.count == 5)
    #expect(server.perform(.closeSeason(1)).isDone)
    passTick(server)
    let ranking = try player.ranking()
    #expect(ranking.season == 2 && ranking.top.isEmpty && rows([ranking.mine]) == ["0 A1 0"])
  }

  @Test("After a restart the ranking is the same, with a new time")
  func restart() throws {
    let server = try TestServer(store: TestSchools.store())
    for number in 1...4 { try tap(server, "A\(number)", 5) }
    let before = try watcher(server, of: "A3").watchRanking()
    let restarted = try server.crash()
    var after = try watcher(restarted, of: "A3").watchRanking()
    #expect(after.timeMs > before.timeMs)
    after.timeMs = before.timeMs
    #expect(after == before)
  }
}
