// Unreadable segments. They stop neither a start nor maintenance nor commits, are reported and set aside once, and no
// room is built as if nothing were missing.
import GRDB
import Game
import Store
import TestSupport
import Testing

@Suite("An unreadable segment")
struct DamagedSegmentTests {
  private func damage(_ number: Int64, in store: SQLiteStore, as bytes: String = "substr(bytes, 1, length(bytes) - 1)")
    throws
  {
    try store.pool.writeWithoutTransaction {
      try $0.execute(sql: "UPDATE segments SET bytes = \(bytes) WHERE number = \(number)")
    }
  }

  @Test(
    "The segment is reported, set aside once, and blocks nothing",
    arguments: [
      "substr(bytes, 1, length(bytes) - 1)", "substr(bytes, 2)", "CAST(bytes || X'00' AS BLOB)", "zeroblob(20)",
      "zeroblob(3)", "randomblob(1000)", "'text'", "4711",
    ]
  )
  func setAside(bytes: String) async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit(
      at: 1,
      [(RoomID(1), [1]), (RoomID(2), [9])],
      RoomChange.open(room(1)),
      RoomChange.open(room(2))
    )
    try await store.commit(at: 2, [(RoomID(1), [2])])
    try await store.commit(at: 3, [(RoomID(1), [3]), (RoomID(2), [8])])
    try damage(2, in: store, as: bytes)
    let left: [[UInt8]] = [[1, 3], [9, 8]]
    #expect(try store.liveRooms().map(\.journal) == left)
    #expect(try store.liveRooms().map(\.mayLackEnd) == [false, false])
    #expect(try folder.complaints.contains { $0.hasPrefix("segment 2 can't be read") })

    let damaged = try await store.maintain(at: 50)
    #expect(damaged.map(\.number) == [2])
    #expect(damaged.map(\.writtenAt) == [moment(2)])
    #expect(try await store.maintain(at: 51) == [])
    #expect(try store.liveRooms().map(\.journal) == left)
    #expect(try folder.complaints.count == 1)
    #expect(try folder.complaints.contains { $0.hasPrefix("segment 2 could not be read and was set aside") })
    let kept = try store.pool.read {
      try Row.fetchAll($0, sql: "SELECT written_at, found_at, bytes FROM damaged_segments")
    }
    #expect(kept.map { [$0[0], $0[1]] as [Int64] } == [[2, 50]])

    try await store.commit(at: 4, [(RoomID(2), [7])])
    #expect(try store.liveRooms().map(\.journal) == [[1, 3], [9, 8, 7]])
  }

  @Test("The time and the number of the newest segment stay")
  func newest() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit(at: 1, [(RoomID(1), [1])], RoomChange.open(room(1)))
    try await store.commit(at: 2, [(RoomID(1), [2])])
    try damage(2, in: store)
    #expect(try store.liveRooms().map(\.mayLackEnd) == [true])
    #expect(try await store.maintain() == [DamagedSegment(number: 2, writtenAt: moment(2), byteCount: 20)])
    #expect(try store.lastAliveAt == moment(2))
    #expect(try store.liveRooms().map(\.mayLackEnd) == [true])
    try await store.commit(at: 3, [(RoomID(1), [3])])
    #expect(try store.liveRooms().map(\.mayLackEnd) == [false])
    try damage(3, in: store)
    #expect(try await store.maintain().map(\.number) == [3])
    #expect(try store.liveRooms().map(\.journal) == [[1]])
    try await store.commit(at: 4, [(RoomID(1), [4])])
    #expect(try store.liveRooms().map(\.mayLackEnd) == [false])
    try await store.maintain()
    #expect(try store.liveRooms().map(\.mayLackEnd) == [false])
  }

  @Test("A room in the segment keeps its earlier state, also when folded; other rooms have lost nothing")
  func rooms() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    var (one, two) = (try PlayedRoom(1), try PlayedRoom(2))
    one.join(1)
    two.join(2)
    try await store.commit(one.chunk() + two.chunk(), RoomChange.open(one.row), RoomChange.open(two.row))
    let before = one.room.lastEventNumber
    one.chat(0, by: 1)
    try await store.commit(one.chunk())
    try damage(2, in: store)
    for _ in 0..<3 {
      one.chat(0, by: 1)
      two.chat(0, by: 2)
      try await store.commit(one.chunk() + two.chunk())
    }
    for _ in 0..<2 {
      let found = try store.liveRooms().map { try #require(try RoomRecovery(from: $0.journal)) }
      #expect(found.map(\.loss?.reason) == [.gap, nil])
      #expect(found.map(\.room.lastEventNumber) == [before, two.room.lastEventNumber])
      #expect(
        try SQLiteStore.check(folder: folder.path).contains { $0.hasPrefix("room \(one.id): something is missing") }
      )
      try await store.maintain()
    }
    // A new snapshot makes the room whole again.
    one.snapshot()
    try await store.commit(one.chunk(), RoomChange.markSnapshot(one.id))
    for _ in 0..<2 {
      let found = try #require(try RoomRecovery(from: try store.liveRooms()[0].journal))
      #expect(found.loss == nil && found.room.lastEventNumber == one.room.lastEventNumber)
      try await store.maintain()
    }
  }

  @Test("The segment is kept as long as journals are, and no longer than a player who may have written in it")
  func forgetting() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    func keptBytes() throws -> Int? {
      try store.pool.read { try Int.fetchOne($0, sql: "SELECT SUM(length(bytes)) FROM damaged_segments") }
    }
    try await store.commit(at: 1_000, [(RoomID(1), [1])], RoomChange.open(room(1)), hello(1, device: 1, session: 1))
    try damage(1, in: store)
    // The segment may have the player's texts: it is deleted with them, and still reported.
    try await store.delete(PlayerID(1), at: 1_001)
    #expect(try keptBytes() == nil)
    #expect(try await store.maintain(at: 1_002).map(\.number) == [1])

    // The deletion was the second segment.
    try await store.commit(at: 2_000, [(RoomID(1), [2])])
    try damage(3, in: store)
    try await store.maintain(at: 7_000, keepJournals: .seconds(5))
    #expect(try keptBytes() == 20)
    try await store.maintain(at: 7_001, keepJournals: .seconds(5))
    #expect(try keptBytes() == nil)
    #expect(try folder.complaints == [])
  }
}
