// The bound on a data folder: at the bound the disk counts as full, and maintenance makes space again.
import Game
import Store
import TestSupport
import Testing

@Suite("The bound on a data folder")
struct DataBoundTests {
  private static let bytesMax = 4 << 20
  private static let weekMs: Int64 = 7 * 86_400_000

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private var logBytes: Int { folder.read("madang.sqlite-wal").count }
  private var allBytes: Int { folder.names.reduce(0) { $0 + folder.read($1).count } }

  private func commit(to store: any Store) async throws {
    try await store.commit([(RoomID(2), [UInt8](repeating: 7, count: 20_000))])
  }

  /// Commits until one fails although the log is empty; returns the number of successes.
  private func fill(_ store: any Store) async throws -> Int {
    var count = 0
    while true {
      let wasLogEmpty = logBytes == 0
      do {
        try await commit(to: store)
        count += 1
      } catch StoreFailure.full {
        if wasLogEmpty { return count }
        await Task.yield()
      }
    }
  }

  @Test("At the bound commits fail as on a full disk, reads continue, and maintenance frees room without a restart")
  func reached() async throws {
    let store = try SQLiteStore(folder: folder.path, bytesMax: Self.bytesMax)
    try await store.commit([], RoomChange.open(room(1)), RoomChange.open(room(2)))
    // The game's journal is kept for a week.
    try await store.commit([], RoomChange.beginGame(gameRow(1).id))
    for _ in 0..<50 { try await store.commit([(RoomID(1), [UInt8](repeating: 1, count: 20_000))]) }
    try await store.commit([], GameChange.end(gameRow(1), []), RoomChange.close(RoomID(1)))
    try await store.maintain(at: 1_001)
    #expect(store.usage?.isBoundReached == false)
    let count = try await fill(store)
    #expect(count > 50)
    #expect(allBytes < Self.bytesMax + (1 << 20))
    let usage = try #require(store.usage)
    #expect(usage.bytesMax == Self.bytesMax && usage.usedBytes >= Self.bytesMax * 63 / 64)
    #expect(usage.isBoundReached && usage.isNearBound)
    #expect(try store.liveRooms().map(\.journal.count) == [count * 20_000])
    // Maintenance continues, but nothing may be deleted yet.
    try await store.maintain(at: 1_002)
    _ = try await fill(store)
    try await store.maintain(at: 1_001 + Self.weekMs)
    #expect(try await fill(store) > 30)
    // Free pages are used again: the file has grown only by the needs of one piece of maintenance.
    #expect(allBytes < Self.bytesMax + (3 << 20))
    store.close()

    // The operator raises the bound.
    let raised = try SQLiteStore(folder: folder.path, bytesMax: 2 * Self.bytesMax)
    defer { raised.close() }
    #expect(raised.usage?.isBoundReached == false)
    try await commit(to: raised)
  }

  @Test("At the bound events for webhooks that are delivered go all the same, and make room")
  func deliveries() async throws {
    let store = try SQLiteStore(folder: folder.path, bytesMax: Self.bytesMax)
    defer { store.close() }
    try await store.addWebhook(webhook(1, .fence))
    try await store.commit([], RoomChange.open(room(2)))
    let events = (0..<100).map { _ in WebhookChange.event(webhookEvent(bytes: 10_000)).change }
    try await store.commit(Batch(at: moment(0), changes: events))
    _ = try await fill(store)
    #expect(store.usage?.isBoundReached == true)
    // Not beside other changes.
    await #expect(throws: StoreFailure.full) {
      try await store.commit(
        [],
        WebhookChange.delivered(WebhookID(1), through: .max),
        WebhookChange.event(webhookEvent(bytes: 10_000))
      )
    }
    #expect(try await store.change(WebhookChange.delivered(WebhookID(1), through: .max)) == .delivered(100))
    #expect(try await fill(store) > 20)
  }

  @Test("Without a bound the file system's free space is the limit, and usage is the size of the files")
  func unbounded() async throws {
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], RoomChange.open(room(2)))
    let before = try #require(store.usage)
    for _ in 0..<20 { try await commit(to: store) }
    let after = try #require(store.usage)
    #expect(after.usedBytes >= before.usedBytes + 20 * 20_000)
    #expect(after.bytesMax > after.usedBytes && !after.isBoundReached)
    #expect(!StoreUsage(usedBytes: 79, bytesMax: 100).isNearBound)
    #expect(StoreUsage(usedBytes: 80, bytesMax: 100).isNearBound)
  }

  @Test("Players are erased beyond the bound, and the freed pages are reused")
  func erasure() async throws {
    let store = try SQLiteStore(folder: folder.path, bytesMax: Self.bytesMax)
    defer { store.close() }
    try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(2)))
    try await store.change(DeletionChange.finish(PlayerID(1), at: moment(1)))
    _ = try await fill(store)
    try await store.erase(PlayerID(1))
    #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [PlayerID(1)])
    await #expect(throws: StoreFailure.full) { try await commit(to: store) }
  }
}
