// The pages of the web root, and the assets that they refer to.
//
// Immutable, read once at the start. A page is a file with `{{name}}` where something is filled in, so that pages change
// without a build.
import MadangProtocol

struct WebPages: Sendable {
  let assets: WebAssets
  let index: WebFile
  let tap: WebFile
  /// For who comes by the QR of a room that there is no longer.
  let lost: WebFile
  private let joinTemplate: String

  /// - Throws: `StartFailure` when something in `folder` is missing or can't be read.
  init(folder path: String) throws(StartFailure) {
    let folder = WebFolder(path: path)
    let assets = try WebAssets(folder)
    func template(_ name: String) throws(StartFailure) -> String {
      try folder.readText(name).replacing("{{assets}}", with: assets.path)
    }
    self.assets = assets
    index = .page(try template("index.html"))
    tap = .page(try template("tap.html"))
    lost = .page(try template("lost.html"))
    joinTemplate = try template("join.html")
  }

  func join(_ code: RoomCode) -> WebFile {
    // A code holds nothing that HTML would read as its own.
    .page(joinTemplate.replacing("{{code}}", with: code.description).replacing("{{symbols}}", with: code.symbols))
  }
}
