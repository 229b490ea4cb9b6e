// The check of a store finds every fault of lands and rankings.
import GRDB
import Game
import Store
import TestSupport
import Testing

@Suite("The check of lands")
struct LandCheckTests {
  /// The complaints about a store with two lands and three runs after a statement has changed it.
  private func complaints(after statement: String) async throws -> [String] {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    let corners = [(0, 0), (9_000, 0), (9_000, 9_000)] as [(Int32, Int32)]
    let lands = ([0, 1_799_999_000] as [Int64]).enumerated().map { index, lngE7 in
      let vertices = corners.map { corner in
        let lng = lngE7 + Int64(corner.1)
        return Coordinate(latE7: corner.0, lngE7: Int32(lng > 1_800_000_000 ? lng - 3_600_000_000 : lng))
      }
      return Land(id: LandID(UInt128(index + 1)), name: "land", vertices: ContiguousArray(vertices))
    }
    _ = try store.addLands(lands)
    try await store.change(hello(1, device: 1, session: 1))
    try await store.keepRankings(of: RankingPeriod(moment(0)..<moment(2)))
    for (at, seconds) in [3, 2, 4].enumerated() {
      let run = LandRunResult(player: PlayerID(1), land: LandID(1), time: .seconds(seconds))
      try await store.change(RoomChange.addLandRun(run, at: moment(Int64(at))))
    }
    let proposal = LandProposal(
      id: ProposalID(1),
      player: PlayerID(1),
      game: GameID(room: RoomID(1), number: 1),
      name: "land",
      ring: Array(lands[0].vertices) + lands[0].vertices.prefix(1),
      lengthMm: lands[0].lengthMm,
      proposedAt: moment(0)
    )
    try await store.change(ProposalChange.propose(proposal))
    let entry = AuditEntry(at: moment(1), address: "::1", action: "acceptLand")
    try await store.change(ProposalChange.accept(proposal.id, lands[0], entry))
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0; \(statement)")
    }
    store.close()
    return try SQLiteStore.check(folder: folder.path)
  }

  @Test("A whole store has no complaints")
  func whole() async throws {
    #expect(try await complaints(after: "") == [])
  }

  @Test(
    "An invalid row is reported",
    arguments: [
      "UPDATE lands SET vertices = substr(vertices, 1, 20) WHERE number = 1": "has no ring",
      "UPDATE lands SET vertices = CAST(X'7FFFFFFF' || substr(vertices, 5) AS BLOB) WHERE number = 1": "has no ring",
      "UPDATE lands SET length_mm = length_mm + 1 WHERE number = 1": "has another's length",
      "UPDATE land_boxes SET low_lat = low_lat - 1 WHERE number = 2": "is not found where it lies",
      "DELETE FROM land_boxes WHERE number = 2": "is not found where it lies",
      "DELETE FROM land_boxes WHERE number = 5": "is not found where it lies",
      "INSERT INTO land_boxes VALUES (3, 1, 2, 3, 4)": "is not found where it lies",
      "INSERT INTO land_boxes VALUES (9, 1, 2, 3, 4)": "box 9 is around no land",
      "DELETE FROM land_boxes_rowid WHERE rowid = 4": "boxes: Mapping",
      "DELETE FROM ranked_runs": "has another best run",
      "UPDATE ranked_runs SET captured_at = 2, time_ms = 4000": "has another best run",
      "UPDATE ranked_runs SET time_ms = 1999": "has another best run",
      "UPDATE land_runs SET time_ms = 100 WHERE captured_at = 2": "has another best run",
      "INSERT INTO ranked_runs VALUES (0, X'00000000000000000000000000000002', (SELECT id FROM players), 5, 5)":
        "has another best run",
      "DELETE FROM ranked_runs WHERE period = 1": "has another best run",
      "UPDATE ranking_periods SET ended_at = 1 WHERE number = 1": "has another best run",
      "UPDATE land_proposals SET ring = substr(ring, 1, 20)": "has no ring",
      "UPDATE land_proposals SET ring = substr(ring, 1, 24)": "has a ring of no land",
      "UPDATE land_proposals SET land = X'00000000000000000000000000000009'": "a land that is not there",
    ]
  )
  func broken(statement: String, expected: String) async throws {
    let complaints = try await complaints(after: statement)
    #expect(complaints.contains { $0.contains(expected) }, "\(complaints)")
  }
}
