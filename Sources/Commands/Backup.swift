// `madang backup`: a copy of the store, also while a server writes it.
import ArgumentParser
import Glibc
import Store

package struct Backup: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Copy the data into one file, also while a server runs.",
    discussion: """
      The copy is consistent, of one moment. To restore it, stop the server, empty its data folder, put the copy there \
      as madang.sqlite, and start.
      """
  )

  package init() {}

  @Argument(help: "The file to write; it must not exist yet.")
  var file: String

  @OptionGroup var folder: StoreFolder

  package func run() async throws {
    try NewFile.require(file)
    // The copy holds players' private data.
    umask(0o077)
    try SQLiteStore.backup(folder: folder.path(), to: file)
  }
}
