// SQLite's webhooks: over a restart, a backup and an upgrade, and in the check.
import GRDB
import Game
import Store
import TestSupport
import Testing

@Suite("The SQLite store keeps webhooks")
struct WebhookStoreTests {
  @Test("Targets, events and numbers are there after a restart and in a backup")
  func reopening() async throws {
    let folder = try TestFolder()
    let copies = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.addWebhook(webhook(1, .fence))
    try await store.add(webhookEvent(of: 1), webhookEvent(of: 2))
    let pending = try await store.pending(of: 1)
    try SQLiteStore.backup(folder: folder.path, to: SQLiteStore.path(in: copies.path))
    try await store.change(WebhookChange.delivered(WebhookID(1), through: pending[1].number))
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try await again.webhookRow(1)?.deliveredCount == 2)
    try await again.add(webhookEvent(of: 3))
    #expect(try #require(try await again.pending(of: 1).first).number > pending[1].number)
    let copy = try SQLiteStore(folder: copies.path)
    defer { copy.close() }
    #expect(try await copy.pending(of: 1) == pending)
    #expect(try folder.complaints == [] && copies.complaints == [])
  }

  @Test("A file of schema 9 gets the tables, and nothing else changes")
  func olderFile() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.change(hello(1, device: 1, session: 1))
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = 0; \(OlderWebhooks.sql) UPDATE schema SET version = 9")
    }
    store.close()
    #expect(throws: StoreFailure.self) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try again.unknownPlayers(among: [PlayerID(1)]) == [])
    try await again.addWebhook(webhook(1, .fence))
    try await again.add(webhookEvent(naming: 1))
    #expect(try await again.pending(of: 1).count == 1)
    #expect(try folder.complaints == [])
  }

  @Test("The check finds wrong totals, events of no target, and numbers that none has yet")
  func check() async throws {
    let faults = [
      ("UPDATE webhook_targets SET pending_bytes = pending_bytes + 1", "counts other events"),
      ("DELETE FROM webhook_targets", "is not there"),
      ("UPDATE webhook_numbers SET newest = 0", "that none has yet"),
    ]
    for (sql, complaint) in faults {
      let folder = try TestFolder()
      let store = try SQLiteStore(folder: folder.path)
      try await store.addWebhook(webhook(1, .fence))
      try await store.add(webhookEvent())
      try await store.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
      store.close()
      let complaints = try folder.complaints
      #expect(complaints.count == 1 && complaints[0].contains(complaint), "\(complaints)")
    }
  }

  @Test("A removed target's events are deleted from the file by maintenance")
  func removal() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.change(hello(1, device: 1, session: 1))
    try await store.addWebhook(webhook(1, .fence))
    for _ in 1...450 { try await store.add(webhookEvent(naming: 1)) }
    try await store.change(WebhookChange.remove(WebhookID(1), .webhook("removeWebhook")))
    #expect(try folder.complaints == [])
    try await store.maintain(at: 10)
    let counts = try await store.pool.read { db in
      try ["webhook_events", "webhook_names", "removed_webhook_targets"].map {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0)")
      }
    }
    #expect(counts == [0, 0, 0])
  }
}
