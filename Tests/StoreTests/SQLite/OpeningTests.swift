// The opening of SQLite's store: its effective settings, one writer per folder, readers beside it, newer and broken
// files refused.
import GRDB
import Game
import Glibc
import Store
import TestSupport
import Testing

@Suite("The SQLite store opens")
struct OpeningTests {
  @Test("The writer syncs at every commit, checks foreign keys and leaves the log to the checkpoints")
  func settings() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], RoomChange.open(room(1)))
    func setting(_ name: String) throws -> String? {
      try store.pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }
    #expect(try setting("synchronous") == "2", "FULL")
    #expect(try setting("journal_mode") == "wal")
    #expect(try setting("foreign_keys") == "1")
    #expect(try setting("wal_autocheckpoint") == "0")
  }

  @Test("Committed data is there when the store is opened again")
  func reopening() async throws {
    let folder = try TestFolder()
    let game = gameRow(1)
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit(
      at: 5,
      [(RoomID(1), [1])],
      hello(1, device: 1, session: 1),
      RoomChange.open(room(1)),
      RoomChange.beginGame(game.id)
    )
    try await store.maintain()
    try await store.commit(at: 6, [(RoomID(1), [2])], GameChange.end(game, [result(1, of: game)]))
    store.close()

    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    #expect(try again.liveRooms() == [StoredRoom(row: room(1), journal: [1, 2], lastGame: 1)])
    #expect(try again.lastAliveAt == moment(6))
    #expect(try again.journal(of: game.id) == [1, 2])
    #expect(try await again.badges(of: PlayerID(1)).map(\.badge) == [0])
    try await again.commit([(RoomID(1), [3])])
    #expect(try again.liveRooms().map(\.journal) == [[1, 2, 3]])
  }

  @Test("A folder has one writer, and the next one is refused with its process; a released folder is free")
  func oneWriter() throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    #expect(throws: StoreFailure.locked(pid: Int(getpid()))) { try SQLiteStore(folder: folder.path) }
    store.close()
    try SQLiteStore(folder: folder.path).close()
  }

  @Test("A dead process's lock, which its child still has, is waited for; that of a living one is not")
  func orphanedLock() throws {
    let folder = try TestFolder()
    let held = try FolderLock(folder: folder.path)
    // Linux gives no process a number above 4,194,304.
    let file = open(folder.path + "/madang.lock", O_WRONLY | O_TRUNC)
    defer { close(file) }
    #expect(pwrite(file, "4194305\n", 8, 0) == 8)
    var pauses = 0
    let next = try FolderLock(folder: folder.path) {
      pauses += 1
      if pauses == 3 { held.release() }
    }
    #expect(pauses == 3)
    #expect(throws: StoreFailure.locked(pid: Int(getpid()))) {
      try FolderLock(folder: folder.path) { pauses += 1 }
    }
    #expect(pauses == 3)
    next.release()
  }

  @Test("A dead process's lock is waited for a bounded number of times")
  func lockWithoutEnd() throws {
    let folder = try TestFolder()
    let held = try FolderLock(folder: folder.path)
    let file = open(folder.path + "/madang.lock", O_WRONLY | O_TRUNC)
    defer { close(file) }
    #expect(pwrite(file, "4194305\n", 8, 0) == 8)
    var pauses = 0
    #expect(throws: StoreFailure.locked(pid: 4_194_305)) { try FolderLock(folder: folder.path) { pauses += 1 } }
    #expect(pauses == 499)
    held.release()
  }

  @Test("Readers see committed data beside the writer, folded or not, and write nothing")
  func readers() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    let reader = try SQLiteStore(folder: folder.path, isReadOnly: true)
    #expect(try reader.liveRooms().map(\.journal) == [[1]])
    try await store.maintain()
    try await store.commit([(RoomID(1), [2])])
    #expect(try reader.liveRooms().map(\.journal) == [[1, 2]])
    await #expect(throws: StoreFailure.readOnly) { try await reader.commit([(RoomID(1), [3])]) }
    reader.close()
    store.close()
    // The server may also be down.
    let later = try SQLiteStore(folder: folder.path, isReadOnly: true)
    #expect(try later.liveRooms().map(\.journal) == [[1, 2]])
    later.close()
    try SQLiteStore(folder: folder.path).close()
  }

  @Test("A reader does not create a missing store")
  func noStore() throws {
    let folder = try TestFolder()
    #expect(throws: StoreFailure.self) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    #expect(folder.names == [])
  }

  @Test("A newer schema is refused, and left unchanged")
  func newerSchema() throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try store.pool.write { try $0.execute(sql: "UPDATE schema SET version = 7000") }
    store.close()
    let before = folder.read("madang.sqlite")
    let failure = StoreFailure.newerSchema(found: 7_000, known: 21)
    #expect(throws: failure) { try SQLiteStore(folder: folder.path) }
    #expect(throws: failure) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    #expect(folder.read("madang.sqlite") == before)
    #expect(throws: failure, "and the lock was given up") { try SQLiteStore(folder: folder.path) }
  }

  @Test("A file that is no store is reported and left unchanged")
  func noDatabase() throws {
    let folder = try TestFolder()
    let bytes = [UInt8](repeating: 7, count: 10_000)
    try folder.write(bytes, to: "madang.sqlite")
    #expect { try SQLiteStore(folder: folder.path) } throws: { error in
      if case StoreFailure.corrupt = error { true } else { false }
    }
    #expect(folder.read("madang.sqlite") == bytes)
  }

  @Test("Another program's database is refused, and left unchanged")
  func foreignDatabase() throws {
    let folder = try TestFolder()
    let foreign = try DatabaseQueue(path: folder.path + "/madang.sqlite")
    try foreign.write { try $0.execute(sql: "CREATE TABLE bookmarks (url TEXT)") }
    try foreign.close()
    let before = folder.read("madang.sqlite")
    let failure = StoreFailure.other("the database is another program's, with no table of Madang's")
    #expect(throws: failure) { try SQLiteStore(folder: folder.path) }
    #expect(throws: failure) { try SQLiteStore(folder: folder.path, isReadOnly: true) }
    #expect(folder.read("madang.sqlite") == before)
  }

  @Test("A folder that can't be created is reported")
  func noFolder() {
    #expect { try SQLiteStore(folder: "/proc/madang/store") } throws: { $0 is StoreFailure }
  }
}
