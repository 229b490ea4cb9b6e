// Copies of SQLite's store while it is written, and the check of rules that no constraint can express.
import GRDB
import Game
import Store
import Synchronization
import TestSupport
import Testing

@Suite("Backup and check of the SQLite store")
struct BackupTests {
  @Test("A backup during commits has a whole number of them, in order, including all acknowledged before")
  func copyBesideWriter() async throws {
    let (folder, copies) = (try TestFolder(), try TestFolder())
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], RoomChange.open(room(1)), RoomChange.open(room(2)))
    let acknowledged = Mutex(0)
    let writing = Task {
      for number in 0..<250 {
        let chunk = [UInt8](repeating: UInt8(number), count: 1)
        try await store.commit([(RoomID(1), chunk), (RoomID(2), chunk)])
        acknowledged.withLock { $0 += 1 }
        if number % 50 == 0 { try await store.maintain() }
      }
    }
    for _ in 0..<5 {
      let atLeast = acknowledged.withLock { $0 }
      try SQLiteStore.backup(folder: folder.path, to: copies.path + "/madang.sqlite")
      #expect(copies.names == ["madang.sqlite"])
      let copy = try SQLiteStore(folder: copies.path, isReadOnly: true)
      let journals = try copy.liveRooms().map(\.journal)
      copy.close()
      #expect(try copies.complaints == [])
      #expect(journals.count == 2)
      #expect(journals[0] == journals[1])
      #expect(journals[0].count >= atLeast)
      #expect(journals[0] == (0..<journals[0].count).map { UInt8($0) })
    }
    try await writing.value
  }

  @Test("A backup can be opened as a store")
  func copyServes() async throws {
    let (folder, copies) = (try TestFolder(), try TestFolder())
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    store.close()
    try SQLiteStore.backup(folder: folder.path, to: copies.path + "/madang.sqlite")
    let copy = try SQLiteStore(folder: copies.path)
    defer { copy.close() }
    try await copy.commit([(RoomID(1), [2])])
    #expect(try copy.liveRooms().map(\.journal) == [[1, 2]])
  }

  @Test("A backup that is restored serves; a folder with a store, and one under a server, are left alone")
  func restored() async throws {
    let (folder, copies, target) = (try TestFolder(), try TestFolder(), try TestFolder())
    let store = try SQLiteStore(folder: folder.path)
    try SQLiteStore.backup(folder: folder.path, to: copies.path + "/empty")
    let none = try StoreBackup(file: copies.path + "/empty").check()
    #expect(none == [])
    try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    let copy = copies.path + "/copy"
    try SQLiteStore.backup(folder: folder.path, to: copy)
    // The made-up journal is no room's, for the store and for its copy.
    let (faults, stored) = (try StoreBackup(file: copy).check(), try SQLiteStore.check(folder: folder.path))
    #expect(faults == stored)
    try StoreBackup(file: copy).restore(to: target.path + "/new")
    let restored = try SQLiteStore(folder: target.path + "/new")
    try await restored.commit([(RoomID(1), [2])])
    #expect(try restored.liveRooms().map(\.journal) == [[1, 2]])
    // The backup is as it was, and neither store is overwritten.
    #expect(throws: StoreFailure.self) { try StoreBackup(file: copy).restore(to: target.path + "/new") }
    #expect(throws: StoreFailure.self) { try StoreBackup(file: copy).restore(to: folder.path) }
    restored.close()
    #expect(throws: StoreFailure.self) { try StoreBackup(file: copy).restore(to: target.path + "/new") }
    store.close()
    try StoreBackup(file: copy).restore(to: target.path + "/other")
    let other = try SQLiteStore(folder: target.path + "/other", isReadOnly: true)
    defer { other.close() }
    #expect(try other.liveRooms().map(\.journal) == [[1]])
  }

  @Test("A backup with a damaged byte or of another program is found, and leaves no folder with a store")
  func damaged() async throws {
    let (folder, copies, target) = (try TestFolder(), try TestFolder(), try TestFolder())
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit([(RoomID(1), [UInt8](repeating: 7, count: 20_000))], RoomChange.open(room(1)))
    store.close()
    try SQLiteStore.backup(folder: folder.path, to: copies.path + "/copy")
    var bytes = copies.read("copy")
    for index in 4_096..<8_192 { bytes[index] = 0xFF }
    try copies.write(bytes, to: "damaged")
    #expect(try StoreBackup(file: copies.path + "/damaged").check() != [])
    try copies.write([UInt8]("no database".utf8), to: "stranger")
    #expect((try? StoreBackup(file: copies.path + "/stranger").check()) != [])
    #expect(throws: StoreFailure.self) {
      try StoreBackup(file: copies.path + "/stranger").restore(to: target.path + "/new")
    }
    #expect(TestFolder.names(of: target.path + "/new") == ["madang.lock"])
  }

  @Test("A file that is no backup is called what it is, and nothing is restored from it")
  func strangers() throws {
    let (folder, target) = (try TestFolder(), try TestFolder())
    func file(_ name: String) -> String { folder.path + "/" + name }
    try folder.write([], to: "empty")
    try folder.write([UInt8]("a letter, not a database".utf8), to: "letter")
    let foreign = try DatabaseQueue(path: file("foreign"))
    try foreign.write { try $0.execute(sql: "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')") }
    try foreign.close()
    let blank = try DatabaseQueue(path: file("blank"))
    try blank.write { try $0.execute(sql: "PRAGMA user_version = 1") }
    try blank.close()
    let expected = [
      ("empty", "\(file("empty")) is empty: it is no backup"),
      ("letter", "\(file("letter")) is no SQLite database, and so no backup"),
      ("foreign", "the database is another program's, with no table of Madang's"),
      ("blank", "the database is empty: no server has written it"),
    ]
    for (name, words) in expected {
      #expect(throws: StoreFailure.other(words)) { try StoreBackup(file: file(name)).check() }
    }
    #expect(throws: StoreFailure.other("\(target.path) is no file, and so no backup")) {
      try StoreBackup(file: target.path).check()
    }
    #expect(target.names == [])
  }

  @Test("A failed backup leaves the old one unchanged")
  func failedCopy() async throws {
    let (folder, copies) = (try TestFolder(), try TestFolder())
    try copies.write([1, 2, 3], to: "copy")
    #expect(throws: StoreFailure.self) { try SQLiteStore.backup(folder: folder.path, to: copies.path + "/copy") }
    #expect(copies.names == ["copy"])
    #expect(copies.read("copy") == [1, 2, 3])
  }

  @Test("A store of a really played room has no complaints, folded or not")
  func sound() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    var played = try PlayedRoom(1)
    played.join(1, 2)
    try await store.commit(played.chunk(), hello(1, device: 1, session: 1), RoomChange.open(played.row))
    #expect(try SQLiteStore.check(folder: folder.path) == [])
    try await store.maintain()
    played.chat(0, by: 1)
    let game = gameRow(1)
    try await store.commit(played.chunk(), RoomChange.beginGame(game.id), GameChange.end(game, [result(1, of: game)]))
    #expect(try SQLiteStore.check(folder: folder.path) == [])
  }

  @Test(
    "The check detects",
    arguments: [
      ("UPDATE segments SET number = number + 7 WHERE number = 2", "segments are not consecutive"),
      ("UPDATE rooms SET snapshot_segment = 99", "no beginning"),
      ("UPDATE journals SET bytes = zeroblob(30)", "room 0"),
      ("UPDATE games SET players_count = 0", "more results than players"),
      ("UPDATE results SET ended_at = ended_at + 1", "differs from its results"),
      ("DELETE FROM badges", "badge 0 does not match"),
      ("UPDATE badges SET badge = 3", "badge 3 does not match"),
      ("PRAGMA foreign_keys = OFF; DELETE FROM players", "belongs to no row of players"),
      ("INSERT INTO journals SELECT room, first_segment + 1, last_segment + 9, bytes FROM journals", "overlap"),
    ]
  )
  func complaints(sql: String, complaint: String) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    var played = try PlayedRoom(1)
    played.join(1)
    let game = gameRow(1)
    try await store.commit(played.chunk(), hello(1, device: 1, session: 1), RoomChange.open(played.row))
    played.chat(0, by: 1)
    try await store.commit(played.chunk())
    try await store.maintain()
    for _ in 0..<3 { try await store.commit([(played.id, [])], RoomChange.open(room(UInt128.random(in: 5...9999)))) }
    try await store.commit([], GameChange.end(game, [result(1, of: game)]))
    try await store.pool.writeWithoutTransaction { db in
      try db.execute(sql: sql)
    }
    let complaints = try SQLiteStore.check(folder: folder.path)
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
  }
}
