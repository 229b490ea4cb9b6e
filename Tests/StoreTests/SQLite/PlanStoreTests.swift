// SQLite's travel plans: over a restart and an upgrade, in the check, piece by piece, and by indexes.
import GRDB
import Game
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store keeps travel plans")
struct PlanStoreTests {
  /// A store with a plan of two stops that a post shows and that player 2 has taken over.
  private func sharedPlan(_ folder: TestFolder) async throws -> SQLiteStore {
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...2)
    try await store.write(plan(1))
    for number: UInt128 in 1...2 { try await store.add(stop(number, text: "글"), to: 1) }
    try await store.write(post(1, plan: 1))
    try await store.change(takeOver(1, as: 2, by: 2))
    return store
  }

  @Test("Plans, their stops and takings over are there after a restart")
  func reopening() async throws {
    let folder = try TestFolder()
    let store = try await sharedPlan(folder)
    let (original, copy) = (try await store.plan(1, for: 2), try await store.plan(2, for: 2))
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try await again.plan(1, for: 2) == original && original?.seen.isTaken == true)
    #expect(try await again.plan(2, for: 2) == copy && copy?.stops.numbers == [1, 2])
    guard case .takenOver(_, takenOverCount: 1, isCounted: false) = try await again.change(takeOver(1, as: 3, by: 2))
    else { throw TestFailure("counted again") }
  }

  @Test("A file without plans is upgraded")
  func upgrade() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.greet(1...1)
    try await store.write(post(1))
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = 0; \(OlderPlans.sql) UPDATE schema SET version = 14")
    }
    store.close()
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    try await again.write(plan(1))
    let edit = PostEdit(id: PostID(1), author: PlayerID(1), plan: .replaced(PlanID(1)), at: moment(9))
    #expect(try await again.change(StoryChange.edit(edit)) != .planNotFound)
    #expect(try await again.post(1, for: 1)?.seen.post.plan == PlanID(1))
    #expect(try folder.complaints == [])
  }

  @Test(
    "The check finds plans that don't fit together",
    arguments: [
      ("UPDATE plans SET takers_count = 5 WHERE number = 1", "taken it over"),
      ("UPDATE plan_takers SET player = (SELECT author FROM plans WHERE number = 1)", "taken it over"),
      ("UPDATE plan_takers SET plan = 9", "not there"),
      ("UPDATE post_plans SET plan = 9", "not there"),
      ("UPDATE post_plans SET plan = 2", "somebody else's plan"),
      ("INSERT INTO deleted_plans VALUES (1)", "deleted"),
      ("UPDATE plans SET stops_count = 1 WHERE number = 1", "counts other stops"),
      ("DELETE FROM plan_stops WHERE day_index = 0", "one behind the other"),
      ("UPDATE plan_stops SET day = 99 WHERE plan = 1", "outside of its days"),
      ("UPDATE plans SET last_day = 1000 WHERE number = 1", "other days"),
      ("UPDATE plan_stops SET text = replace(hex(zeroblob(35000)), '00', 'aa') WHERE plan = 1", "more in its stops"),
      ("UPDATE plan_stops SET lat_e7 = 9999999999, lng_e7 = 0 WHERE plan = 1", "read"),
    ]
  )
  func complaints(sql: String, complaint: String) async throws {
    let folder = try TestFolder()
    let store = try await sharedPlan(folder)
    #expect(try folder.complaints == [])
    try await store.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
    store.close()
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
  }

  @Test("What refers to deleted plans is deleted by maintenance, piece by piece")
  func leftovers() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...250)
    try await store.write(plan(1))
    try await store.add(stop(1), to: 1)
    let posts = (1...250).map { StoryChange.write(post($0, plan: 1)).change }
    try await store.commit(Batch(at: moment(1), changes: posts))
    let copies = (2...250).map { takeOver(1, as: $0, by: $0).change }
    try await store.commit(Batch(at: moment(1), changes: copies))
    #expect(try await store.plan(1, for: 1)?.seen.plan.takenOverCount == 249)
    #expect(try await store.change(PlanChange.delete(PlanID(1), author: PlayerID(1), version: nil)) == .deleted)
    #expect(try folder.complaints == [])
    func counts() async throws -> [Int?] {
      try await store.pool.read { db in
        try ["plan_takers", "post_plans", "deleted_plans"].map {
          try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0)")
        }
      }
    }
    #expect(try await counts() == [249, 250, 1])
    try await store.maintain(at: 10)
    #expect(try await counts() == [0, 0, 0])
    #expect(try folder.complaints == [])
    try await store.delete(PlayerID(1))
    #expect(try await store.plan(2, for: 2)?.seen.credit == nil)
    #expect(try await store.plan(250, for: 250)?.seen.credit == nil)
    #expect(try folder.complaints == [])
  }

  @Test("No query about plans scans a table")
  func plans() async throws {
    let folder = try TestFolder()
    let store = try await sharedPlan(folder)
    defer { store.close() }
    let asked = Mutex<Set<String>>([])
    try await store.pool.read { db in
      db.trace { event in
        if case .statement(let statement) = event { asked.withLock { _ = $0.insert(statement.expandedSQL) } }
      }
    }
    #expect(try await store.plan(1, for: 2)?.stops.count == 2)
    #expect(try await store.plan(2, for: 2)?.seen.credit?.plan == PlanID(1))
    #expect(try await store.plans(of: 1, before: 9).plans.count == 1)
    try await store.pool.read { $0.trace() }
    let statements = asked.withLock { $0 }.filter { $0.hasPrefix("SELECT") && !$0.contains("'main'.") }
    #expect(statements.count >= 7)
    for statement in statements {
      let steps = try await store.pool.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)").map { $0["detail"] as String }
      }
      for step in steps where !step.hasPrefix("CORRELATED") {
        #expect(step.hasPrefix("SEARCH"), "\(statement): \(step)")
      }
    }
  }
}
