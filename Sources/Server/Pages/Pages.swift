// The feature of pages: the listener's pages and their assets over plain HTTP. Invitations.swift has those of rooms.
//
// Owned by one shard and used on its queue. Pages are read once, when the server starts. A page marks the browser that
// asks for it, for bans alone.
// Decisions: 140 (docs/decisions).
import Gateway
import Net
import WebSocket

final class Pages: Feature {
  unowned let gateway: ShardGateway
  let context: ServerContext
  let rooms: Rooms
  private let find: @Sendable (ShardCore) -> Pages

  init(
    _ gateway: ShardGateway,
    _ context: ServerContext,
    rooms: Rooms,
    _ find: @escaping @Sendable (ShardCore) -> Pages
  ) {
    self.gateway = gateway
    self.context = context
    self.rooms = rooms
    self.find = find
    gateway.handleHTTP("reach") { [unowned self] in $0.path.count == 1 ? respondWithReach(to: $0) : .notFound }
    gateway.handleHTTP("qr") { [unowned self] in respondWithPicture(to: $0) }
    let noBodies = { (_: HTTPRequest, _: Connection) in
      BodyAdmission.refused(HTTPFailure.methodNotAllowed.response)
    }
    gateway.handleHTTP("r", { [unowned self] in respondWithLook(to: $0, on: $1) }, bodies: noBodies)
    guard let pages = context.pages else { return }
    for (path, page) in [
      ("", pages.index), ("tap", pages.tap), ("capsules", pages.capsules), ("stories", pages.stories),
      ("runs", pages.runs), ("me", pages.me), ("reset", pages.reset), ("offline", pages.offline),
    ] {
      gateway.handleHTTP(path) { [unowned self] in $0.path.count == 1 ? show(page, to: $0.head) : .notFound }
    }
    gateway.handleHTTP("j", { [unowned self] in respondWithRoom(to: $0, pages, on: $1) }, bodies: noBodies)
    gateway.handleHTTP("screen") { [unowned self] in respondWithScreen(to: $0, pages) }
    gateway.handleHTTP("worker.js") { $0.path.count == 1 ? pages.worker.response(to: $0.head) : .notFound }
    gateway.handleHTTP("web") { request in
      guard request.path.count == 3 else { return .notFound }
      return pages.assets.file(request.path[1], request.path[2])?.response(to: request.head) ?? .notFound
    }
  }

  var shards: ServiceShards<Pages> { ServiceShards(gateway.core.siblings, find) }

  /// Answers with a page, and marks a browser that has no mark. No cache between may keep an answer with a mark.
  func show(_ page: WebFile, to head: RequestHead, status: Int = 200) -> HTTPResponse {
    var response = page.response(to: head, status: status)
    if let mark = gateway.context.browsers.newMark(for: head) {
      response.headers.removeAll { $0.name == "Cache-Control" }
      response.headers += [HeaderField("Cache-Control", "private, no-cache"), mark]
    }
    return response
  }

  /// A page for a browser whose address leads nowhere; nil for programs, and where no pages are served.
  func lostPath(_ head: RequestHead) -> HTTPResponse? {
    let first = head.path.dropFirst().prefix { $0 != "/" }.lowercased()
    guard let pages = context.pages, !Self.ofPrograms.contains(first) else { return nil }
    guard head.values(of: "Accept").contains(where: { $0.contains("text/html") }) else { return nil }
    return show(pages.lostPath, to: head, status: 404)
  }

  /// What only programs and pages ask for.
  private static let ofPrograms: Set = ["v1", "qr", "r", "web", "media", "photo", "reach", "healthz", "readyz"]
}
