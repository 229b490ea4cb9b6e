// Not a proof by itself: commits with a mark behind each answer, for scripts/store-test, which runs this under strace and
// counts the syncs of the log between the marks.
import Game
import Glibc
import Store
import Testing

@Suite("Syncs")
struct SyncMarks {
  private static let marksPath = getenv("MADANG_SYNC_MARKS").map { String(cString: $0) }

  @Test(
    "Each answer to a commit leaves a mark behind the sync that it waited for",
    .enabled(if: SyncMarks.marksPath != nil, "scripts/store-test says where the marks go")
  )
  func marks() async throws {
    let marks = open(try #require(Self.marksPath), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(marks) }
    func mark(_ text: String) { #expect(write(marks, text, text.utf8.count) == text.utf8.count) }

    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    try await store.commit([], .openRoom(room(1)))
    mark("begin\n")
    for number in UInt8(0)..<100 {
      try await store.commit([(RoomID(1), [number])])
      mark("written\n")
      try await store.commit([], .setNickname(PlayerID(9), "nobody"))
      mark("nothing\n")
    }
    mark("end\n")
  }
}
