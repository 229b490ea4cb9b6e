// Power cuts that lose written, unsynced bytes. The files are copied when a commit is acknowledged; then the bytes
// behind are torn off, cut anywhere, or garbled. All acknowledged commits must be there, and no part of a later batch.
import GRDB
import Game
import SeededRandom
import Store
import TestSupport
import Testing

@Suite("Acknowledged commits survive a lost tail")
struct LostTailTests {
  /// Opens the files as a power cut leaves them; returns the one room's journal.
  private func journal(database: [UInt8], log: [UInt8]) async throws -> [UInt8] {
    let folder = try TestFolder()
    try folder.write(database, to: "madang.sqlite")
    try folder.write(log, to: "madang.sqlite-wal")
    let store = try SQLiteStore(folder: folder.path)
    let journal = try #require(try store.liveRooms().first).journal
    // The store accepts commits.
    try await store.commit([(RoomID(1), [77])])
    #expect(try store.liveRooms().first?.journal == journal + [77])
    store.close()
    #expect(try folder.complaints == [])
    return journal
  }

  @Test("A log cut or garbled after an acknowledged commit has exactly the acknowledged commits")
  func cutAfterAcknowledged() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit([], RoomChange.open(room(1)))
    var lengths: [Int] = []
    for number in UInt8(0)..<24 {
      try await store.commit([(RoomID(1), [number])], RoomChange.open(room(100 + UInt128(number))))
      lengths.append(folder.read("madang.sqlite-wal").count)
      if number % 6 == 5 { try await store.maintain() }
    }
    let (database, log) = (folder.read("madang.sqlite"), folder.read("madang.sqlite-wal"))
    store.close()
    try #require(lengths == lengths.sorted(), "no checkpoint happened meanwhile")

    var random = SplitMix64(seed: 4)
    for (index, length) in lengths.enumerated() {
      let acknowledged = [UInt8](0...UInt8(index))
      let next = index + 1 < lengths.count ? lengths[index + 1] : log.count
      #expect(try await journal(database: database, log: Array(log[..<length])) == acknowledged)
      if next > length + 1 {
        let cut = Int.random(in: length..<next - 1, using: &random)
        #expect(try await journal(database: database, log: Array(log[..<cut])) == acknowledged, "cut at \(cut)")
      }
      let garbage = (0..<9_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(try await journal(database: database, log: log[..<length] + garbage) == acknowledged)
    }
  }

  @Test("The same holds after a checkpoint, when the log has restarted over its old frames")
  func overOldFrames() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], RoomChange.open(room(1)))
    for number in UInt8(0)..<30 {
      try await store.commit([(RoomID(1), [number])])
      let files = (folder.read("madang.sqlite"), folder.read("madang.sqlite-wal"))
      #expect(try await journal(database: files.0, log: files.1) == [UInt8](0...number))
      if number % 9 == 4 { try await store.maintain() }
      if number % 10 == 7 {
        // The whole log is written back, so the next commit restarts it.
        try await store.pool.writeWithoutTransaction { _ = try $0.checkpoint(.restart) }
      }
    }
  }
}
