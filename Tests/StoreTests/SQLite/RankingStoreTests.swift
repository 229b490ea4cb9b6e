// Rankings of a file from before they were kept by period.
import Game
import Store
import TestSupport
import Testing

@Suite("The SQLite store keeps rankings over an upgrade")
struct RankingStoreTests {
  @Test("A file of schema 6 keeps its rankings of all time, and those of a week are filled from its runs")
  func olderFile() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    let vertices = [(0, 0), (0, 9_000), (7_200, 9_000)].map { (north: Int32, east: Int32) in
      Coordinate(latE7: 375_000_000 + north, lngE7: 1_267_000_000 + east)
    }
    _ = try store.addLands([Land(id: LandID(1), name: "land 1", vertices: ContiguousArray(vertices))])
    for player: UInt8 in 1...2 { try await store.change(hello(UInt128(player), device: player, session: player)) }
    for (player, seconds, at) in [(1, 50, 1), (1, 70, 5), (2, 60, 6)] {
      let run = LandRunResult(player: PlayerID(UInt128(player)), land: LandID(1), time: .seconds(seconds))
      try await store.change(RoomChange.addLandRun(run, at: moment(Int64(at))))
    }
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = 0; \(OlderRankings.sql) UPDATE schema SET version = 6")
    }
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    let all = try await again.rankings(of: [LandID(1)], top: 9, for: PlayerID(1)).first
    #expect(all?.top.map(\.player) == [PlayerID(1), PlayerID(2)] && all?.top.map(\.timeMs) == [50_000, 60_000])
    let week = RankingPeriod(moment(5)..<moment(9))
    try await again.keepRankings(of: week)
    let now = try await again.rankings(of: [LandID(1)], in: week, top: 9, for: PlayerID(1)).first
    #expect(now?.top.map(\.player) == [PlayerID(2), PlayerID(1)] && now?.own?.timeMs == 70_000)
    #expect(try folder.complaints == [])
  }
}
