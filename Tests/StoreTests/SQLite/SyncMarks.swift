// Commits for scripts/store-test, which runs this under strace. It counts the log's syncs between marks behind each
// answer, and makes some syncs of other commits fail.
import Game
import Glibc
import Store
import TestSupport
import Testing

@Suite("Syncs")
struct SyncMarks {
  private static let marksPath = getenv("MADANG_SYNC_MARKS").map { String(cString: $0) }

  @Test(
    "Each answer to a commit leaves a mark after the sync that it waited for",
    .enabled(if: SyncMarks.marksPath != nil, "scripts/store-test says where the marks go")
  )
  func marks() async throws {
    let marks = open(try #require(Self.marksPath), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(marks) }
    func mark(_ text: String) { #expect(write(marks, text, text.utf8.count) == text.utf8.count) }

    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], RoomChange.open(room(1)))
    mark("begin\n")
    // Too few for a checkpoint, which syncs the log on a thread of its own.
    for number in UInt8(0)..<50 {
      try await store.commit([(RoomID(1), [number])])
      mark("written\n")
      try await store.commit([], AccountChange.setNickname(PlayerID(9), "nobody"))
      mark("nothing\n")
    }
    mark("end\n")
  }

  @Test(
    "A commit whose sync fails is not acknowledged, and the next ones succeed",
    .enabled(if: getenv("MADANG_SYNC_FAILS") != nil, "scripts/store-test makes some syncs fail")
  )
  func failingSyncs() async throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    try await store.commit([], RoomChange.open(room(1)))
    var acknowledged: [UInt8] = []
    var failures = 0
    for number in UInt8(0)..<100 {
      do {
        try await store.commit([(RoomID(1), [number])])
        acknowledged.append(number)
      } catch StoreFailure.io {
        failures += 1
      }
    }
    #expect(failures > 5)
    #expect(acknowledged.count > 50)
    #expect(try store.liveRooms().map(\.journal) == [acknowledged])
    store.close()
    let again = try SQLiteStore(folder: folder.path, isReadOnly: true)
    #expect(try again.liveRooms().map(\.journal) == [acknowledged])
    again.close()
  }
}
