// Invitations: the page of a room's link, what it shows of the room before a tap, pictures of the link, and the room
// on a big screen.
//
// Part of the feature of pages, on the shard's queue. A room may be on another shard: its look is asked for there, and
// the request is answered here. Codes without a room are counted by address, the same for pages, looks and pictures.
// Decisions: 026 (docs/decisions).
import Gateway
import MadangProtocol
import Net
import WebSocket

extension Pages {
  private enum LinkedRoom {
    case room(RoomPlace)
    case nothing
    /// An address that has tried too many codes gets one answer for all. So further tries reveal nothing, and a right
    /// code still leads to the page, which asks over the WebSocket, and still has its QR: others share the address.
    case tooOften(RoomCode, retryAfterMs: UInt32)
    case foreign
  }

  private func lookUp(_ text: Substring, of request: HTTPRequest) -> LinkedRoom {
    // Another site's page must not spend the guesses of its readers' address.
    guard !request.head.isForeignEmbedding else { return .foreign }
    guard let code = RoomCode(String(text)) else { return .nothing }
    let (address, now) = (request.address.ip, gateway.core.now)
    let found: RoomFinding = gateway.budgets.findRoom(byHTTP: code, in: gateway.directory, from: address, at: now)
    switch found {
    case .room(let place): return .room(place)
    case .nothing: return .nothing
    case .tooOften(let retryAfterMs): return .tooOften(code, retryAfterMs: retryAfterMs)
    }
  }

  /// `/qr/CODE.svg` is the QR of the link, `/qr/CODE.png` the picture that messengers show beside the link.
  func respondWithPicture(to request: HTTPRequest) -> HTTPResponse {
    guard request.path.count == 2 else { return .notFound }
    let name = request.path[1]
    let ending = name.suffix(4).lowercased()
    guard ending == ".svg" || ending == ".png" else { return .notFound }
    switch lookUp(name.dropLast(4), of: request) {
    case .foreign: return .foreign
    case .nothing: return .notFound
    // The picture beside a link costs more to draw than a page, and messengers have addresses of their own.
    case .tooOften(_, let retryAfterMs) where ending == ".png": return .tooManyCodes(retryAfterMs)
    case .tooOften(let code, _): return picture(ending, of: code, to: request)
    case .room(let place): return picture(ending, of: place.code, to: request)
    }
  }

  private func picture(_ ending: String, of code: RoomCode, to request: HTTPRequest) -> HTTPResponse {
    let base = chosenBase(of: request) ?? context.joinBase.base(for: request.head)
    let link = JoinLink(base: base, code: code)
    let (pictures, address) = (context.pictures, request.address.ip)
    let body = ending == ".png" ? pictures.png(of: link, for: address) : pictures.svg(of: link, for: address)
    guard let body else { return .text(500, "the public URL is too long for a QR\n") }
    return HTTPResponse(
      status: 200,
      headers: [
        HeaderField("Content-Type", ending == ".png" ? "image/png" : "image/svg+xml"),
        HeaderField("Cache-Control", "no-store"), HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: body
    )
  }

  /// `/j/CODE`.
  func respondWithRoom(to request: HTTPRequest, _ pages: WebPages, on connection: Connection) {
    guard request.path.count == 2 else { return connection.answer(lostPath(request.head) ?? .notFound) }
    let head = request.head
    let base = context.joinBase.base(for: head)
    switch lookUp(request.path[1], of: request) {
    case .foreign: connection.answer(.foreign)
    case .nothing: connection.answer(show(pages.lostRoom, to: head, status: 404))
    case .tooOften(let code, _): connection.answer(show(pages.invitation(LinkPreview(code, base: base, nil)), to: head))
    case .room(let place):
      askForLook(at: place, for: connection) { owner, look in
        owner.show(pages.invitation(LinkPreview(place.code, base: base, look)), to: head)
      }
    }
  }

  /// `/screen/CODE`, the room on a big screen.
  func respondWithScreen(to request: HTTPRequest, _ pages: WebPages) -> HTTPResponse {
    guard request.path.count == 2 else { return lostPath(request.head) ?? .notFound }
    switch lookUp(request.path[1], of: request) {
    case .foreign: return .foreign
    case .nothing: return show(pages.lostRoom, to: request.head, status: 404)
    case .tooOften(let code, _): return show(pages.screen(code), to: request.head)
    case .room(let place): return show(pages.screen(place.code), to: request.head)
    }
  }

  /// `/r/CODE`.
  func respondWithLook(to request: HTTPRequest, on connection: Connection) {
    guard request.path.count == 2 else { return connection.answer(.notFound) }
    switch lookUp(request.path[1], of: request) {
    case .foreign: connection.answer(.foreign)
    case .nothing: connection.answer(.notFound)
    case .tooOften(_, let retryAfterMs): connection.answer(.tooManyCodes(retryAfterMs))
    case .room(let place):
      askForLook(at: place, for: connection) { _, look in
        guard let look else { return .text(503, "the room is on its way to another shard; ask again\n") }
        return HTTPResponse(
          status: 200,
          headers: [
            HeaderField("Content-Type", "application/json"), HeaderField("Cache-Control", "no-store"),
            HeaderField("X-Content-Type-Options", "nosniff"),
          ],
          body: look.json
        )
      }
    }
  }

  /// The look of a room on the shard of `rooms`; nil where it is not there, or not any more.
  private static func look(at code: RoomCode, in rooms: Rooms) -> RoomLook? {
    rooms.rooms[code].map { RoomLook($0.room, code: code, at: rooms.gateway.now) }
  }

  /// Answers with the room's look, nil where the room has closed or moved meanwhile.
  private func askForLook(
    at place: RoomPlace,
    for connection: Connection,
    _ answer: @escaping @Sendable (Pages, RoomLook?) -> HTTPResponse
  ) {
    guard place.shard != gateway.core.index else {
      return connection.answer(answer(self, Self.look(at: place.code, in: rooms)))
    }
    let (own, token) = (shards[gateway.core.index], connection.token)
    rooms.shards[place.shard].post { rooms in
      let look = Self.look(at: place.code, in: rooms)
      own.post { pages in pages.gateway.core.connection(for: token)?.answer(answer(pages, look)) }
    }
  }
}

extension HTTPResponse {
  fileprivate static let foreign = HTTPResponse.text(403, "not from here\n")

  fileprivate static func tooManyCodes(_ retryAfterMs: UInt32) -> HTTPResponse {
    var response = HTTPResponse.text(429, "too many codes without a room\n")
    response.headers.append(HeaderField("Retry-After", "\(retryAfterMs / 1_000 + 1)"))
    return response
  }
}
