// The pages of the web root, and their assets.
//
// Read once at the start; any thread. A page is a file with `{{name}}` placeholders, so that pages change without a
// build.
// Decisions: 090 (docs/decisions).
import Locks
import MadangProtocol

final class WebPages: Sendable {
  let assets: WebAssets
  let index: WebFile
  let tap: WebFile
  let capsules: WebFile
  let stories: WebFile
  /// The pages of solo runs, and of a player's own records.
  let runs: WebFile
  let me: WebFile
  /// The page on which a player sets a password by an operator's link.
  let reset: WebFile
  /// The page for a player with the QR of a closed room.
  let lostRoom: WebFile
  /// The page for an address that leads nowhere.
  let lostPath: WebFile
  /// The page that browsers keep and show where the server is not reached.
  let offline: WebFile
  /// The page of a link to a game.
  let sharedGame: WebFile
  /// The service worker that keeps it.
  let worker: WebFile
  /// The operators' page, on their own listener.
  let console: WebFile
  /// The page on which operators sign in and set their passwords, there too.
  let signIn: WebFile
  private let joinTemplate: String
  private let screenTemplate: String
  private let hasMap: Bool
  /// The recent pages of rooms: each is compressed, and a stranger may ask for one over and over.
  private let joins = OrderedMutex<[LinkPreview: WebFile]>(.leaf, [:])
  private let screens = OrderedMutex<[RoomCode: WebFile]>(.leaf, [:])
  private static let keptMax = 1_024

  /// `map` is the JSON text that pages with a map are told of it; nil without one.
  ///
  /// - Throws: `StartFailure` when something in `folder` is missing or can't be read.
  init(folder path: String, map: String? = nil) throws(StartFailure) {
    let folder = WebFolder(path: path)
    let assets = try WebAssets(folder)
    func template(_ name: String) throws(StartFailure) -> String {
      try folder.readText(name).replacing("{{assets}}", with: assets.path)
        .replacing("{{map}}", with: map.map { " data-map=\"\(Self.escaped($0))\"" } ?? "")
    }
    self.assets = assets
    index = .page(try template("index.html"))
    tap = .page(try template("tap.html"))
    capsules = .page(try template("capsules.html"))
    stories = .page(try template("stories.html"))
    runs = .page(try template("runs.html"), drawsMap: map != nil)
    me = .page(try template("me.html"), drawsMap: map != nil)
    reset = .page(try template("reset.html"))
    offline = .page(try template("offline.html"))
    sharedGame = .linkPage(try template("game.html"), drawsMap: map != nil)
    worker = .worker(try template("worker.template"))
    let lost = try template("lost.html")
    lostRoom = .page(lost.replacing("{{lost}}", with: "room"))
    lostPath = .page(lost.replacing("{{lost}}", with: "path"))
    console = .consolePage(try template("console.html"), drawsMap: map != nil)
    signIn = .consolePage(try template("sign-in.html"))
    joinTemplate = try template("join.html")
    screenTemplate = try template("screen.html")
    hasMap = map != nil
  }

  /// A text as an attribute in quotes has it.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
  }

  func invitation(_ preview: LinkPreview) -> WebFile {
    if let page = joins.withLock({ $0[preview] }) { return page }
    var html = joinTemplate
    for (name, value) in preview.values { html = html.replacing("{{\(name)}}", with: value) }
    let page = WebFile.page(html, drawsMap: hasMap)
    joins.withLock { pages in
      if pages.count >= Self.keptMax { pages = [:] }
      pages[preview] = page
    }
    return page
  }

  /// The page of a room for a projector or a stream.
  func screen(_ code: RoomCode) -> WebFile {
    if let page = screens.withLock({ $0[code] }) { return page }
    let html = screenTemplate.replacing("{{code}}", with: code.description)
      .replacing("{{symbols}}", with: code.symbols)
    let page = WebFile.page(html, drawsMap: hasMap)
    screens.withLock { pages in
      if pages.count >= Self.keptMax { pages = [:] }
      pages[code] = page
    }
    return page
  }
}
