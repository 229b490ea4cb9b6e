// The feature of pages: the listener's pages and their assets, and the QR of a room, over plain HTTP.
//
// Owned by one shard and used on its queue. Pages are read once, when the server starts. Codes without a room are
// counted by address. A page marks the browser that asks for it, for bans alone.
// Decisions: 026, 140 (docs/decisions).
import Gateway
import MadangProtocol
import Net
import WebSocket

final class Pages: Feature {
  unowned let gateway: ShardGateway
  let context: ServerContext
  private let find: @Sendable (ShardCore) -> Pages

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Pages) {
    self.gateway = gateway
    self.context = context
    self.find = find
    gateway.handleHTTP("reach") { [unowned self] in $0.path.count == 1 ? respondWithReach(to: $0) : .notFound }
    gateway.handleHTTP("qr") { [unowned self] in respondWithPicture(to: $0) }
    guard let pages = context.pages else { return }
    for (path, page) in [
      ("", pages.index), ("tap", pages.tap), ("capsules", pages.capsules), ("stories", pages.stories),
      ("reset", pages.reset),
    ] {
      gateway.handleHTTP(path) { [unowned self] in $0.path.count == 1 ? show(page, to: $0) : .notFound }
    }
    gateway.handleHTTP("j") { [unowned self] in respondWithRoom(to: $0, pages) }
    gateway.handleHTTP("web") { request in
      guard request.path.count == 3 else { return .notFound }
      return pages.assets.file(request.path[1], request.path[2])?.response(to: request.head) ?? .notFound
    }
  }

  var shards: ServiceShards<Pages> { ServiceShards(gateway.core.siblings, find) }

  /// Answers with a page, and marks a browser that has no mark. No cache between may keep an answer with a mark.
  private func show(_ page: WebFile, to request: HTTPRequest, status: Int = 200) -> HTTPResponse {
    var response = page.response(to: request.head, status: status)
    if let mark = gateway.context.browsers.newMark(for: request.head) {
      response.headers.removeAll { $0.name == "Cache-Control" }
      response.headers += [HeaderField("Cache-Control", "private, no-cache"), mark]
    }
    return response
  }

  private func respondWithPicture(to request: HTTPRequest) -> HTTPResponse {
    guard request.path.count == 2, request.path[1].lowercased().hasSuffix(".svg") else { return .notFound }
    return withRoom(
      request.path[1].dropLast(4),
      of: request,
      orElse: .notFound,
      whenSpent: { _ in .tooManyCodes }
    ) { code in
      picture(of: JoinLink(base: chosenBase(of: request) ?? context.joinBase.base(for: request.head), code: code))
    }
  }

  private func respondWithRoom(to request: HTTPRequest, _ pages: WebPages) -> HTTPResponse {
    guard request.path.count == 2 else { return .notFound }
    let page = { [unowned self] (code: RoomCode) in show(pages.join(code), to: request) }
    let lost = show(pages.lost, to: request, status: 404)
    return withRoom(request.path[1], of: request, orElse: lost, whenSpent: page, page)
  }

  private func picture(of link: JoinLink) -> HTTPResponse {
    guard let body = context.pictures.svg(of: link) else {
      return .text(500, "the public URL is too long for a QR\n")
    }
    return HTTPResponse(
      status: 200,
      headers: [
        HeaderField("Content-Type", "image/svg+xml"), HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: body
    )
  }

  /// Answers for an existing room. An address that has tried too many codes gets one answer, `whenSpent`, for all
  /// codes. So further tries reveal nothing, and a right code still leads to the page, which asks over the WebSocket.
  private func withRoom(
    _ text: Substring,
    of request: HTTPRequest,
    orElse missing: HTTPResponse,
    whenSpent: (RoomCode) -> HTTPResponse,
    _ answer: (RoomCode) -> HTTPResponse
  ) -> HTTPResponse {
    // Another site's page must not spend the guesses of its readers' address.
    guard !request.head.isForeignEmbedding else { return .text(403, "not from here\n") }
    guard let code = RoomCode(String(text)) else { return missing }
    let (address, now) = (request.address.ip, gateway.core.now)
    let found: RoomFinding = gateway.budgets.findRoom(byHTTP: code, in: gateway.directory, from: address, at: now)
    switch found {
    case .room: return answer(code)
    case .nothing: return missing
    case .tooOften: return whenSpent(code)
    }
  }
}

extension HTTPResponse {
  fileprivate static let tooManyCodes = HTTPResponse.text(429, "too many codes without a room\n")
}
