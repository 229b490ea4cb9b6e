// `madang backup`: a copy of the store, also while a server writes it.
import ArgumentParser
import Glibc
import Store

package struct Backup: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Copy the data, also while a server runs.",
    discussion: """
      The copy is consistent, of one moment: the file, and beside it the folder FILE.media with the pictures, where \
      there are any. To restore it, stop the server, empty its data folder, put the file there as madang.sqlite and the \
      folder as media, and start.
      """
  )

  package init() {}

  @Argument(help: "The file to write; it must not exist yet.")
  var file: String

  @OptionGroup var folder: StoreFolder

  package func run() async throws {
    try NewFile.require(file)
    try NewFile.require(file + ".media")
    // The copy holds players' private data.
    umask(0o077)
    try SQLiteStore.backup(folder: folder.path(), to: file)
  }
}
