// SQLite's reports: over an upgrade, in the check, and piece by piece.
import GRDB
import Game
import Store
import TestSupport
import Testing

@Suite("The SQLite store keeps reports")
struct ReportStoreTests {
  @Test("A file without reports is upgraded, and its accounts count from its last commit on")
  func upgrade() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.enroll(1...5)
    try await store.write(post(1))
    try await store.bury(capsule(1))
    try await store.commit(at: 5_000, [(RoomID(1), [1])], RoomChange.open(room(1)))
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = 0; \(OlderModeration.sql) UPDATE schema SET version = 16")
    }
    store.close()
    #expect(throws: StoreFailure.self) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try await again.pages(.everyone, by: .latest, of: 2, limit: 5).map(\.isHidden) == [false])
    for (at, isShown) in [(4_999 + 7 * dayMs, true), (5_000 + 7 * dayMs, false)] {
      let subject: ReportSubject = isShown ? .firstPost : .firstCapsule
      for reporter: UInt8 in 3...5 {
        try await again.change(report(subject, by: UInt128(reporter), from: reporter, at: at))
      }
    }
    #expect(try await again.post(1, for: 2) != nil)
    #expect(try await again.capsule(1, visibleTo: 2) == nil)
    #expect(try folder.complaints == [])
  }

  @Test(
    "The check finds reports that don't fit together",
    arguments: [
      ("DELETE FROM moderated WHERE kind = 2", "no row of its own"),
      ("UPDATE moderated SET subject = zeroblob(16) WHERE kind = 4", "not there"),
      ("UPDATE moderated SET state = 0 WHERE kind = 1", "hidden other"),
      ("UPDATE comments SET is_hidden = 1", "hidden other"),
      ("UPDATE capsules SET is_for_everyone = 0, hidden = 1", "hidden other"),
      ("UPDATE moderated SET state = 2 WHERE kind = 2", "networks are kept"),
    ]
  )
  func complaints(sql: String, complaint: String) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.enroll(1...5)
    try await store.write(post(1))
    try await store.bury(capsule(1, forEveryone: false), sharedWith: 3)
    try await store.change(StoryChange.comment(comment(1, on: 1, by: 1)))
    for subject in [ReportSubject.firstComment, .firstCapsule] { try await store.change(report(subject, by: 3)) }
    try await store.reportAway(.firstPost)
    #expect(try folder.complaints == [])
    try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = 0; \(sql)") }
    store.close()
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
  }

  @Test("Reports of deleted things are deleted from the file by maintenance, and networks with a decision")
  func leftovers() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.greet(1...250)
    for number: UInt128 in 1...2 { try await store.write(post(number)) }
    try await store.change(StoryChange.comment(comment(1, on: 1, by: 1)))
    for subject in [ReportSubject.firstPost, .firstComment, .post(PostID(2))] {
      let reports = (2...250).map { report(subject, by: $0).change }
      try await store.commit(Batch(at: moment(1), changes: reports))
    }
    func count(_ table: String) async throws -> Int? {
      try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") }
    }
    #expect(try await store.change(StoryChange.delete(PostID(1), author: PlayerID(1))) != .notFound)
    #expect(try await count("reports") == 747)
    #expect(try folder.complaints == [])
    try await store.maintain(at: 10)
    #expect(try await count("reports") == 249)
    #expect(try await count("moderated") == 1)
    #expect(try await count("deleted_subjects") == 0)
    #expect(try folder.complaints == [])
  }

  @Test("A decision forgets the networks of its reports, and those of later ones go with the next")
  func networks() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.enroll(1...5)
    try await store.greet(6...6)
    try await store.write(post(1))
    func known() async throws -> Int? {
      try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(network) FROM reports") }
    }
    for reporter: UInt8 in [3, 4, 6] {
      try await store.change(report(.firstPost, by: UInt128(reporter), from: reporter))
    }
    #expect(try await known() == 2, "a guest's network is not kept")
    try await store.change(decide(.firstPost, .restore))
    #expect(try await known() == 0)
    try await store.change(report(.firstPost, by: 5, from: 5))
    #expect(try await known() == 1)
    try await store.change(decide(.firstPost, .hide))
    #expect(try await known() == 0)
  }
}
