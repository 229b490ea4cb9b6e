// Unreadable pages that a batch meets. SQLite commits nothing of a transaction in which it has found its file damaged.
// So these pages are really damaged: a fault that only a statement raises would prove nothing.
import GRDB
import Game
import Store
import TestSupport
import Testing

@Suite("A damaged page that is not read at the start")
struct DamagedPageTests {
  private static let pageBytes = 4_096

  /// Closes the store of a folder, and opens it again with the first page of each of these tables and indices damaged.
  private static func reopen(_ store: SQLiteStore, _ folder: TestFolder, damaging names: [String]) throws -> SQLiteStore
  {
    let pages = try store.pool.read { db in
      try names.map {
        try #require(try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [$0]))
      }
    }
    store.close()
    var bytes = folder.read("madang.sqlite")
    for page in pages {
      let start = (page - 1) * pageBytes
      bytes.replaceSubrange(start..<start + 8, with: [UInt8](repeating: 0xEE, count: 8))
    }
    try folder.write(bytes, to: "madang.sqlite")
    return try SQLiteStore(folder: folder.path)
  }

  /// A store with players 1 to 3 and room 1, with damage.
  private static func store(in folder: TestFolder, damaging name: String) async throws -> SQLiteStore {
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit(
      at: 1,
      [],
      hello(1, device: 1, session: 1),
      hello(2, device: 2, session: 2, as: "나래"),
      hello(3, device: 3, session: 3, as: "다솜"),
      RoomChange.open(room(1))
    )
    return try reopen(store, folder, damaging: [name])
  }

  /// Commits three batches with deletions of players 1 and 2 among other changes; returns the deletions' outcomes.
  private static func delete(in store: SQLiteStore) async throws -> [WriteOutcome] {
    func delete(_ player: UInt128) -> DeletionChange { .finish(PlayerID(player), at: moment(2)) }
    var deletions: [WriteOutcome] = []
    for number in UInt8(1)...3 {
      let outcomes = try await store.commit(
        at: 2,
        [(RoomID(1), [number])],
        AccountChange.setNickname(PlayerID(3), "다솜 \(number)"),
        delete(1),
        RoomChange.open(room(10 + UInt128(number))),
        delete(2),
        SessionChange.resume(session: session(3, connection: UInt64(number)), at: moment(3))
      )
      #expect(outcomes[0] == .account(.ok) && outcomes[2] == .room(.ok))
      #expect(try outcomes[4].playerRow.nickname == "다솜 \(number)")
      deletions += [outcomes[1], outcomes[3]].map(DeletionChange.outcome(in:))
    }
    // Plain SQL is used, because the contract's own calls also read segments that were set aside.
    let (rooms, segments) = try await store.pool.read { db in
      (
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM rooms"),
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM segments")
      )
    }
    #expect(rooms == 4 && segments == 4)
    #expect(try store.lastConnection == 3)
    return deletions
  }

  @Test(
    "A change that reads the page is answered as unavailable, and the rest of the batch and all later batches are committed",
    arguments: ["sessions_player", "results_player"]
  )
  func deletion(name: String) async throws {
    let folder = try TestFolder()
    let store = try await Self.store(in: folder, damaging: name)
    defer { store.close() }
    #expect(try await Self.delete(in: store) == [WriteOutcome](repeating: .unavailable, count: 6))
    #expect(try store.unknownPlayers(among: [PlayerID(1), PlayerID(2)]) == [], "no player is erased")
  }

  @Test(
    "If an erasure reads the page the player is marked, the failure is reported each time, and commits continue",
    arguments: ["badges", "presences", "blocks_blocked", "land_runs_player", "damaged_segments"]
  )
  func erasure(name: String) async throws {
    let folder = try TestFolder()
    let store = try await Self.store(in: folder, damaging: name)
    defer { store.close() }
    #expect(try await Self.delete(in: store) == [WriteOutcome](repeating: .ok, count: 6))
    for number in 1...2 {
      await #expect(throws: StoreFailure.self) { try await store.erase(PlayerID(1)) }
      await #expect(throws: StoreFailure.self) { try await store.maintain() }
      #expect(try store.unknownPlayers(among: [PlayerID(1), PlayerID(2)]) == [PlayerID(1), PlayerID(2)])
      #expect(try await store.change(AccountChange.setNickname(PlayerID(3), "라온 \(number)")) == .ok)
    }
  }

  @Test(
    "If the start reads the page, it ends with the table's name, and suggests only a backup",
    arguments: ["tally_segments", "tap_totals"]
  )
  func start(name: String) async throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    var contest = TapContest(seed: 4)
    contest.play(steps: 40)
    try await store.commit(tally: contest.change(rowsMax: 3))
    store = try Self.reopen(store, folder, damaging: [name])
    defer { store.close() }
    #expect {
      _ = try store.recoverTally()
    } throws: { error in
      guard case StoreFailure.corrupt(let what) = error else { return false }
      return what.contains("table \(name) ") && what.contains("; go back to a backup")
    }
  }

  @Test("The tally's records are written, even if rows, closings and changes read the page")
  func tally() async throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    var contest = TapContest(seed: 4)
    contest.play(steps: 40)
    try await store.commit(tally: contest.change(rowsMax: .max))
    try await store.commit(at: 1, [], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
    store = try Self.reopen(store, folder, damaging: ["tap_totals", "season_rankings", "sessions_player"])
    defer { store.close() }
    for number in UInt8(1)...3 {
      contest.play(steps: 10)
      contest.close()
      let changes: [Change] = [
        .deletion(.finish(PlayerID(1), at: moment(2))), .account(.setNickname(PlayerID(2), "나래 \(number)")),
      ]
      let batch = Batch(at: moment(2), changes: changes, tally: [contest.change(rowsMax: .max)])
      #expect(try await store.commit(batch) == [.deletion(.unavailable), .account(.ok)])
    }
    let segments = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM tally_segments") }
    #expect(segments == 3)
  }
}
