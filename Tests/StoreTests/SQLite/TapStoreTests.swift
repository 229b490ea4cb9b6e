// School taps in SQLite's file: an older file, kills, a full disk, and every kind of damage to the tally's data.
import GRDB
import Game
import Store
import TestSupport
import Testing

@Suite("School taps in SQLite")
struct TapStoreTests {
  /// Plays a contest of two seasons in a folder, with some rows not written yet, and closes the store.
  private static func played(in folder: TestFolder) async throws -> TapContest {
    let store = try SQLiteStore(folder: folder.path)
    var contest = TapContest(seed: 3)
    contest.play(steps: 60)
    contest.close()
    try await store.commit(tally: contest.change(rowsMax: .max))
    for _ in 0..<3 {
      contest.play(steps: 20)
      try await store.commit(tally: contest.change(rowsMax: 3))
    }
    store.close()
    return contest
  }

  private static func run(_ sql: String, in folder: TestFolder) throws {
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try store.pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0; \(sql)")
    }
  }

  @Test("A file of the first version gets the tables when it is opened, and keeps its data")
  func olderFile() async throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    try await store.commit(at: 1, [(RoomID(1), [1])], RoomChange.open(room(1)))
    try await store.pool.writeWithoutTransaction { db in
      let tables = try String.fetchAll(
        db,
        sql:
          """
          SELECT name FROM sqlite_master WHERE type = 'table' AND (name LIKE 'tap%' OR name LIKE 'tally%'
            OR name LIKE 'season%' OR name IN ('sanctions', 'audit'))
          """
      )
      #expect(tables.count == 10)
      try db.execute(sql: "PRAGMA foreign_keys = 0")
      try db.execute(
        sql: """
          DROP INDEX players_look; ALTER TABLE players DROP COLUMN look_at;
          ALTER TABLE sessions DROP COLUMN is_by_device; ALTER TABLE results DROP COLUMN late_percent;
          ALTER TABLE results DROP COLUMN withheld_percent; UPDATE schema SET version = 1;
          \(OlderRankings.sql)
          """
      )
      for table in tables + ["erasures"] { try db.execute(sql: "DROP TABLE \(table)") }
    }
    store.close()
    #expect { try SQLiteStore(folder: folder.path, isReadOnly: true) } throws: { "\($0)".contains("older version") }
    store = try SQLiteStore(folder: folder.path)
    #expect(try store.recoverTally().tally.sequence == 0)
    var contest = TapContest(seed: 1)
    contest.play(steps: 30)
    try await store.commit(tally: contest.change(rowsMax: 5))
    #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
    #expect(try store.liveRooms().map(\.journal) == [[1]])
    store.close()
    #expect(try folder.complaints == [])
  }

  @Test("After a kill all acknowledged taps are there, and the tally continues")
  func killed() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    var contest = TapContest(seed: 5)
    for _ in 0..<20 {
      contest.play(steps: 15)
      try await store.commit(tally: contest.change(rowsMax: 4))
      // The files are copied while the store is open.
      let left = try TestFolder()
      for name in ["madang.sqlite", "madang.sqlite-wal"] { try left.write(folder.read(name), to: name) }
      let again = try SQLiteStore(folder: left.path)
      var recovered = contest
      recovered.tally = try again.recoverTally().tally
      #expect(recovered.observation == contest.observation)
      recovered.play(steps: 15)
      try await again.commit(tally: recovered.change(rowsMax: 4))
      #expect(recovered.observation(of: try again.recoverTally().tally) == recovered.observation)
      again.close()
      #expect(try left.complaints == [])
    }
  }

  @Test("A backup has the tally, and closed seasons' rankings")
  func copied() async throws {
    let (folder, copies) = (try TestFolder(), try TestFolder())
    let contest = try await Self.played(in: folder)
    try SQLiteStore.backup(folder: folder.path, to: copies.path + "/madang.sqlite")
    let copy = try SQLiteStore(folder: copies.path)
    defer { copy.close() }
    #expect(contest.observation(of: try copy.recoverTally().tally) == contest.observation)
    #expect(try copy.finalRanking(of: 1)?.ranking.isEmpty == false)
  }

  @Test("If the file may not grow a commit fails as a whole, and succeeds unchanged later")
  func full() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    func bound(pages: Int) throws {
      try store.pool.writeWithoutTransaction { _ = try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)") }
    }
    var contest = TapContest(seed: 7, players: 3_000)
    contest.play(steps: 10)
    try await store.commit(at: 1, tally: contest.change(rowsMax: 2))
    let before = try StoredTaps(store)
    try bound(pages: 1)
    contest.play(steps: 4_000)
    contest.close()
    let change = contest.change(rowsMax: 2_000)
    await #expect(throws: StoreFailure.full) { try await store.commit(at: 2, tally: change) }
    #expect(try StoredTaps(store) == before)
    #expect(try store.finalRanking(of: 1) == nil)
    #expect(try store.lastAliveAt == moment(1))
    try bound(pages: 1_000_000)
    try await store.commit(at: 3, tally: change)
    #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
    #expect(try store.finalRanking(of: 1) != nil)
    store.close()
    #expect(try folder.complaints == [])
  }

  @Test("A load of taps alone does not accumulate rows for the times of commits")
  func times() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    var contest = TapContest(seed: 1)
    contest.choose(0, by: 0)
    try await store.commit(at: 1, [(RoomID(1), [1])], RoomChange.open(room(1)))
    for at in Int64(2)...50 {
      contest.tap(1, by: 0)
      try await store.commit(at: at, tally: contest.change(rowsMax: 1))
    }
    let rows = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM segments") }
    #expect(rows == 2)
    #expect(try store.lastAliveAt == moment(50))
    #expect(try store.liveRooms().map(\.journal) == [[1]])
  }

  @Test("Rows on damaged pages stay unchanged, and their records are written and stay until the next opening")
  func damagedRows() async throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    var contest = TapContest(seed: 9)
    for player in 0..<3 {
      contest.choose(player, by: player)
      contest.tap(9, by: player)
    }
    try await store.commit(tally: contest.change(rowsMax: .max))
    #expect(try StoredTaps(store).segments == [])
    try await store.pool.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER damage BEFORE UPDATE ON tap_counts BEGIN SELECT RAISE(ABORT, 'damage'); END;
          CREATE TRIGGER more BEFORE INSERT ON season_rankings WHEN new.rank = 2 BEGIN SELECT RAISE(ABORT, 'damage'); END;
          """
      )
    }
    let before = try StoredTaps(store).rows
    contest.tap(9, by: 0)
    contest.close()
    let batch = Batch(
      at: moment(9),
      changes: [hello(1, device: 1, session: 1).change],
      tally: [contest.change(rowsMax: .max)]
    )
    let outcomes = try await store.commit(batch)
    #expect(try outcomes.first?.playerRow.id == PlayerID(1), "the rest of the batch is unaffected")
    try await store.pool.write { try $0.execute(sql: "DROP TRIGGER damage; DROP TRIGGER more") }
    for _ in 0..<3 {
      contest.play(steps: 10)
      contest.close()
      try await store.commit(tally: contest.change(rowsMax: .max))
    }
    #expect(try store.finalRanking(of: 1) == nil)
    #expect(try StoredTaps(store).rows == before)
    #expect(try StoredTaps(store).segments.count == 4)
    #expect(try store.finalRanking(of: contest.tally.season - 1) != nil)
    #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
    store.close()

    store = try SQLiteStore(folder: folder.path)
    let recovered = try store.recoverTally()
    #expect(recovered.isWhole)
    #expect(contest.observation(of: recovered.tally) == contest.observation)
    contest.tally = recovered.tally
    try await store.commit(tally: contest.change(rowsMax: .max))
    #expect(try StoredTaps(store).segments == [])
    #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
    store.close()
  }

  @Test("Maintenance does all its work, and reports the skipped rows until the store is opened again")
  func reportedByMaintenance() async throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    var contest = TapContest(seed: 9)
    contest.choose(0, by: 0)
    contest.tap(9, by: 0)
    try await store.commit(tally: contest.change(rowsMax: .max))
    try await store.commit(at: 1, [(RoomID(1), [1])], RoomChange.open(room(1)))
    try await store.commit(at: 2, [(RoomID(1), [2])])
    try await store.pool.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER damage BEFORE UPDATE ON tap_counts BEGIN SELECT RAISE(ABORT, 'damage'); END;
          UPDATE segments SET bytes = X'01' WHERE at = 2;
          """
      )
    }
    contest.tap(9, by: 0)
    try await store.commit(at: 3, tally: contest.change(rowsMax: .max))
    // Segments set aside are reported first, because the caller must write snapshots for them.
    #expect(try await store.maintain(at: 50).map(\.writtenAt) == [moment(2)])
    try await store.commit(at: 51, [(RoomID(1), [3])])
    for _ in 0..<2 {
      await #expect {
        try await store.maintain(at: 52)
      } throws: { error in
        guard case StoreFailure.corrupt(let what) = error else { return false }
        return ["nothing that was acknowledged is lost", "restart the server", "madang check"].allSatisfy(what.contains)
      }
    }
    let unfolded = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT SUM(length(bytes)) FROM segments") }
    #expect(unfolded == 0)
    try await store.pool.write { try $0.execute(sql: "DROP TRIGGER damage") }
    store.close()

    store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    #expect(try await store.maintain(at: 53) == [])
  }

  @Test(
    "A temporary failure skips no rows: the commit fails as a whole, and succeeds unchanged later",
    arguments: [
      ResultCode.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_BUSY, .SQLITE_LOCKED,
    ]
  )
  func passingFailures(code: ResultCode) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    var contest = TapContest(seed: 9)
    contest.choose(0, by: 0)
    contest.tap(9, by: 0)
    try await store.commit(tally: contest.change(rowsMax: .max))
    let before = try StoredTaps(store)
    try await store.pool.writeWithoutTransaction { db in
      db.add(function: DatabaseFunction("fail") { _ in throw DatabaseError(resultCode: code) })
      try db.execute(sql: "CREATE TEMP TRIGGER fault BEFORE UPDATE ON tap_counts BEGIN SELECT fail(); END")
    }
    contest.tap(9, by: 0)
    let change = contest.change(rowsMax: .max)
    await #expect(throws: StoreFailure.self) { try await store.commit(at: 2, tally: change) }
    #expect(try StoredTaps(store) == before)
    try await store.pool.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER fault") }
    try await store.commit(at: 3, tally: change)
    #expect(try StoredTaps(store).segments == [])
    #expect(try await store.maintain() == [])
    #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
  }

  @Test(
    "Unreadable rows end a start with their table, segments are counted, and the check reports both",
    arguments: [
      ("UPDATE tap_schools SET school = 'no school' WHERE number = 0", "tap_schools"),
      ("DELETE FROM tap_schools WHERE number = 1", "tap_schools"),
      ("UPDATE tap_seasons SET closed_at = 'today'", "tap_seasons"),
      ("UPDATE tap_seasons SET season = 77 WHERE season = 1", "tap_seasons"),
      ("UPDATE tap_totals SET count = -1", "tap_totals"),
      ("UPDATE tap_totals SET reached = 'first'", "tap_totals"),
      ("UPDATE tap_totals SET season = 9 WHERE school = 0", "tap_totals"),
      ("UPDATE tap_players SET player = X'00' WHERE number = 0", "tap_players"),
      ("UPDATE tap_players SET player = NULL, number = 77 WHERE number = 1", "tap_players"),
      ("UPDATE tap_players SET school = 55", "tap_players"),
      ("UPDATE tap_players SET last_batch = -1", "tap_players"),
      ("UPDATE tap_players SET is_suspect = 'perhaps'", "tap_players"),
      ("UPDATE tap_counts SET voided = count + 1", "tap_counts"),
      ("UPDATE tap_counts SET count = 1.5", "tap_counts"),
      ("UPDATE tap_counts SET player = 99 WHERE player = 0", "tap_counts"),
      ("UPDATE tally_segments SET bytes = substr(bytes, 2)", "tally_segments"),
      ("UPDATE tally_segments SET bytes = X''", "tally_segments"),
      ("UPDATE tally_segments SET bytes = 4711", "tally_segments"),
      ("UPDATE tally_segments SET bytes = randomblob(50)", "tally_segments"),
      (
        "UPDATE tally_segments SET last = 9223372036854775807, bytes = X''",
        "tally_segments"
      ),
      (
        "DELETE FROM tally_segments WHERE first = (SELECT first FROM tally_segments ORDER BY first LIMIT 1 OFFSET 1)",
        "tally_segments"
      ),
    ]
  )
  func damaged(sql: String, table: String) async throws {
    let folder = try TestFolder()
    _ = try await Self.played(in: folder)
    #expect(try folder.complaints == [])
    try Self.run(sql, in: folder)
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    if table == "tally_segments" {
      #expect(try store.recoverTally().unreadableSegments > 0)
    } else {
      #expect { _ = try store.recoverTally() } throws: { error in
        guard case StoreFailure.corrupt(let what) = error else { return false }
        return what.contains("table \(table) ") && what.contains("go back to a backup")
      }
    }
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains("table \(table) ") || $0.contains("of \(table) ") }, "\(complaints)")
  }

  @Test("If segments are lost the others are read, and new records replace the unreadable ones")
  func lostSegments() async throws {
    let folder = try TestFolder()
    var store = try SQLiteStore(folder: folder.path)
    var contest = TapContest(seed: 1)
    contest.choose(0, by: 0)
    for count in Int64(1)...6 {
      contest.tap(count, by: 0)
      try await store.commit(tally: contest.change(rowsMax: 0))
    }
    store.close()
    // Of the segments with records 1 and 2, 3, 4, 5, 6, 7 one is deleted and one cut; of the two newest one is cut and
    // one has a text instead of bytes.
    try Self.run(
      """
      DELETE FROM tally_segments WHERE first = 3; UPDATE tally_segments SET bytes = substr(bytes, 2) WHERE first = 5;
      UPDATE tally_segments SET bytes = substr(bytes, 2) WHERE first = 6; UPDATE tally_segments SET bytes = 'x' WHERE first = 7
      """,
      in: folder
    )
    store = try SQLiteStore(folder: folder.path)
    let recovered = try store.recoverTally()
    #expect(recovered.unreadableSegments == 4 && recovered.mismatches == 0)
    #expect(recovered.tally.sequence == 4)
    #expect(recovered.tally.total(of: try #require(SchoolID("S0")), in: 1) == 1 + 3)
    contest.tally = recovered.tally
    contest.tap(100, by: 0)
    contest.tap(100, by: 0)
    try await store.commit(tally: contest.change(rowsMax: 0))
    #expect(try store.recoverTally().unreadableSegments == 1, "the missing one")
    #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
    contest.tap(100, by: 0)
    try await store.commit(tally: contest.change(rowsMax: .max))
    #expect(try StoredTaps(store).segments == [])
    store.close()
    #expect(try folder.complaints == [])
  }

  @Test(
    "The check detects",
    arguments: [
      ("UPDATE tap_totals SET count = count + 1 WHERE school = 0 AND season = 1", "season 1, school"),
      ("UPDATE tap_counts SET count = count + 1 WHERE player = 0 AND season = 1", "season 1, school"),
      ("DELETE FROM season_rankings; DELETE FROM season_closings", "season 1 has ended without a final ranking"),
      ("UPDATE season_closings SET closed_at = closed_at + 1", "season 1 ended at another time"),
      ("DELETE FROM season_rankings WHERE rank = 1", "a final ranking that is not in order"),
      ("UPDATE season_rankings SET count = 1 WHERE rank = 1", "a final ranking that is not in order"),
      (
        "INSERT INTO season_closings (season, closed_at) VALUES (9, 1)",
        "season 9 has a final ranking and has not begun"
      ),
    ]
  )
  func complaints(sql: String, complaint: String) async throws {
    let folder = try TestFolder()
    _ = try await Self.played(in: folder)
    try Self.run(sql, in: folder)
    let complaints = try folder.complaints
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
  }
}
