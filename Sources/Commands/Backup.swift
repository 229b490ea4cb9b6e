// `madang backup`: a copy of the store, also while a server writes it.
import ArgumentParser
import Glibc
import Store

package struct Backup: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Copy what lasts into one file, while serving.",
    discussion: """
      The copy is whole and of one moment. To go back to it, stop the server, empty its data folder, put the copy there \
      as madang.sqlite, and start.
      """
  )

  package init() {}

  @Argument(help: "The file to write; must not be there yet.")
  var file: String

  @OptionGroup var folder: StoreFolder

  package func run() async throws {
    try NewFile.require(file)
    // The copy holds players' private data.
    umask(0o077)
    try SQLiteStore.backup(folder: folder.path(), to: file)
  }
}
