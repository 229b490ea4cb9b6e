// The list of schools in its file: after a restart, an edition that can't be written, and damaged rows.
import GRDB
import Game
import Store
import TestSupport
import Testing

@Suite("Schools in SQLite")
struct SchoolStoreTests {
  private static func school(_ number: Int, isClosed: Bool = false) throws -> School {
    let id = try #require(SchoolID("B\(number)"))
    return try School(id: id, name: "가람초", level: .special, region: "", address: "", isClosed: isClosed)
  }

  @Test("Schools are there when the store is opened again, each with the time of its first closing")
  func lasting() throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    _ = try store.applySchools([Self.school(1), Self.school(2)], at: moment(1))
    _ = try store.applySchools([Self.school(1)], at: moment(2))
    _ = try store.applySchools([Self.school(1), Self.school(2, isClosed: true)], at: moment(3))
    _ = try store.applySchools([Self.school(1)], at: moment(4))
    store.close()
    store = try SQLiteStore(folder: folder.path, isReadOnly: true)
    #expect(try store.schools().sorted { $0.id < $1.id } == [Self.school(1), Self.school(2, isClosed: true)])
    let closedAt = try store.pool.read { try Int64.fetchOne($0, sql: "SELECT closed_at FROM schools WHERE id = 'B2'") }
    #expect(closedAt == 2)
    #expect(throws: StoreFailure.self) { _ = try store.applySchools([Self.school(3)], at: moment(5)) }
    store.close()
    #expect(try folder.complaints == [])
  }

  @Test("An edition with one row that can't be written changes nothing")
  func wholeOrNothing() throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    _ = try store.applySchools([Self.school(1)], at: moment(1))
    try store.pool.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TRIGGER full BEFORE INSERT ON schools WHEN new.id = 'B3'
          BEGIN SELECT RAISE(ABORT, 'no room'); END
          """
      )
    }
    #expect(throws: StoreFailure.self) {
      _ = try store.applySchools([Self.school(2), Self.school(3), Self.school(4)], at: moment(2))
    }
    #expect(try store.schools() == [Self.school(1)])
    store.close()
  }

  @Test(
    "A row that is no school is reported by the check, and the list can't be read",
    arguments: [
      "name = char(10)", "name = ''", "level = 5", "level = 'high'", "address = 'x' || char(10) || 'x'",
      "closed_at = 'today'",
      "id = 'B-1'", "region = X'FF'",
    ]
  )
  func damaged(assignment: String) throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    _ = try store.applySchools([Self.school(1), Self.school(2)], at: moment(1))
    try store.pool.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA ignore_check_constraints = 1; UPDATE schools SET \(assignment) WHERE id = 'B1'"
      )
    }
    #expect(throws: StoreFailure.self) { _ = try store.schools() }
    #expect(throws: StoreFailure.self) { _ = try store.applySchools([Self.school(2)], at: moment(2)) }
    store.close()
    #expect(try folder.complaints.contains { $0.contains("can't be shown") || $0.contains("schools") }, "\(assignment)")
  }
}
