// `madang backup`: a copy of the store, also while a server writes it.
import ArgumentParser
import Foundation
import Game
import Glibc
import Store

package struct Backup: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Copy the data, also while a server runs.",
    discussion: """
      The copy is consistent, of one moment: the file, and beside it the folder FILE.media with the pictures, where \
      there are any. With --folder the file is named by the time, and --keep deletes the oldest ones there, once the \
      new one has been checked. madang verify checks a backup, madang restore makes a data folder of it.
      """
  )

  package init() {}

  @Argument(help: "The file to write; it must not exist yet.")
  var file: String?

  @Option(
    name: .customLong("folder"),
    help: "The folder for a file named by the time (madang-20261126T031500Z.sqlite)."
  )
  var target: String?

  @Option(help: "The number of backups to keep in the folder, 1 to 10000 (default: all).")
  var keep: Int?

  @OptionGroup var folder: StoreFolder

  package func validate() throws {
    guard (file == nil) != (target == nil) else { throw ValidationError("Give either a file or --folder.") }
    guard keep == nil || target != nil else { throw ValidationError("--keep needs --folder.") }
    guard (1...10_000).contains(keep ?? 1) else { throw ValidationError("--keep is 1 to 10000.") }
  }

  package func run() async throws {
    // The copy holds players' private data.
    umask(0o077)
    if let file { return try write(file) }
    guard let target else { return }
    let backups = BackupFolder(path: target)
    let file = backups.file(at: .now)
    try write(file)
    let complaints = try StoreBackup(file: file).check()
    for complaint in complaints { print(complaint) }
    guard complaints.isEmpty else {
      throw ValidationError("\(file) is not whole, so no older backup is deleted.")
    }
    if let keep { try backups.deleteOldest(keeping: keep) }
    print(file)
  }

  private func write(_ file: String) throws {
    try NewFile.require(file)
    try NewFile.require(file + ".media")
    try SQLiteStore.backup(folder: folder.path(), to: file)
  }
}

/// A folder of backups that are named by their times.
package struct BackupFolder {
  private static let start = "madang-"
  private static let end = ".sqlite"
  package let path: String

  package init(path: String) { self.path = path }

  /// The file of a backup at a moment, to the second.
  package func file(at moment: Instant) -> String {
    let time = moment.utc.prefix(19).filter { $0 != "-" && $0 != ":" }
    return "\(path)/\(Self.start)\(time)Z\(Self.end)"
  }

  /// The backups' names, oldest first.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { name in
      let time = name.dropFirst(Self.start.count).dropLast(Self.end.count)
      return name.hasPrefix(Self.start) && name.hasSuffix(Self.end) && time.wholeMatch(of: #/\d{8}T\d{6}Z/#) != nil
    }.sorted()
  }

  /// Deletes all but the newest backups, each with its pictures. Other files stay.
  package func deleteOldest(keeping count: Int) throws {
    for name in try names().dropLast(count) {
      let file = "\(path)/\(name)"
      // The file goes first: pictures without it are no backup.
      try FileManager.default.removeItem(atPath: file)
      if access(file + ".media", F_OK) == 0 { try FileManager.default.removeItem(atPath: file + ".media") }
    }
  }
}
