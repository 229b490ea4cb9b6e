// Players' records: results by game, records by day, badges.
import MadangProtocol
import TestSupport
import Testing

@Suite struct RecordsTests {
  /// Plays a solo game of ten seconds for this many points.
  private func play(_ player: TestPlayer, _ server: TestServer, points: Int) throws {
    try player.expectOk(.startGame(WireStartGame()))
    for second in 0..<10 {
      let step = Int32(min(second, points - 1))
      try player.expectOk(.move(TestPlayer.move(375_665_000 + step * 600, 1_269_780_000)))
      try server.pass(seconds: 1, player)
    }
    try server.passTick()
    try server.passTick()
    _ = try player.event { $0.phase.phase == .ended }
    try player.expectOk(.playAgain(WirePlayAgain()))
  }

  @Test("Each game has its result, newest first, page by page; the newest is stored when its end is sent")
  func pages() throws {
    let server = try TestServer()
    let player = try server.player("가람")
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = 10
    }
    for points in 1...5 { try play(player, server, points: points) }
    var seen: [WireGameResult] = []
    var cursor = ""
    var pages = 0
    repeat {
      let page = try player.results(after: cursor, limit: 2)
      seen += page.results
      cursor = page.nextCursor
      pages += 1
    } while !cursor.isEmpty
    #expect(seen.map(\.points) == [5, 4, 3, 2, 1])
    #expect(Set(seen.map(\.gameID)).count == 5)
    #expect(seen.allSatisfy { $0.rank == 1 && $0.won && $0.completed && $0.timeS == 10 && $0.mode == .footprint })
    #expect(pages == 3)
    #expect(try player.results().results == seen)
    #expect(try player.refusal(of: .results(TestPlayer.results(after: "nonsense"))).code == .outOfRange)
    #expect(try player.refusal(of: .results(TestPlayer.results(limit: 51))).code == .outOfRange)
    #expect(try player.refusal(of: .results(TestPlayer.results(limit: 0))).code == .outOfRange)
    #expect(try server.player("나래").results().results.isEmpty)
  }

  @Test("Records are counted by days of the server's time zone and in total; badges are reported once, and persisted")
  func days() throws {
    let server = try TestServer()
    let player = try TestPlayer(port: server.port)
    let token = try player.hello("가람").sessionToken
    _ = try player.createRoom {
      $0.solo = true
      $0.durationS = 10
    }
    for points in 1...3 { try play(player, server, points: points) }
    let badges = try (0..<2).map { _ in try player.first { $0.body?.isBadge == true }.badge.badge }
    #expect(badges == [0, 1])
    let again = try server.crash(downFor: 86_400)
    let back = try TestPlayer(port: again.port)
    _ = try back.resume(token)
    let records = try back.records()
    #expect(records.days.count == 7)
    #expect(records.days.map(\.count) == [0, 0, 0, 0, 0, 3, 0])
    #expect(records.total.count == 3 && records.total.timeS == 30)
    #expect(records.total.distanceM == records.days[5].distanceM && records.total.distanceM > 15)
    #expect(records.badges.map(\.badge) == [0, 1])
    // The tests' clock begins on 21 September 2026, 22:13 in Seoul.
    #expect(records.days.last?.date == "2026-09-22")
  }
}

extension WireServerMessage.OneOf_Body {
  fileprivate var isBadge: Bool { if case .badge = self { true } else { false } }
}
