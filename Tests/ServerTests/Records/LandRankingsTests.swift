// Rankings of lands over the wire: weeks and months, several lands at once, whole rankings in pages.
import Game
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite("Rankings of lands are of all time, of this week and of this month, whole ones in pages")
struct LandRankingsTests {
  /// Monday, 21 September 2026, 23:13 in Seoul.
  private static let nowMs: Int64 = 1_790_000_000_000
  private static let hourMs: Int64 = 3_600_000
  private static let dayMs: Int64 = 24 * hourMs

  private let store = MemoryStore()
  private let server: TestServer

  init() throws {
    let vertices = [(0, 0), (0, 9_000), (7_200, 9_000)].map { (north: Int32, east: Int32) in
      Coordinate(latE7: 375_000_000 + north, lngE7: 1_267_000_000 + east)
    }
    let lands = (1...25).map { Land(id: LandID($0), name: "마당 \($0)", vertices: ContiguousArray(vertices)) }
    _ = try store.addLands(lands)
    server = try TestServer(store: store)
  }

  /// A player with a session, and their identifier.
  private func player(_ name: String, _ subprotocol: Subprotocol = .json) throws -> (player: TestPlayer, id: PlayerID) {
    let player = try TestPlayer(port: server.port, subprotocol: subprotocol)
    return (player, try #require(PlayerID(try player.hello(name).playerID)))
  }

  private func addRun(_ player: PlayerID, seconds: Int, atMs: Int64, land: UInt128 = 1) {
    let run = LandRunResult(player: player, land: LandID(land), time: .seconds(seconds))
    let at = Instant(milliseconds: atMs)
    store.commit(Batch(at: at, changes: [RoomChange.addLandRun(run, at: at).change])) { _ in }
  }

  private func ranking(_ player: TestPlayer, _ span: WireRankingSpan) throws -> WireLandRanking {
    var request = WireLandRankingRequest()
    request.landID = LandID(1).description
    request.span = span
    guard case .landRanking(let ranking) = try player.request(.landRanking(request)) else {
      throw TestFailure("no ranking")
    }
    return ranking
  }

  @Test("A week begins on Monday, a month on the 1st, by the server's days", arguments: Subprotocol.allCases)
  func spans(subprotocol: Subprotocol) throws {
    let players = try ["가람", "나래", "다온"].map { try player($0, subprotocol) }
    let mondayMs = Self.nowMs - Self.nowMs % Self.dayMs - 9 * Self.hourMs
    let firstMs = mondayMs - 20 * Self.dayMs
    addRun(players[0].id, seconds: 50, atMs: firstMs - 1)
    addRun(players[1].id, seconds: 60, atMs: firstMs)
    addRun(players[1].id, seconds: 65, atMs: mondayMs - 1)
    addRun(players[2].id, seconds: 70, atMs: mondayMs)
    let asker = players[2].player
    #expect(try ranking(asker, .unspecified).top.map(\.nickname) == ["가람", "나래", "다온"])
    let all = try ranking(asker, .allTime)
    #expect(all.top.map(\.nickname) == ["가람", "나래", "다온"] && !all.hasPeriod)
    let month = try ranking(asker, .thisMonth)
    #expect(month.top.map(\.nickname) == ["나래", "다온"] && month.own.rank == 2 && month.ownTimes.count == 1)
    #expect(month.period.beginsAtMs == firstMs && month.period.endsAtMs == firstMs + 30 * Self.dayMs)
    let week = try ranking(asker, .thisWeek)
    #expect(week.top.map(\.nickname) == ["다온"] && week.neighbours.isEmpty)
    #expect(week.period.beginsAtMs == mondayMs && week.period.endsAtMs == mondayMs + 7 * Self.dayMs)
    // Another player's moment is a day, and only for who is in the same ranking.
    #expect(month.top[0].capturedAtMs == firstMs && week.top[0].capturedAtMs == mondayMs)
    #expect(try ranking(players[0].player, .thisWeek).top[0].capturedAtMs == 0)
    #expect(try ranking(players[1].player, .thisWeek).own.rank == 0)
  }

  @Test("The next week's ranking is kept before it begins, and the last one's is gone")
  func nextWeek() throws {
    let (player, id) = try player("가람")
    addRun(id, seconds: 60, atMs: Self.nowMs)
    #expect(try ranking(player, .thisWeek).top.count == 1)
    _ = try server.report { $0.isCommitted }
    server.clock.advance(seconds: 7 * 86_400)
    _ = try server.report { $0.isCommitted }
    let (again, againID) = try self.player("나래")
    #expect(try ranking(again, .thisWeek).top.isEmpty)
    addRun(againID, seconds: 70, atMs: Self.nowMs + 7 * Self.dayMs)
    #expect(try ranking(again, .thisWeek).top.map(\.nickname) == ["나래"])
    // A guest who was absent for days is forgotten.
    #expect(try ranking(again, .thisMonth).top.map(\.nickname) == ["나래"])
  }

  @Test("Up to twenty lands have their rankings in one request, which costs as much as twenty")
  func several() throws {
    let (player, id) = try player("가람")
    addRun(id, seconds: 60, atMs: Self.nowMs, land: 3)
    func request(_ lands: ClosedRange<UInt128>, _ change: (inout WireLandRankingsRequest) -> Void = { _ in }) throws
      -> WireServerMessage.OneOf_Body
    {
      var request = WireLandRankingsRequest()
      request.landIds = lands.map { LandID($0).description }
      change(&request)
      return try player.request(.landRankings(request))
    }
    guard case .landRankings(let found) = try request(1...20) else { throw TestFailure("no rankings") }
    #expect(found.rankings.map(\.landID) == (1...20).map { LandID($0).description })
    #expect(found.rankings.map(\.top.count) == [0, 0, 1] + Array(repeating: 0, count: 17))
    #expect(found.rankings[2].own.rank == 1 && found.rankings[2].ownTimes.count == 1)
    guard case .landRankings(let week) = try request(3...3, { $0.span = .thisWeek }) else {
      throw TestFailure("no rankings")
    }
    #expect(week.rankings[0].own.rank == 1 && week.rankings[0].hasPeriod)
    func code(_ answer: WireServerMessage.OneOf_Body) -> WireErrorCode? {
      if case .error(let error) = answer { error.code } else { nil }
    }
    #expect(try code(request(1...21)) == .outOfRange)
    #expect(try code(request(1...1, { $0.landIds = [] })) == .outOfRange)
    #expect(try code(request(1...1, { $0.landIds += $0.landIds })) == .outOfRange)
    #expect(try code(request(1...2, { $0.top = 11 })) == .outOfRange)
    #expect(try code(request(1...2, { $0.landIds[1] = "?" })) == .landNotFound)
    guard case .error(let unknown) = try request(1...2, { $0.landIds[1] = LandID(99).description }) else {
      throw TestFailure("a ranking of no land")
    }
    #expect(unknown.code == .landNotFound && unknown.message.contains(LandID(99).description))
    // 20, 1 and 2 queries are paid.
    for _ in 1...4 { #expect(try code(request(1...20)) == nil) }
    #expect(try code(request(1...20)) == .rateLimited)
    _ = try server.report { $0.isCommitted }
    server.clock.advance(seconds: 60)
    #expect(try code(request(1...20)) == nil)
  }

  private func page(_ player: TestPlayer, _ change: (inout WireLandRankingPageRequest) -> Void = { _ in }) throws
    -> WireLandRankingPage
  {
    var request = WireLandRankingPageRequest()
    request.landID = LandID(1).description
    change(&request)
    let answer = try player.request(.landRankingPage(request))
    guard case .landRankingPage(let page) = answer else { throw TestFailure("no page: \(answer)") }
    return page
  }

  @Test("A whole ranking comes in pages, whose cursors tell nobody's moment", arguments: Subprotocol.allCases)
  func pages(subprotocol: Subprotocol) throws {
    let players = try (1...7).map { try player("p\($0)", subprotocol) }
    for (index, player) in players.enumerated() {
      addRun(player.id, seconds: 60 + index / 3, atMs: Self.nowMs + Int64(index))
    }
    for span in [WireRankingSpan.unspecified, .thisWeek, .thisMonth] {
      var (rows, cursor): ([WireRankRow], String) = ([], "")
      repeat {
        let page = try page(players[6].player) {
          $0.span = span
          $0.limit = 3
          $0.cursor = cursor
        }
        rows += page.rows
        cursor = page.nextCursor
        #expect(page.hasPeriod == (span != .unspecified))
        for index in 0..<7 { #expect(!cursor.contains("\(Self.nowMs + Int64(index))")) }
      } while !cursor.isEmpty
      #expect(rows.map(\.nickname) == (1...7).map { "p\($0)" } && rows.map(\.rank) == Array(1...7))
      let dayMs = Self.nowMs - Self.nowMs % Self.dayMs - 9 * Self.hourMs
      #expect(rows.map(\.capturedAtMs) == Array(repeating: dayMs, count: 6) + [Self.nowMs + 6])
    }
    let stranger = try server.player("stranger", subprotocol)
    #expect(try page(stranger).rows.map(\.capturedAtMs) == Array(repeating: 0, count: 7))
  }

  @Test("A cursor of another ranking, a past week or nobody is refused, and so is an unknown span")
  func refusals() throws {
    let players = try (1...3).map { try player("p\($0)") }
    for player in players { addRun(player.id, seconds: 60, atMs: Self.nowMs) }
    let week = try page(players[0].player) {
      $0.span = .thisWeek
      $0.limit = 1
    }.nextCursor
    let all = try page(players[0].player) { $0.limit = 1 }.nextCursor
    func code(_ change: (inout WireLandRankingPageRequest) -> Void) throws -> WireErrorCode {
      var request = WireLandRankingPageRequest()
      request.landID = LandID(1).description
      change(&request)
      return try players[0].player.refusal(of: .landRankingPage(request)).code
    }
    #expect(try code { $0.cursor = week } == .outOfRange)
    for cursor in [
      "?", "a", all + ".", "a.0.60000.\(PlayerID(1))", "a.1.-1.\(PlayerID(1))", "a.4294967296.1.\(PlayerID(1))",
    ] {
      #expect(try code { $0.cursor = cursor } == .outOfRange, "\(cursor)")
    }
    #expect(try page(players[0].player) { $0.cursor = "a.4294967295.4294967295.\(PlayerID(.max))" }.rows.isEmpty)
    #expect(try code { $0.limit = 0 } == .outOfRange)
    #expect(try code { $0.limit = 101 } == .outOfRange)
    #expect(try code { $0.landID = "?" } == .landNotFound)
    #expect(try code { $0.landID = LandID(99).description } == .landNotFound)
    let binary = try server.player("binary", .proto)
    for span in [4, -1] {
      var request = WireLandRankingRequest()
      request.landID = LandID(1).description
      request.span = .UNRECOGNIZED(span)
      #expect(try binary.refusal(of: .landRanking(request)).code == .outOfRange)
    }
    _ = try server.report { $0.isCommitted }
    server.clock.advance(seconds: 7 * 86_400)
    _ = try server.report { $0.isCommitted }
    let later = try server.player("later")
    var request = WireLandRankingPageRequest()
    request.landID = LandID(1).description
    (request.span, request.cursor) = (.thisWeek, week)
    #expect(try later.refusal(of: .landRankingPage(request)).code == .outOfRange)
  }
}

@Suite("Weeks and months are of the server's days")
struct RankingPeriodTests {
  @Test("Every moment of seven years is in its week and its month, which have their lengths")
  func fixed() {
    let days = DayRanges.fixed(offsetSeconds: 9 * 3_600)
    let dayMs: Int64 = 86_400_000
    var months: Set<RankingPeriod> = []
    for number: Int64 in 20_000..<22_557 {
      let moment = Instant(milliseconds: number * dayMs - 9 * 3_600_000 + number % dayMs)
      let (week, month) = (days.week(of: moment), days.month(of: moment))
      #expect(week.range.contains(moment) && month.range.contains(moment))
      let date = CivilDate(day: number)
      #expect(date.number == number && CivilDate(date.text) == date)
      // 5 January 1970 was a Monday.
      let beginDay = (week.range.lowerBound.milliseconds + 9 * 3_600_000) / dayMs
      #expect((beginDay - 4) % 7 == 0 && week.range.upperBound == week.range.lowerBound + .seconds(7 * 86_400))
      let first = (month.range.lowerBound.milliseconds + 9 * 3_600_000) / dayMs
      let next = (month.range.upperBound.milliseconds + 9 * 3_600_000) / dayMs
      #expect(CivilDate(day: first).day == 1 && CivilDate(day: next).day == 1 && (28...31).contains(next - first))
      months.insert(month)
    }
    #expect((84...85).contains(months.count))
  }
}
