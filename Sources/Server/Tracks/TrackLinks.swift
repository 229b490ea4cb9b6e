// Links to games over plain HTTP: the page `/g/TOKEN`, and its game `/g/TOKEN.json`.
//
// Part of `Tracks`, on the shard's queue; games are read and replayed beside it. The page is the same for every token,
// and asks for the game: so only one address tells whether a link is good, and it is charged. No cache keeps an answer,
// no page is told where its reader came from, and no search engine lists it.
// Decisions: 155, 156 (docs/decisions).
import Gateway
import MadangProtocol
import Net
import WebSocket

extension Tracks {
  func answerLink(_ request: HTTPRequest, on connection: Connection) {
    guard request.path.count == 2 else { return connection.answer(lost(request)) }
    guard !request.head.isForeignEmbedding else { return connection.answer(.text(403, "not from here\n")) }
    let name = request.path[1]
    if name.hasSuffix(".json") {
      guard let token = TrackToken(name.dropLast(5)) else { return connection.answer(.noLink) }
      answerGame(token, request, on: connection)
    } else {
      guard TrackToken(name) != nil, let pages = context.pages else { return connection.answer(lost(request)) }
      connection.answer(pages.sharedGame.response(to: request.head))
    }
  }

  /// The answer for a path that is no link: a page for a browser.
  private func lost(_ request: HTTPRequest) -> HTTPResponse {
    let takesPages = request.head.values(of: "Accept").contains { $0.contains("text/html") }
    guard takesPages, let pages = context.pages else { return .noLink }
    return pages.lostPath.response(to: request.head, status: 404)
  }

  private func answerGame(_ token: TrackToken, _ request: HTTPRequest, on connection: Connection) {
    let charge = Charge(budget: .sharedTracksOfAddress, payer: .address(request.address.ip))
    if let waitMs = gateway.budgets.pay(charge, at: gateway.core.now) {
      return connection.answer(.laterByLink(429, "too many games", seconds: (Int(waitMs) + 999) / 1_000))
    }
    let (own, asker, store, shared) = (ownShard, connection.token, gateway.context.store, context.sharedTracks)
    let acceptsGzip = request.head.acceptsGzip
    let isTaken = shared.queue.run {
      let response = shared.response(for: token, from: store, acceptsGzip: acceptsGzip)
      own.post { $0.gateway.core.connection(for: asker)?.answer(response) }
    }
    guard !isTaken else { return }
    gateway.budgets.giveBack(charge)
    gateway.budgets.noteRefusal(.waitingSharedTracks)
    connection.answer(.laterByLink(503, "other games are being replayed", seconds: 2))
  }
}

extension HTTPResponse {
  fileprivate static let noLink = HTTPResponse.text(404, "no game is shared by this link\n")

  fileprivate static func laterByLink(_ status: Int, _ text: String, seconds: Int) -> HTTPResponse {
    var response = HTTPResponse.text(status, "\(text)\n")
    response.headers.append(HeaderField("Retry-After", "\(seconds)"))
    return response
  }
}
