// SQLite's query plans for lands: all use indexes.
import GRDB
import Game
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store answers queries about lands by indexes")
struct LandPlanTests {
  @Test("No query about lands scans a table of SQLite's or sorts")
  func plans() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    let corners = [(0, 0), (10_000, 10_000), (10_000, -10_000)] as [(Int32, Int32)]
    let vertices = corners.map { Coordinate(latE7: 375_000_000 + $0.0, lngE7: 1_267_000_000 + $0.1) }
    let land = Land(id: LandID(1), name: "land 1", vertices: ContiguousArray(vertices))
    _ = try store.addLands([land])
    try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
    for player: UInt128 in 1...2 {
      let run = LandRunResult(player: PlayerID(player), land: land.id, time: .seconds(Int64(player)))
      try await store.change(RoomChange.addLandRun(run, at: moment(1)))
    }
    let week = RankingPeriod(moment(0)..<moment(9))
    try await store.keepRankings(of: week)
    let asked = Mutex<Set<String>>([])
    // Sequential reads always use the same connection.
    try await store.pool.read { db in
      db.trace { event in
        if case .statement(let statement) = event { asked.withLock { _ = $0.insert(statement.expandedSQL) } }
      }
    }
    for period in [.allTime, week] {
      #expect(
        try await store.rankings(of: [land.id], in: period, top: 3, for: PlayerID(2)).first?.neighbours.count == 1
      )
      let cursor = RankingCursor(rank: 1, timeMs: 1_000, player: PlayerID(1))
      #expect(
        try await store.page(AskedPage(of: land.id, in: period, after: cursor, limit: 5), for: PlayerID(2))?.rows.count
          == 1
      )
    }
    #expect(try await store.lands(of: PlayerID(1), limit: 5)?.count == 1)
    #expect(try await store.lands(near: land.vertices[0], withinM: 20_000, limit: 5).count == 1)
    #expect(try await store.lands([land.id]).count == 1)
    try await store.pool.read { $0.trace() }
    let statements = asked.withLock { $0 }.filter { $0.hasPrefix("SELECT") }
    #expect(statements.count >= 14)
    for statement in statements {
      let plan = try await store.pool.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
      }
      for step in plan {
        let isSearch = step.hasPrefix("SEARCH") || step.contains("VIRTUAL TABLE INDEX 2:") || step.contains("SUBQUERY")
        #expect(isSearch, "\(statement): \(step)")
      }
    }
  }
}
