// What the listener answers over plain HTTP: health, the page behind a room's QR, and the QR itself.
//
// On the shard's thread. Pages are read once, when the server starts. A code without a room costs its asker the same
// tokens here as over the WebSocket.
import MadangProtocol
import Net
import WebSocket

extension PlayService {
  package func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    let parts = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (parts.first?.lowercased(), parts.count) {
    case ("", 1):
      return .html(commons.pages.index)
    case ("healthz", 1):
      return .text(200, "ok\n")
    case ("readyz", 1):
      guard !isDraining else { return .text(503, "going down\n") }
      return canPromise ? .text(200, "ready\n") : .text(503, "nothing can be committed\n")
    case ("j", 2):
      return withRoom(parts.last, from: address) { .html(commons.pages.join(code: $0)) }
    case ("qr", 2):
      guard let name = parts.last, name.lowercased().hasSuffix(".svg") else { return .notFound }
      return withRoom(name.dropLast(4), from: address) { code in
        guard let qr = commons.joinLink(code).qr else { return .text(500, "the public URL is too long for a QR\n") }
        return HTTPResponse(
          status: 200,
          headers: [
            HeaderField("Content-Type", "image/svg+xml"), HeaderField("Cache-Control", "no-store"),
          ],
          body: Array(qr.svg.utf8)
        )
      }
    case ("v1", 2) where parts.last == "play":
      return HTTPResponse(
        status: 426,
        headers: [HeaderField("Upgrade", "websocket"), HeaderField("Content-Type", "text/plain; charset=utf-8")],
        body: Array("this is a WebSocket: see PROTOCOL.md\n".utf8)
      )
    default:
      return .notFound
    }
  }

  private func withRoom(
    _ text: Substring?,
    from address: SocketAddress,
    _ answer: (RoomCode) -> HTTPResponse
  ) -> HTTPResponse {
    guard let text, let code = RoomCode(String(text)) else { return .notFound }
    switch directory.findRoom(code, for: nil, from: address.ip, at: core.now) {
    case .room: return answer(code)
    case .nothing: return .notFound
    case .tooOften(let retryAfterMs):
      return HTTPResponse(
        status: 429,
        headers: [
          HeaderField("Retry-After", String((retryAfterMs + 999) / 1_000)),
          HeaderField("Content-Type", "text/plain; charset=utf-8"),
        ],
        body: Array("too many codes without a room\n".utf8)
      )
    }
  }
}

extension HTTPResponse {
  static func text(_ status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        HeaderField("Content-Type", "text/plain; charset=utf-8"), HeaderField("Cache-Control", "no-store"),
      ],
      body: Array(text.utf8)
    )
  }

  static func html(_ page: String) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        HeaderField("Content-Type", "text/html; charset=utf-8"),
        HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"),
        // A page needs its own style and the QR from here, and runs nothing.
        HeaderField("Content-Security-Policy", "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"),
      ],
      body: Array(page.utf8)
    )
  }

  static let notFound = HTTPResponse.text(404, "not found\n")
}
