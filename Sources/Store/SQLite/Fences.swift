// Operators' fences: their import and removal, parts of `BatchWriting`, and their read, which blocks.
import GRDB
import Game

extension BatchWriting {
  func importFences(_ fences: [StoredFence]) throws -> ImportOutcome {
    var counts = FenceCounts()
    var changed: [StoredFence] = []
    for fence in fences {
      let known = try db.row("SELECT bytes FROM fences WHERE id = ?", fence.id)?.value(0, Blob.self).bytes
      if known == fence.bytes {
        counts.unchanged += 1
        continue
      }
      changed.append(fence)
      if known == nil { counts.added += 1 } else { counts.replaced += 1 }
    }
    let before: Int = try db.rows("SELECT COUNT(*) FROM fences")[0].value(0)
    guard before + counts.added <= StoredFence.countMax else { return .tooManyFences }
    for fence in changed {
      try db.run(
        """
        INSERT INTO fences (id, bytes, imported_at) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, imported_at = excluded.imported_at
        """,
        fence.id,
        Blob(fence.bytes),
        fence.importedAt
      )
    }
    return .fences(counts)
  }

  func removeFences(_ fences: [FenceID]) throws -> ImportOutcome {
    .removedFences(try fences.reduce(0) { $0 + (try db.run("DELETE FROM fences WHERE id = ?", $1)) })
  }
}

/// A store whose fences are read from an SQLite database.
package protocol FenceReading: FenceStore {
  /// Runs `body` on one snapshot of the committed data, and waits for it.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value
}

extension SQLiteStore: FenceReading {}

extension FenceReading {
  package func fences(_ body: (StoredFence) throws -> Void) throws(StoreFailure) {
    try read { db in
      let rows = try Row.fetchCursor(db, sql: "SELECT id, bytes, imported_at FROM fences ORDER BY id")
      while let row = try rows.next() {
        let bytes = try row.value(1, Blob.self).bytes
        guard (1...FenceRules.bytesMax).contains(bytes.count) else {
          throw StoreFailure.corrupt("the bytes of a fence")
        }
        try body(StoredFence(id: row.value(0), bytes: bytes, importedAt: row.value(2)))
      }
    }
  }
}
