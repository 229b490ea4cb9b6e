// Backups in a folder: their names, and which are deleted.
import Commands
import Game
import TestSupport
import Testing

@Suite("A folder of backups")
struct BackupFolderTests {
  @Test("A backup is named by its moment, and names sort by time")
  func named() {
    let folder = BackupFolder(path: "/backups")
    let moments = ["2026-11-26T03:15:00.999Z", "2026-11-26T23:59:59Z", "2027-01-01T00:00:00Z"]
    let files = moments.compactMap { Instant(rfc3339: $0).map(folder.file) }
    #expect(files.first == "/backups/madang-20261126T031500Z.sqlite")
    #expect(files == files.sorted())
  }

  @Test("The oldest backups go with their pictures, and nothing else does", arguments: [1, 2, 3, 9])
  func kept(count: Int) throws {
    let folder = try TestFolder()
    let backups = BackupFolder(path: folder.path)
    let times = ["20261126T031500Z", "20251126T031500Z", "20261127T031500Z"]
    for time in times {
      try folder.write([1], to: "madang-\(time).sqlite")
      try folder.write([1], to: "madang-\(time).sqlite.media")
    }
    let others = ["madang-2026.sqlite", "madang-20261126T031500Z.sqlite.partial", "madang.sqlite", "notes"]
    for name in others { try folder.write([1], to: name) }
    try backups.deleteOldest(keeping: count)
    let left = times.sorted().suffix(count).flatMap { ["madang-\($0).sqlite", "madang-\($0).sqlite.media"] }
    #expect(folder.names == (left + others).sorted())
    #expect(try backups.names() == times.sorted().suffix(count).map { "madang-\($0).sqlite" })
  }
}
