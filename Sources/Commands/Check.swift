// `madang check`: checks that the store is whole.
import ArgumentParser
import Store

package struct Check: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Check the data: the file's integrity, and the consistency of its contents.",
    discussion:
      "Prints a line for each fault and exits with 1, or prints \"whole\" and exits with 0. Works beside a running server."
  )

  package init() {}

  @OptionGroup var folder: StoreFolder

  package func run() async throws {
    let complaints = try SQLiteStore.check(folder: folder.path())
    for complaint in complaints { print(complaint) }
    guard complaints.isEmpty else { throw ExitCode(1) }
    print("whole")
  }
}
