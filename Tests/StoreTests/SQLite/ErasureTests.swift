// SQLite's store erases players in pieces: beside other work, after a crash, and over faults.
import GRDB
import Game
import Store
import Synchronization
import TestSupport
import Testing

@Suite("The SQLite store erases players in pieces")
struct ErasureTests {
  private static let one = PlayerID(1)

  /// Player 1 has many results, and texts in rooms whose journals are so large that an erasure takes many pieces.
  private func talk(in store: any Store, rooms: UInt128 = 3) async throws {
    try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
    for number in 1...rooms {
      var played = try PlayedRoom(number)
      played.join(1, 2)
      try await store.commit(played.chunk(), RoomChange.open(played.row), RoomChange.addPresence(Self.one, played.id))
      for _ in 0..<3 {
        for _ in 0..<400 { played.apply(.chat(.seat(0), text: Self.longText), from: 1) }
        try await store.commit(played.chunk())
      }
      let game = gameRow(number)
      try await store.commit([], RoomChange.beginGame(game.id))
      try await store.commit(played.chunk(), GameChange.end(game, [result(1, of: game), result(2, of: game, rank: 2)]))
    }
  }

  private static let longText = PlayedRoom.text(of: 1) + String(repeating: "가", count: 60)

  private func isWithoutTraces(_ store: any Store) throws -> Bool {
    try store.liveRooms().allSatisfy {
      !$0.journal.contains(text: PlayedRoom.text(of: 1)) && !$0.journal.contains(text: PlayedRoom.nickname(of: 1))
    }
  }

  @Test("An erasure continues after an interruption at any piece")
  func resumed() async throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    try await talk(in: store)
    try await store.change(DeletionChange.finish(Self.one, at: moment(9)))
    var opened = 0
    while try await store.pool.read({ try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM erasures") }) != 0 {
      // The commit comes after the first piece and before one of the next; on a busy machine it may come after all.
      store.erase(Self.one) { _ in }
      try await store.change(AccountChange.setNickname(PlayerID(2), "나래 \(opened)"))
      store.close()
      opened += 1
      #expect(try folder.complaints == [])
      store = try SQLiteStore(folder: folder.path)
      #expect(try store.unknownPlayers(among: [Self.one]) == [Self.one])
      #expect(try await store.change(hello(3, device: 1, session: UInt8(10 + opened))).playerRow.id == PlayerID(3))
    }
    #expect(opened > 0)
    #expect(try isWithoutTraces(store))
    #expect(try await store.results(of: Self.one) == [])
    #expect(try await store.results(of: PlayerID(2)).count == 3)
    store.close()
    #expect(try folder.complaints == [])
  }

  @Test("The callers waiting at a close get an error, and the next maintenance finishes the erasure")
  func closed() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await talk(in: store)
    try await store.change(DeletionChange.finish(Self.one, at: moment(9)))
    let closed = StoreFailure.other("the store is closed")
    await #expect(throws: closed) {
      try await withCheckedContinuation { waiting in
        store.erase(Self.one) { waiting.resume(returning: $0) }
        store.close()
      }.get()
    }
    await #expect(throws: closed) { try await store.erase(Self.one) }
    let again = try SQLiteStore(folder: folder.path)
    defer { again.close() }
    try await again.maintain()
    #expect(try isWithoutTraces(again))
  }

  @Test("Commits are made between the pieces")
  func commitsBetween() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await talk(in: store)
    try await store.change(DeletionChange.finish(Self.one, at: moment(9)))
    let done = Mutex<[String]>([])
    @Sendable func commitAgain(_ count: Int) {
      guard count > 0 else { return }
      let change = AccountChange.setNickname(PlayerID(2), "나래 \(count)")
      store.commit(Batch(at: moment(0), changes: [change.change])) { _ in
        done.withLock { $0.append("commit") }
        commitAgain(count - 1)
      }
    }
    commitAgain(4)
    try await store.erase(Self.one)
    done.withLock { $0.append("erased") }
    try await store.change(AccountChange.setNickname(PlayerID(2), "나래"))
    #expect(done.withLock(\.self) == ["commit", "commit", "commit", "commit", "erased"])
    #expect(try isWithoutTraces(store))
  }

  @Test("On a full disk an erasure waits without delaying commits, and its caller is notified when it is done")
  func fullDisk() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    func bound(pages: Int?) throws {
      try store.pool.writeWithoutTransaction { db in
        let now = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages ?? now)")
      }
    }
    try await talk(in: store)
    try await store.change(DeletionChange.finish(Self.one, at: moment(9)))
    try bound(pages: nil)
    let answer = Mutex<[Bool]>([])
    store.erase(Self.one) { result in answer.withLock { $0.append((try? result.get()) != nil) } }
    for _ in 0..<2 { await #expect(throws: StoreFailure.full) { try await store.maintain() } }
    #expect(answer.withLock(\.self) == [])
    #expect(try await store.change(AccountChange.setNickname(PlayerID(2), "나래")) == .ok)
    #expect(try !isWithoutTraces(store))
    try bound(pages: 1_000_000)
    try await store.maintain()
    #expect(answer.withLock(\.self) == [true])
    #expect(try isWithoutTraces(store))
  }

  @Test("An erasure that reads damage fails at once, delays no other, and is retried")
  func damage() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await talk(in: store, rooms: 1)
    try await store.change(RoomChange.addPresence(PlayerID(2), room(1).id))
    try await store.change(hello(3, device: 3, session: 3))
    try await store.maintain()
    func damage(_ sql: String) throws {
      try store.pool.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        try db.execute(sql: sql)
        try db.execute(sql: "PRAGMA foreign_keys = ON")
      }
    }
    try damage("UPDATE presences SET room = CAST('text of 16 bytes' AS TEXT) WHERE player = X'\(Self.hex(1))'")
    try await store.commit(
      [],
      DeletionChange.finish(Self.one, at: moment(9)),
      DeletionChange.finish(PlayerID(3), at: moment(9))
    )
    try await store.erase(PlayerID(3))
    await #expect(throws: StoreFailure.self) { try await store.erase(Self.one) }
    await #expect(throws: StoreFailure.self) { try await store.maintain() }
    let left = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM players") }
    #expect(left == 2, "one and two")
    // An erasure notes the rooms of the games that it gives up, in case no row names them; here the damaged one does
    // not. So there is a second row by now, and the mended one replaces it.
    try damage("UPDATE OR REPLACE presences SET room = (SELECT id FROM rooms) WHERE player = X'\(Self.hex(1))'")
    try await store.maintain()
    #expect(try isWithoutTraces(store))
  }

  private static func hex(_ player: UInt8) -> String {
    String(repeating: "00", count: 15) + "0\(player)"
  }
}
