// The check of capsules: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  func brokenCapsules() throws -> [String] {
    var complaints: [String] = []
    var counts = CapsuleCounts()
    let rows = try Row.fetchCursor(db.cachedStatement(sql: "\(Capsule.query) ORDER BY id"))
    while let row = try rows.next() {
      guard let capsule = try? Capsule(row: row), PositionRules.isOnMap(capsule.place) else {
        complaints.append("capsule \(try row.value(0, CapsuleID.self)) can't be read, or lies nowhere on the map")
        continue
      }
      counts.capsules += 1
      counts.openings += capsule.openCount
      counts.bytes += capsule.byteCount
    }
    let totals = try db.row("SELECT capsules_count, open_count, byte_count FROM capsule_totals")
    let stored = try totals.map {
      CapsuleCounts(capsules: try $0.value(0), openings: try $0.value(1), bytes: try $0.value(2))
    }
    if complaints.isEmpty && stored != counts { complaints.append("the totals of capsules are others than theirs") }
    let wordless = try db.rows(
      "SELECT id FROM capsules WHERE NOT EXISTS (SELECT 1 FROM capsule_texts WHERE capsule = capsules.id)"
    )
    complaints += try wordless.map { "capsule \(try $0.value(0, CapsuleID.self)) has no text" }
    return try complaints + brokenOpenings() + brokenCells()
  }

  private func brokenOpenings() throws -> [String] {
    let strays = try db.rows(
      """
      SELECT DISTINCT capsule FROM capsule_openings
      WHERE NOT EXISTS (SELECT 1 FROM capsules WHERE capsules.id = capsule_openings.capsule)
        AND NOT EXISTS (SELECT 1 FROM deleted_capsules WHERE deleted_capsules.id = capsule_openings.capsule)
      """
    )
    let kept = try db.rows(
      "SELECT id FROM deleted_capsules WHERE EXISTS (SELECT 1 FROM capsules WHERE capsules.id = deleted_capsules.id)"
    )
    let own = try db.rows(
      """
      SELECT id FROM capsules WHERE EXISTS (
        SELECT 1 FROM capsule_openings WHERE capsule = capsules.id AND player = capsules.owner)
      """
    )
    let uncounted = try db.rows(
      """
      SELECT id FROM capsules WHERE open_count < (
        SELECT COUNT(*) FROM capsule_openings WHERE capsule_openings.capsule = capsules.id)
      """
    )
    return try uncounted.map { "capsule \(try $0.value(0, CapsuleID.self)) has more openings than it counts" }
      + strays.map { "openings of capsule \(try $0.value(0, CapsuleID.self)), which is not there" }
      + kept.map { "capsule \(try $0.value(0, CapsuleID.self)) is there and deleted" }
      + own.map { "capsule \(try $0.value(0, CapsuleID.self)) counts its owner's opening" }
  }

  /// Holds each cell to the capsules in it, and to the cells that it is split into.
  private func brokenCells() throws -> [String] {
    let rows = try Row.fetchCursor(db, sql: "SELECT code FROM capsules WHERE is_for_everyone = 1 ORDER BY code")
    var codes: [PlaceCode] = []
    while let row = try rows.next() { codes.append(try row.code(0)) }
    var expected: [PlaceCell: PlaceSum] = [:]
    var waiting = try db.rootCell().map { [$0] } ?? []
    var complaints: [String] = []
    var count: Int64 = 0
    while let next = waiting.popLast() {
      count += 1
      let inside = codes[codes.partition(from: next.cell.first)..<codes.partition(from: next.cell.last, isBehind: true)]
      expected[next.cell] = inside.reduce(into: PlaceSum()) { $0 += $1 }
      if expected[next.cell] != next.sum { complaints.append("cell \(next.cell) counts other capsules than it has") }
      guard next.isSplit else { continue }
      let parts = try db.parts(of: next.cell)
      if parts.reduce(0, { $0 + $1.sum.count }) != next.sum.count {
        complaints.append("cell \(next.cell) counts other capsules than the cells below")
      }
      waiting += parts
    }
    let stored: Int64 = try db.rows("SELECT COUNT(*) FROM capsule_cells")[0].value(0)
    if stored != count { complaints.append("\(stored - count) cells are below none that is split") }
    if expected.isEmpty && !codes.isEmpty { complaints.append("capsules for everyone are in no cell") }
    return complaints
  }
}

extension PlaceCell: CustomStringConvertible {
  package var description: String { "\(level)/\(first)" }
}

extension [PlaceCode] {
  /// The index of the first of these ordered codes that is at least `value`, or behind it.
  fileprivate func partition(from value: Int64, isBehind: Bool = false) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind ? self[middle].value <= value : self[middle].value < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
