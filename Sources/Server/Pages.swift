// What the listener answers over plain HTTP: health, the pages and what they load, and the QR of a room.
//
// On the shard's thread. Pages are read once, when the server starts. Codes without a room are counted by address.
// Decisions: 026 (docs/decisions).
import MadangProtocol
import Net
import WebSocket

extension PlayService {
  package func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    let parts = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (parts.first?.lowercased(), parts.count) {
    case ("healthz", 1):
      return .text(200, "ok\n")
    case ("readyz", 1):
      guard !isDraining else { return .text(503, "going down\n") }
      return canPromise ? .text(200, "ready\n") : .text(503, "nothing can be committed\n")
    case ("qr", 2):
      guard let name = parts.last, name.lowercased().hasSuffix(".svg") else { return .notFound }
      return withRoom(
        name.dropLast(4),
        in: head,
        from: address,
        orElse: .notFound,
        whenSpent: { _ in .tooManyCodes },
        picture
      )
    case ("v1", 2) where parts.last == "play":
      return HTTPResponse(
        status: 426,
        headers: [HeaderField("Upgrade", "websocket"), HeaderField("Content-Type", "text/plain; charset=utf-8")],
        body: Array("this is a WebSocket: see PROTOCOL.md\n".utf8)
      )
    default:
      guard let pages = commons.pages else { return .notFound }
      return respond(to: head, from: address, Array(parts), pages)
    }
  }

  private func respond(
    to head: RequestHead,
    from address: SocketAddress,
    _ parts: [Substring],
    _ pages: WebPages
  ) -> HTTPResponse {
    switch (parts.first?.lowercased(), parts.count) {
    case ("", 1):
      return pages.index.response(to: head)
    case ("tap", 1):
      return pages.tap.response(to: head)
    case ("j", 2):
      let page = { (code: RoomCode) in pages.join(code).response(to: head) }
      let lost = pages.lost.response(to: head, status: 404)
      return withRoom(parts[1], in: head, from: address, orElse: lost, whenSpent: page, page)
    case ("web", 3):
      return pages.assets.file(parts[1], parts[2])?.response(to: head) ?? .notFound
    default:
      return .notFound
    }
  }

  private func picture(of code: RoomCode) -> HTTPResponse {
    guard let body = commons.pictures.svg(of: code, { commons.joinLink(code).qr?.svg }) else {
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

  /// Answers what is for a room that there is. Once an address has tried too many codes, all its codes are answered alike, by
  /// `whenSpent`: so nothing is learned by going on, and a right one still leads to the page, which asks over the WebSocket.
  private func withRoom(
    _ text: Substring,
    in head: RequestHead,
    from address: SocketAddress,
    orElse missing: HTTPResponse,
    whenSpent: (RoomCode) -> HTTPResponse,
    _ answer: (RoomCode) -> HTTPResponse
  ) -> HTTPResponse {
    // A stranger's page must not spend what its readers' address may guess.
    guard !head.isForeignEmbedding else { return .text(403, "not from here\n") }
    guard let code = RoomCode(String(text)) else { return missing }
    switch budgets.findRoom(byHTTP: code, in: directory, from: address.ip, at: core.now) {
    case .room: return answer(code)
    case .nothing: return missing
    case .tooOften: return whenSpent(code)
    }
  }
}

extension HTTPResponse {
  static func text(_ status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        HeaderField("Content-Type", "text/plain; charset=utf-8"), HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: Array(text.utf8)
    )
  }

  static let notFound = HTTPResponse.text(404, "not found\n")
  static let tooManyCodes = HTTPResponse.text(429, "too many codes without a room\n")
}
