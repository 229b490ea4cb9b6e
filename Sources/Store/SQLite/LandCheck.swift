// The check of lands and rankings: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  func brokenLands() throws -> [String] {
    var complaints: [String] = []
    let cursor = try Row.fetchCursor(
      db,
      sql: "SELECT id, name, vertices, length_mm, number FROM lands ORDER BY number"
    )
    while let row = try cursor.next() {
      let id: LandID = try row.value(0)
      guard let land = try? Land(row: row) else {
        complaints.append("land \(id) has no ring")
        continue
      }
      if try land.lengthMm != row.value(3, Int64.self) { complaints.append("land \(id) has another's length") }
      if try !hasItsBoxes(land, number: row.value(4)) { complaints.append("land \(id) is not found where it lies") }
    }
    let strangers = try db.rows(
      "SELECT number FROM land_boxes WHERE NOT EXISTS (SELECT 1 FROM lands WHERE lands.number = land_boxes.number / 2)"
    )
    return try complaints + strangers.map { "box \(try $0.value(0, Int64.self)) is around no land" } + brokenTree()
  }

  private func hasItsBoxes(_ land: Land, number: Int64) throws -> Bool {
    let box = LandBox(of: land)
    let parts = LandBox.parts(box.lngs)
    for index in 0..<2 {
      let found = try db.row(
        "SELECT low_lat, high_lat, low_lng, high_lng FROM land_boxes WHERE number = ?",
        2 * number + Int64(index)
      ).map { row in try (0..<4).map { try row.value($0, Int64.self) } }
      let expected = parts.indices.contains(index) ? parts[index] : nil
      let bounds = expected.map { [box.lats.lowerBound, box.lats.upperBound, $0.lowerBound, $0.upperBound] }
      guard found == bounds else { return false }
    }
    return true
  }

  /// The R-tree module's own check; no other engine has it.
  private func brokenTree() throws -> [String] {
    try String.fetchAll(db, sql: "VALUES (rtreecheck('land_boxes'))").filter { $0 != "ok" }.map { "boxes: \($0)" }
  }

  func brokenProposals() throws -> [String] {
    try db.rows("\(LandProposal.query) ORDER BY proposed_at, id").compactMap { row in
      let id: ProposalID = try row.value(0)
      guard let proposal = try? LandProposal(row: row) else { return "proposal \(id) has no ring" }
      guard (try? LandSurvey.vertices(ofRing: proposal.ring)) != nil else {
        return "proposal \(id) has a ring of no land"
      }
      guard case .accepted(let land, _) = proposal.state else { return nil }
      let isKnown = try db.finds("SELECT 1 FROM lands WHERE id = ?", land)
      return isKnown ? nil : "proposal \(id) is accepted as a land that is not there"
    }
  }

  func brokenRankings() throws -> [String] {
    let unfounded = try db.rows(
      """
      SELECT land, player FROM ranked_runs WHERE NOT EXISTS (
        SELECT 1 FROM land_runs JOIN ranking_periods ON number = ranked_runs.period
        WHERE land_runs.land = ranked_runs.land AND land_runs.player = ranked_runs.player
          AND land_runs.captured_at = ranked_runs.captured_at AND land_runs.time_ms = ranked_runs.time_ms
          AND land_runs.captured_at >= began_at AND land_runs.captured_at < ended_at)
      """
    )
    let better = try db.rows(
      """
      SELECT DISTINCT land_runs.land, land_runs.player FROM land_runs
      JOIN ranking_periods ON land_runs.captured_at >= began_at AND land_runs.captured_at < ended_at AND is_over = 0
      LEFT JOIN ranked_runs ON ranked_runs.period = number AND ranked_runs.land = land_runs.land
        AND ranked_runs.player = land_runs.player
      WHERE ranked_runs.land IS NULL
        OR (land_runs.time_ms, land_runs.captured_at) < (ranked_runs.time_ms, ranked_runs.captured_at)
      """
    )
    return try (unfounded + better).map { row in
      "player \(try row.value(1, PlayerID.self)) has another best run around land \(try row.value(0, LandID.self))"
    }
  }
}
