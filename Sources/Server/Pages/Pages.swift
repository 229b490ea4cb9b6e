// The feature of pages: the listener's pages and their assets, and the QR of a room, over plain HTTP.
//
// Owned by one shard and used on its queue. Pages are read once, when the server starts. Codes without a room are
// counted by address.
// Decisions: 026 (docs/decisions).
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
    gateway.handleHTTP("") { $0.path.count == 1 ? pages.index.response(to: $0.head) : .notFound }
    gateway.handleHTTP("tap") { $0.path.count == 1 ? pages.tap.response(to: $0.head) : .notFound }
    gateway.handleHTTP("capsules") { $0.path.count == 1 ? pages.capsules.response(to: $0.head) : .notFound }
    gateway.handleHTTP("stories") { $0.path.count == 1 ? pages.stories.response(to: $0.head) : .notFound }
    gateway.handleHTTP("j") { [unowned self] in respondWithRoom(to: $0, pages) }
    gateway.handleHTTP("web") { request in
      guard request.path.count == 3 else { return .notFound }
      return pages.assets.file(request.path[1], request.path[2])?.response(to: request.head) ?? .notFound
    }
  }

  var shards: ServiceShards<Pages> { ServiceShards(gateway.core.siblings, find) }

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
    let page = { (code: RoomCode) in pages.join(code).response(to: request.head) }
    let lost = pages.lost.response(to: request.head, status: 404)
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
