// The store's maintenance beside commits: in pieces, each whole.
import GRDB
import Game
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store's maintenance")
struct MaintenanceTests {
  @Test("Commits are made between the pieces")
  func commitsBetween() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], RoomChange.open(room(1)))
    // Each commit fills a piece.
    for _ in 0..<8 { try await store.commit([(RoomID(1), [UInt8](repeating: 1, count: 2 << 20))]) }
    let done = Mutex<[String]>([])
    @Sendable func commitAgain(_ count: Int) {
      guard count > 0 else { return }
      var segment = Segment()
      segment.append(RoomID(1)) { $0.append(2) }
      store.commit(Batch(at: moment(0), segments: [segment])) { _ in
        done.withLock { $0.append("commit") }
        commitAgain(count - 1)
      }
    }
    commitAgain(4)
    try await store.maintain()
    done.withLock { $0.append("maintenance") }
    try await store.commit([], RoomChange.open(room(2)))
    #expect(done.withLock(\.self) == ["commit", "commit", "commit", "commit", "maintenance"])
    #expect(try store.liveRooms().first?.journal.count == (16 << 20) + 4)
  }

  @Test("Folded pieces are in no segment, and the newest segment's row stays")
  func foldedOnce() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    func rows(_ sql: String) throws -> [[Int]] {
      try store.pool.read { db in try Row.fetchAll(db, sql: sql).map { [$0[0], $0[1]] } }
    }
    try await store.commit([], RoomChange.open(room(1)))
    for number in UInt8(0)..<5 { try await store.commit([(RoomID(1), [number])]) }
    try await store.maintain()
    #expect(try rows("SELECT number, length(bytes) FROM segments") == [[6, 0]])
    #expect(try rows("SELECT first_segment, last_segment FROM journals") == [[2, 6]])
    // A closed room that nobody needs leaves no rows.
    try await store.commit([(RoomID(1), [9])], RoomChange.close(RoomID(1)))
    try await store.maintain()
    #expect(try rows("SELECT COUNT(*), (SELECT COUNT(*) FROM rooms) FROM journals") == [[0, 0]])
  }

  @Test("The log stays bounded during commits")
  func boundedLog() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], RoomChange.open(room(1)))
    for _ in 0..<110 { try await store.commit([(RoomID(1), [UInt8](repeating: 1, count: 1 << 20))]) }
    // Up to 8 MB may stay in the log, and 12 MB are added before all is written back.
    #expect(folder.read("madang.sqlite-wal").count < 24 << 20)
  }
}
