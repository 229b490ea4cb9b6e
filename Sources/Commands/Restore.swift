// `madang verify` and `madang restore`: a backup is checked, and made a data folder.
import ArgumentParser
import Glibc
import Store

package struct Verify: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Check a backup: whether a server can start on it.",
    discussion: """
      Checks the file's integrity, the consistency of its contents, and the pictures in FILE.media. Prints a line for \
      each fault and exits with 1, or prints "whole" and exits with 0.
      """
  )

  package init() {}

  @Argument(help: "The file that madang backup has written.")
  var file: String

  package func run() async throws {
    let faults = try StoreBackup.present(file).check()
    for fault in faults { print(fault) }
    guard faults.isEmpty else { throw ExitCode(1) }
    print("whole")
  }
}

package struct Restore: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Make a data folder of a backup.",
    discussion: """
      Checks the backup, then copies it into the folder --data, which has no data yet and is made if it is not there. \
      The backup stays. Games go on from the moment of the backup; operators' names and tokens are not in it.
      """
  )

  package init() {}

  @Argument(help: "The file that madang backup has written.")
  var file: String

  @Option(help: "The data folder (default: MADANG_DATA, or data).")
  var data: String?

  package func run() async throws {
    let folder = try data ?? Settings(file: nil).string(.data) ?? "data"
    let faults = try StoreBackup.present(file).check()
    for fault in faults { print(fault) }
    guard faults.isEmpty else { throw ValidationError("\(file) is not whole, and is not restored.") }
    // The data are players' private data.
    umask(0o077)
    try StoreBackup(file: file).restore(to: folder)
    print("restored to \(folder)")
  }
}

extension StoreBackup {
  /// The backup in a file.
  ///
  /// - Throws: `ValidationError` where there is no such file.
  fileprivate static func present(_ file: String) throws -> StoreBackup {
    guard access(file, R_OK) == 0 else {
      throw ValidationError("can't read \(file): \(String(cString: strerror(errno))).")
    }
    return StoreBackup(file: file)
  }
}
