// `madang take-over`: a streamed copy is given to the server on another data folder.
// Decisions: 160 (docs/decisions).
import ArgumentParser
import Copies
import Store

package struct TakeOver: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "take-over",
    abstract: "Give a streamed copy to the server on this data folder.",
    discussion: """
      A copy belongs to the data folder whose server has written it first; another server leaves it alone: a new one does \
      not start, and one that has had a copy says so. A folder that was restored, or moved by copying, is another one: when it goes on in place of the old one, this \
      command gives it the copy, whether its server runs or not. A server that still writes there stops within a minute.
      """
  )

  package init() {}

  @Option(help: "The copy: the folder or bucket of madang serve --copy-to.")
  var copy: String

  @OptionGroup var bucket: BucketOptions

  @OptionGroup var folder: StoreFolder

  package func run() async throws {
    let (settings, path) = (try Settings(file: nil), try folder.path())
    // Root may be the one who runs this, and the server another user.
    defer {
      FolderOwner.giveFiles(in: path)
      FolderOwner.giveFiles(in: copy)
    }
    do throws(CopyFailure) {
      let destination = try bucket.destination(copy, version: "take-over", settings)
      let before = (try? CopyOwner.read(from: destination))?.folder
      let own = try CopyOwner.identifier(of: path)
      guard before != own else { return print("the copy \(copy) belongs to this data folder already") }
      try CopyOwner(folder: own, start: nil).write(to: destination)
      print("the copy \(copy) belongs to this data folder from now on")
    } catch {
      throw ValidationError("\(error).")
    }
  }
}
