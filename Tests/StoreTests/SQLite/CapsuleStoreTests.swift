// SQLite's capsules: over a restart and an upgrade, in the check, in the tree of cells, and by indexes.
import GRDB
import Game
import SeededRandom
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store keeps capsules")
struct CapsuleStoreTests {
  @Test("Capsules, openings and fences are there after a restart")
  func reopening() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...3)
    try await store.bury(capsule(1), sharedWith: 3)
    try await store.change(open(1, by: 2))
    let fence = StoredFence(id: FenceID(1), bytes: [1, 2], importedAt: moment(3))
    let entry = AuditEntry(at: moment(3), address: "::1", action: "importFences")
    try await store.change(ImportChange.fences([fence], entry))
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try await again.change(open(1, by: 2)) == .opened(try #require(again.whole(1)), isFirst: false))
    #expect(try await again.capsules(ownedBy: 1).map(\.openCount) == [1])
    #expect(try await again.named(by: 1, of: 1) == [PlayerID(3)])
    #expect(try again.allFences() == [fence])
    #expect(try folder.complaints == [])
  }

  @Test("A file of schema 8 gets the tables, and nothing else changes")
  func olderFile() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...1)
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = 0; \(OlderPlaces.sql) UPDATE schema SET version = 8")
    }
    store.close()
    #expect(throws: StoreFailure.self) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    try await again.bury(capsule(1))
    #expect(try await again.capsules(near: seoul, visibleTo: 9).count == 1)
    #expect(try folder.complaints == [])
  }

  @Test("The tree of cells is sound over many changes, and small again when capsules are gone")
  func tree() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...5)
    var random = SplitMix64(seed: 31)
    func place() -> Coordinate {
      guard random.chance(90) else { return seoul }
      let spread = random.pick([30, 3_000, 300_000, 30_000_000])
      return Coordinate(
        latE7: seoul.latE7 + Int32(random.draw(-spread...spread)),
        lngE7: seoul.lngE7 + Int32(random.draw(-spread...spread))
      )
    }
    var live: [UInt128] = []
    for number: UInt128 in 1...1_500 {
      var changes = [CapsuleChange.bury(capsule(number, of: 1 + number % 5, at: place()), sharedWith: []).change]
      live.append(number)
      if random.chance(40) {
        let moved = random.pick(live)
        let edit = CapsuleEdit(id: CapsuleID(moved), owner: PlayerID(1 + moved % 5), place: place(), at: moment(9))
        changes.append(CapsuleChange.edit(edit).change)
      }
      try await store.commit(Batch(at: moment(0), changes: changes))
    }
    #expect(try folder.complaints == [])
    let cells = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM capsule_cells") ?? 0 }
    #expect(cells > 50 && cells < 1_500)
    while live.count > 10 {
      let gone = (0..<10).map { _ in live.remove(at: random.draw(0...live.count - 1)) }
      let changes = gone.map { CapsuleChange.delete(CapsuleID($0), owner: PlayerID(1 + $0 % 5)).change }
      try await store.commit(Batch(at: moment(0), changes: changes))
      if live.count % 250 == 0 { #expect(try folder.complaints == []) }
    }
    let left = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM capsule_cells") ?? 0 }
    #expect(left == 1)
    #expect(try folder.complaints == [])
  }

  @Test("Openings of a deleted capsule are deleted piece by piece")
  func manyOpenings() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...1)
    try await store.bury(capsule(1))
    try await store.pool.write { db in
      for number in UInt128(2)...600 {
        let player = PlayerID(number)
        try db.execute(sql: "INSERT INTO players (id, nickname) VALUES (?, 'x')", arguments: [player])
        try db.execute(
          sql: "INSERT INTO capsule_openings (capsule, player, opened_at) VALUES (?, ?, 0)",
          arguments: [CapsuleID(1), player]
        )
        try db.execute(
          sql: "INSERT INTO progress (player, experience, openings_count) VALUES (?, 0, 1)",
          arguments: [player]
        )
      }
      try db.execute(sql: "UPDATE capsules SET open_count = 599; UPDATE capsule_totals SET open_count = 599")
    }
    #expect(try await store.change(CapsuleChange.delete(CapsuleID(1), owner: PlayerID(1))) == .deleted)
    #expect(try folder.complaints == [])
    try await store.maintain()
    let left = try await store.pool.read { db in
      try Int.fetchOne(
        db,
        sql: "SELECT (SELECT COUNT(*) FROM capsule_openings) + (SELECT COUNT(*) FROM deleted_capsules)"
      )
    }
    #expect(left == 0)
  }

  @Test(
    "An invalid row is reported",
    arguments: [
      "DELETE FROM capsule_texts": "has no text",
      "UPDATE capsules SET code = 9223372036854775807": "lies nowhere on the map",
      "UPDATE capsules SET code = 0": "lies nowhere on the map",
      "UPDATE capsules SET code = code + 4 WHERE open_count = 1": "counts other capsules than it has",
      "UPDATE capsules SET open_count = 0": "more openings than it counts",
      "UPDATE capsules SET open_count = 7": "the totals of capsules",
      "UPDATE capsule_totals SET byte_count = 7": "the totals of capsules",
      "DELETE FROM capsule_totals": "the totals of capsules",
      "DELETE FROM capsule_cells": "are in no cell",
      "DELETE FROM capsule_cells WHERE level = 2": "than the cells below",
      "UPDATE capsule_cells SET x_sum = 1": "counts other capsules than it has",
      "INSERT INTO capsule_cells VALUES (8, 0, 0, 1, 1, 1)": "1 cells are below none",
      "INSERT INTO capsule_openings SELECT X'00000000000000000000000000000099', id, 5 FROM players":
        "which is not there",
      "INSERT INTO capsule_openings SELECT id, owner, 5 FROM capsules WHERE open_count = 0": "its owner's opening",
      "INSERT INTO deleted_capsules SELECT id FROM capsules LIMIT 1": "is there and deleted",
    ]
  )
  func broken(statement: String, expected: String) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...2)
    for number: UInt128 in 1...40 { try await store.bury(capsule(number)) }
    try await store.change(open(1, by: 2))
    #expect(try folder.complaints == [])
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0; \(statement)")
    }
    store.close()
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains(expected) }, "\(complaints)")
  }

  @Test("No query about capsules scans a table or sorts one")
  func plans() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...2)
    for number: UInt128 in 1...50 { try await store.bury(capsule(number), sharedWith: 2) }
    let asked = Mutex<Set<String>>([])
    // Sequential reads always use the same connection.
    try await store.pool.read { db in
      db.trace { event in
        if case .statement(let statement) = event { asked.withLock { _ = $0.insert(statement.expandedSQL) } }
      }
    }
    for scope in CapsuleScope.allCases {
      for sort in [CapsuleSort.oldest, .latest, .nearest(seoul), .furthest(seoul)] {
        #expect(try await store.pages(scope, by: sort, of: 2, limit: 20).count == (scope == .own ? 0 : 50))
      }
      _ = try await store.highlights(scope, of: 2, at: seoul)
    }
    #expect(try await store.capsules(near: seoul, visibleTo: 2).count == 50)
    let box = try #require(MapBox(southE7: 0, westE7: 0, northE7: 400_000_000, eastE7: 1_300_000_000))
    for limit in [10, 100] { _ = try await store.map(box, limit: limit) }
    #expect(try await store.capsule(1, visibleTo: 2) != nil)
    try await store.pool.read { $0.trace() }
    let statements = asked.withLock { $0 }.filter { $0.hasPrefix("SELECT") }
    #expect(statements.count >= 20)
    for statement in statements {
      let plan = try await store.pool.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
      }
      for step in plan {
        // A highlight is the first of an index.
        let isFirst = step.contains(" USING ") && step.contains("INDEX") && statement.hasSuffix("LIMIT 1")
        #expect(step.hasPrefix("SEARCH") || step.contains("SUBQUERY") || isFirst, "\(statement): \(step)")
      }
    }
  }
}

extension SQLiteStore {
  fileprivate func whole(_ number: UInt128) async throws -> Capsule? {
    try await capsules(ownedBy: 1).first { $0.id == CapsuleID(number) }
  }
}
