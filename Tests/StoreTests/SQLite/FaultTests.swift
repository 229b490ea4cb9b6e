// SQLite's store under faults: a full disk (by a bound on the file, and a real small one), damaged bytes, removed
// files. A failure has changed nothing, and the store goes on by itself when it can.
import GRDB
import Game
import Glibc
import Store
import TestSupport
import Testing

@Suite("The SQLite store under faults")
struct FaultTests {
  /// Commits until one fails; returns the number of the first commit that failed.
  private func fill(_ store: any Store, from first: Int, chunk: Int) async throws -> Int {
    var count = first
    while true {
      do {
        try await store.commit(at: Int64(count), [(RoomID(1), [UInt8](repeating: UInt8(count % 251), count: chunk))])
        count += 1
      } catch StoreFailure.full {
        return count
      }
    }
  }

  private func journal(of count: Int, chunk: Int) -> [UInt8] {
    (0..<count).flatMap { [UInt8](repeating: UInt8($0 % 251), count: chunk) }
  }

  @Test("If a file may not grow, commits and maintenance fail as a whole; when it may again, all of them work")
  func boundedFile() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    func bound(pages: Int) throws {
      try store.pool.writeWithoutTransaction { _ = try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)") }
    }
    try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)))
    try bound(pages: 200)
    let count = try await fill(store, from: 0, chunk: 5_000)
    #expect(count > 10)
    await #expect(throws: StoreFailure.full) { try await store.maintain() }
    #expect(try store.liveRooms().map(\.journal) == [journal(of: count, chunk: 5_000)])
    #expect(try store.lastAliveAt == moment(Int64(count) - 1))
    // Changes that need no new page still succeed.
    #expect(try await store.change(AccountChange.setNickname(PlayerID(1), "나래")) == .ok)
    try bound(pages: 1_000_000)
    try await store.commit([(RoomID(1), [UInt8](repeating: UInt8(count % 251), count: 5_000))])
    try await store.maintain()
    #expect(try store.liveRooms().map(\.journal) == [journal(of: count + 1, chunk: 5_000)])
    store.close()
    #expect(try folder.complaints == [])
  }

  @Test("A change refused by the database has no effect, and does not stop the rest of its batch")
  func refusedChange() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit(at: 1, [(RoomID(1), [1])], hello(1, device: 1, session: 1), RoomChange.open(room(1)))
    var impossible = result(1, of: gameRow(1))
    impossible.distanceMm = -1
    let outcomes = try await store.commit(
      at: 2,
      [(RoomID(1), [2])],
      AccountChange.setNickname(PlayerID(1), "나래"),
      GameChange.end(gameRow(1), [impossible]),
      RoomChange.open(room(2))
    )
    #expect(outcomes == [.account(.ok), .game(.unavailable), .room(.ok)])
    #expect(try store.liveRooms().map(\.row) == [room(1), room(2)])
    #expect(try store.liveRooms().map(\.journal) == [[1, 2], []])
    #expect(try store.game(gameRow(1).id) == nil)
    let found = try await store.change(SessionChange.resume(session: session(1, expiresAt: 9), at: moment(3)))
    #expect(try found.playerRow.nickname == "나래")
  }

  /// Runs `body` with a disk of its own, of a few megabytes; skips it where tests may not mount one.
  private static func withSmallDisk(_ body: (TestFolder) async throws -> Void) async throws {
    let folder = try TestFolder()
    guard mount("tmpfs", folder.path, "tmpfs", 0, "size=6m") == 0 else {
      print("skipped: mounting a tmpfs needs root: \(String(cString: strerror(errno)))")
      return
    }
    defer { umount2(folder.path, 2) }
    try await body(folder)
  }

  @Test("On a full disk nothing is acknowledged, reads continue, and freed room is used without a restart")
  func fullDisk() async throws {
    try await Self.withSmallDisk { folder in
      let store = try SQLiteStore(folder: folder.path)
      defer { store.close() }
      try await store.commit([], RoomChange.open(room(1)))
      try folder.write([UInt8](repeating: 0, count: 3 << 20), to: "ballast")
      var count = try await fill(store, from: 0, chunk: 20_000)
      #expect(try store.liveRooms().map(\.journal) == [journal(of: count, chunk: 20_000)])
      await #expect(throws: StoreFailure.full) {
        try await store.commit([(RoomID(1), [UInt8](repeating: 0, count: 1 << 20))])
      }
      unlink(folder.path + "/ballast")
      let more = try await fill(store, from: count, chunk: 20_000)
      #expect(more > count)
      count = more
      #expect(try store.liveRooms().map(\.journal) == [journal(of: count, chunk: 20_000)])
    }
  }

  @Test("A full disk is reported when the store is opened")
  func fullAtOpening() async throws {
    try await Self.withSmallDisk { folder in
      let ballast = open(folder.path + "/ballast", O_WRONLY | O_CREAT, 0o600)
      defer { close(ballast) }
      let block = [UInt8](repeating: 0, count: 4_096)
      while write(ballast, block, block.count) == block.count {}
      #expect(throws: StoreFailure.full) { try SQLiteStore(folder: folder.path) }
    }
  }

  @Test("One player's damaged row affects that player only: the rest of the batch is committed")
  func damagedRow() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2, as: "나래"))
    try await store.pool.write {
      try $0.execute(sql: "UPDATE players SET email = X'80', password_hash = 'x' WHERE nickname = '가람'")
    }
    let outcomes = try await store.commit(
      [(RoomID(1), [1, 2, 3])],
      hello(11, device: 1, session: 11),
      hello(12, device: 2, session: 12),
      RoomChange.open(room(1))
    )
    #expect(outcomes[0] == .session(.unavailable) && outcomes[2] == .room(.ok))
    #expect(try outcomes[1].playerRow.id == PlayerID(2))
    #expect(try store.liveRooms().map(\.journal) == [[1, 2, 3]])
  }

  @Test(
    "A file that is removed or replaced under the store stops it until the file is back",
    arguments: ["madang.sqlite", "madang.sqlite-wal", "madang.sqlite-shm"],
    [true, false]
  )
  func takenAway(name: String, isReplaced: Bool) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    let (path, aside) = (folder.path + "/" + name, folder.path + "/aside")
    let gone = StoreFailure.gone(path)
    try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    #expect(rename(path, aside) == 0)
    if isReplaced { try folder.write(folder.read("aside"), to: name) }
    await #expect(throws: gone) { try await store.commit([(RoomID(1), [2])]) }
    await #expect(throws: gone) { try await store.maintain() }
    await #expect(throws: gone) { try await store.badges(of: PlayerID(1)) }
    #expect(rename(aside, path) == 0)
    try await store.commit([(RoomID(1), [3])])
    #expect(try store.liveRooms().map(\.journal) == [[1, 3]])
  }

  @Test("A folder that is moved or recreated under the store stops it until the folder is back")
  func movedFolder() async throws {
    let folder = try TestFolder()
    let (inner, aside) = (folder.path + "/data", folder.path + "/aside")
    let store = try SQLiteStore(folder: inner)
    try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    #expect(rename(inner, aside) == 0)
    let gone = StoreFailure.gone(inner + "/madang.sqlite")
    await #expect(throws: gone) { try await store.commit([(RoomID(1), [2])]) }
    // Another server may have the name meanwhile: its store is not written to.
    let other = try SQLiteStore(folder: inner)
    await #expect(throws: gone) { try await store.commit([(RoomID(1), [2])]) }
    #expect(try other.liveRooms() == [])
    other.close()
    #expect(rename(inner, folder.path + "/other") == 0)
    #expect(rename(aside, inner) == 0)
    try await store.commit([(RoomID(1), [3])])
    #expect(try store.liveRooms().map(\.journal) == [[1, 3]])
    store.close()
    for name in ["data", "other"] {
      for file in ["madang.sqlite", "madang.lock"] { unlink("\(folder.path)/\(name)/\(file)") }
      rmdir("\(folder.path)/\(name)")
    }
  }

  @Test("Damaged pages are reported, whichever byte is hit, and never crash")
  func damagedPages() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    for number in UInt128(1)...40 {
      try await store.commit([(RoomID(number), [UInt8](repeating: 1, count: 900))], RoomChange.open(room(number)))
    }
    try await store.maintain()
    store.close()
    let whole = folder.read("madang.sqlite")
    let pages = whole.count / 4_096
    try #require(pages > 10)
    var reported = 0
    for page in 0..<pages {
      var bytes = whole
      for index in page * 4_096..<page * 4_096 + 200 { bytes[index] ^= 0x5A }
      try folder.write(bytes, to: "madang.sqlite")
      do {
        if try !SQLiteStore.check(folder: folder.path).isEmpty { reported += 1 }
      } catch {
        reported += 1
      }
    }
    // Damage to an unused page may go unnoticed.
    #expect(reported > pages / 2)
  }
}
