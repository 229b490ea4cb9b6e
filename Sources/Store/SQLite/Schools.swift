// Writes and reads the list of schools, an edition at a time, all or nothing.
import GRDB
import Game

extension SQLiteStore {
  package func applySchools(_ edition: [School], at: Instant) throws(StoreFailure) -> SchoolEdition {
    do {
      return try pool.writeWithoutTransaction { db in
        try db.transaction { try Self.apply(edition, at: at, on: db) }
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  /// Applies an edition inside a transaction.
  static func apply(_ edition: [School], at: Instant, on db: Database) throws -> SchoolEdition {
    var known: [SchoolID: School] = [:]
    for school in try schools(db) { known[school.id] = school }
    let difference = SchoolEdition(of: edition, over: known)
    for school in difference.rows { try write(school, at: at, on: db) }
    return difference
  }

  /// Writes a school; a closed school keeps the moment of its closing.
  fileprivate static func write(_ school: School, at: Instant, on db: Database) throws {
    try db.run(
      """
      INSERT INTO schools (id, name, level, region, address, closed_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, level = excluded.level, region = excluded.region,
        address = excluded.address,
        closed_at = CASE WHEN excluded.closed_at IS NULL THEN NULL ELSE COALESCE(schools.closed_at, excluded.closed_at) END
      """,
      school.id,
      school.name,
      school.level,
      school.region,
      school.address,
      school.isClosed ? at : nil
    )
  }

  package func schools() throws(StoreFailure) -> [School] {
    try read(Self.schools)
  }

  private static func schools(_ db: Database) throws -> [School] {
    try db.rows("SELECT id, name, level, region, address, closed_at FROM schools").map(School.init(row:))
  }
}

extension BatchWriting {
  /// Corrects one school of the list.
  func correct(_ correction: SchoolCorrection, at: Instant, _ entry: AuditEntry) throws -> ImportOutcome {
    let row = try db.row(
      "SELECT id, name, level, region, address, closed_at FROM schools WHERE id = ?",
      correction.id
    )
    guard let before = try row.map(School.init(row:)) else { return .unknownSchool }
    let difference = SchoolEdition(correcting: before, by: correction)
    for school in difference.rows { try SQLiteStore.write(school, at: at, on: db) }
    try write(entry.with(correction.corrected(before), before: before))
    return .schools(difference)
  }
}

extension StoreCheck {
  /// Checks that all schools can be shown: part of the check of a store.
  func brokenSchools() throws -> [String] {
    try db.rows("SELECT id, name, level, region, address, closed_at FROM schools ORDER BY id").compactMap { row in
      guard (try? School(row: row)) == nil else { return nil }
      return "school \(String.fromDatabaseValue(row[0]) ?? "without an id") can't be shown"
    }
  }
}

extension School {
  fileprivate init(row: Row) throws {
    let (id, name, level): (SchoolID, String, SchoolLevel) = (try row.value(0), try row.value(1), try row.value(2))
    let (region, address): (String, String) = (try row.value(3), try row.value(4))
    let isClosed = try row.decode(Instant?.self, atIndex: 5) != nil
    do throws(SchoolFault) {
      try self.init(id: id, name: name, level: level, region: region, address: address, isClosed: isClosed)
    } catch {
      throw StoreFailure.corrupt("a school: \(error)")
    }
  }
}
