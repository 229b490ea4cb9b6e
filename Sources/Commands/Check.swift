// `madang check`: checks that the store is whole.
import ArgumentParser
import Glibc
import Store

package struct Check: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Check the data: the file's integrity, and the consistency of its contents.",
    discussion:
      "Prints a line for each fault and exits with 1, or prints \"whole\" and exits with 0. Works beside a running server."
  )

  package init() {}

  @OptionGroup var folder: StoreFolder

  /// A backup's file: a mistake that is answered by the command for it.
  @Argument(help: .hidden)
  var file: String?

  package func run() async throws {
    if let file = file ?? folder.data.flatMap(Self.fileItself) {
      throw ValidationError("madang check looks at a data folder; a backup is checked by: madang verify \(file)")
    }
    let complaints = try SQLiteStore.check(folder: folder.path())
    for complaint in complaints { print(complaint) }
    guard complaints.isEmpty else { throw ExitCode(1) }
    print("whole")
  }

  /// The path, where it is a file's and no folder's.
  private static func fileItself(_ path: String) -> String? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? path : nil
  }
}
