// Sanctions and the audit log in SQLite: over a restart, in an older store, and in the check.
import Game
import GRDB
import Store
import TestSupport
import Testing

@Suite("The SQLite store keeps sanctions and the audit log")
struct SanctionStoreTests {
  private static let ban = SanctionChange.put(
    Sanction(player: PlayerID(1), kind: .ban, since: moment(5), until: nil, reason: ""),
    AuditEntry(at: moment(5), address: "::1", action: "ban", player: PlayerID(1))
  )

  private static func audit(in store: SQLiteStore) async throws -> [AuditRow] {
    try await withCheckedContinuation { waiting in
      store.audit(before: nil, limit: 10) { waiting.resume(returning: $0) }
    }.get()
  }

  @Test("Sanctions are there when the store is opened again, beside a writer too")
  func reopening() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.change(hello(1, device: 1, session: 1))
    try await store.change(Self.ban)
    let reader = try SQLiteStore(folder: folder.path, isReadOnly: true)
    #expect(try await Self.audit(in: reader).map(\.number) == [1])
    reader.close()
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try await again.change(hello(1, device: 1, session: 2)) == .banned(until: nil))
    try await again.change(AuditEntry(at: moment(6), address: "::1", action: "drain"))
    #expect(try await Self.audit(in: again).map(\.number) == [2, 1])
  }

  @Test("An older store gets the tables of sanctions, and its data stays unchanged")
  func olderSchema() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.change(hello(1, device: 1, session: 1))
    try await store.pool.write { db in
      try db.execute(
        sql: """
          DROP TABLE erasures; DROP INDEX players_look; ALTER TABLE players DROP COLUMN look_at;
          ALTER TABLE sessions DROP COLUMN is_by_device; ALTER TABLE results DROP COLUMN late_percent;
          ALTER TABLE results DROP COLUMN withheld_percent; UPDATE schema SET version = 2;
          \(OlderRankings.sql) DROP TABLE sanctions; DROP TABLE audit;
          """
      )
    }
    store.close()
    #expect(throws: StoreFailure.self) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    let again = try SQLiteStore(folder: folder.path)
    #expect(
      try await again.change(SessionChange.resume(session: session(1), at: moment(5))).playerRow.id == PlayerID(1)
    )
    #expect(try await again.change(Self.ban) == .ok)
    again.close()
    #expect(try folder.complaints == [])
  }

  @Test("Rows of before operators had names stay readable")
  func olderRows() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    let entry = AuditEntry(at: moment(6), address: "::1", action: "ban", player: PlayerID(1), detail: "60 min: rude")
    try await store.change(entry)
    try await store.pool.write { try $0.execute(sql: "\(OlderAudit.sql) UPDATE schema SET version = 17") }
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    var named = AuditEntry(at: moment(7), address: "::1", action: "closeRoom", room: RoomID(2), detail: "3 in it")
    (named.operator, named.code, named.reason) = ("yuna", "7K3F9-QXA25", "a test")
    try await again.change(named)
    #expect(try await Self.audit(in: again).map(\.entry) == [named, entry])
    #expect(try folder.complaints == [])
  }

  @Test("The check reports rows missing from the audit log")
  func missingRow() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    for _ in 0..<3 { try await store.change(AuditEntry(at: moment(6), address: "::1", action: "drain")) }
    #expect(try folder.complaints == [])
    try await store.pool.write { try $0.execute(sql: "DELETE FROM audit WHERE number = 2") }
    store.close()
    #expect(try folder.complaints == ["the audit log lacks 1 of its rows"])
  }
}
