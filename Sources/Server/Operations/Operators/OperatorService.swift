// The answers of the operators' listener: health for everybody, the pages of signing in for strangers; metrics, figures
// the console and the API for operators and tokens.
//
// Owned by the operators' one shard and used on its queue. It asks the game's shards by mailbox items and answers
// after all of them, so that neither side blocks the other.
import ConsoleProtocol
import Cryptography
import Dispatch
import Game
import Gateway
import Net
import OperatorAccounts
import Store
import WebSocket

package final class OperatorService: ShardService {
  unowned let core: ShardCore
  let server: GameServer
  private let configuration: OperatorConfiguration
  private(set) var authority: OperatorAuthority
  let register: OperatorRegister
  let signIn: OperatorSignIn
  private var metrics: MetricsCollector
  let console: Console
  private(set) lazy var api = OperatorAPI(self)
  /// The queue of replays: one game at a time.
  private let tracks = DispatchQueue(label: "madang.tracks")
  private var tracksWaiting = 0

  private static let statsRoomsDefault = 20
  private static let statsRoomsMax = 1_000

  /// This service, for posts from elsewhere.
  var ownShard: ServiceShard<OperatorService> { ServiceShards(core.siblings)[core.index] }

  init(
    _ core: ShardCore,
    _ server: GameServer,
    _ configuration: OperatorConfiguration,
    _ content: OperatorRegister.Content,
    on address: SocketAddress
  ) {
    self.core = core
    self.server = server
    self.configuration = configuration
    register = OperatorRegister(content, folder: configuration.folder, token: configuration.token) {
      RandomBytes.make(count: $0)
    }
    register.begin(at: Instant(core.now))
    authority = OperatorAuthority(configuration, register, on: address)
    signIn = OperatorSignIn(register)
    let origin = configuration.shownOrigin ?? "http://\(address.reachable)"
    console = Console(core, server, register, at: origin, configuration.logEntries) { [unowned core] in
      let ownShard = ServiceShards<OperatorService>(core.siblings)[core.index]
      return { body in ownShard.post { body($0.console) } }
    }
    metrics = MetricsCollector(factory: server.context.configuration.metrics)
  }

  package func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    if head.path == "/healthz" { return .operatorText(200, "ok\n").last }
    if let answer = answerToStranger(head) { return answer.last }
    switch authority.judge(head, from: address.ip, at: Instant(core.now)) {
    case .refused(let response), .exchanged(let response): return response
    case .granted: break
    }
    let parts = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (parts.first, parts.count) {
    case ("", 1): return root(for: head)
    case ("join", 1): return pages?.signIn.response(to: head) ?? .operatorNotFound
    case ("web", 3):
      return pages?.assets.file(parts[2], parts[3])?.response(to: head) ?? .operatorNotFound
    case ("map", 3): return server.context.map?.script(for: head) ?? .operatorNotFound
    default: return .operatorNotFound
    }
  }

  /// The pages of signing in, for a browser without a session; nil for other requests. They name nobody, and where
  /// there are no operators there are none of them.
  private func answerToStranger(_ head: RequestHead) -> HTTPResponse? {
    guard register.hasPeople, let pages, authority.isOwn(head), authority.isStranger(head, at: Instant(core.now)) else {
      return nil
    }
    if head.path == "/join" { return pages.signIn.response(to: head) }
    // The console asks by this status whether its session has ended.
    if head.path == "/" { return pages.signIn.response(to: head, status: 401) }
    let parts = head.path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[1] == "web" ? pages.assets.file(parts[2], parts[3])?.response(to: head) : nil
  }

  private var pages: WebPages? { server.context.pages }

  private func root(for head: RequestHead) -> HTTPResponse {
    if let pages { return pages.console.response(to: head) }
    return .operatorText(
      200,
      "/metrics  for Prometheus\n/stats    the same as JSON; ?rooms=N for more of the busiest\n"
    )
  }

  package func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool {
    if OperatorAPI.isPath(head.path) {
      api.answer(head, from: address.ip, for: connection)
      return true
    }
    guard head.method != "DELETE" else {
      connection.answer(HTTPFailure.methodNotAllowed.response.last)
      return true
    }
    if let game = GameTrack.game(ofPath: head.path) { return track(game, head, from: address, for: connection) }
    if let media = OperatorPictures.media(ofPath: head.path) {
      return show(media, head, from: address, for: connection)
    }
    if let map = server.context.map, head.path.hasPrefix("/tiles/") {
      return show(map, head, from: address, for: connection)
    }
    guard head.path == "/stats" || head.path == "/metrics" && configuration.writeMetrics != nil else { return false }
    switch authority.judge(head, from: address.ip, at: Instant(core.now)) {
    case .refused(let response), .exchanged(let response):
      connection.answer(response)
    case .granted:
      guard head.path == "/stats" else { return survey(rooms: 0, for: connection) { $0.metricsResponse($1) } }
      guard let rooms = Self.roomCount(in: head.query) else {
        connection.answer(.operatorText(400, "rooms: 0 to \(Self.statsRoomsMax)\n"))
        return true
      }
      return survey(rooms: rooms, for: connection) { $0.statsResponse($1) }
    }
    return true
  }

  /// Answers with a game's track; always true.
  private func track(
    _ game: GameID,
    _ head: RequestHead,
    from address: SocketAddress,
    for connection: Connection
  ) -> Bool {
    switch authority.judge(head, from: address.ip, at: Instant(core.now)) {
    case .refused(let response), .exchanged(let response):
      connection.answer(response)
    case .granted:
      let (token, ownShard) = (connection.token, ownShard)
      let acceptsGzip = head.acceptsGzip
      replay {
        GameTrack.response(for: game, from: $0, acceptsGzip: acceptsGzip)
      } then: { response in
        ownShard.post { $0.core.connection(for: token)?.answer(response) }
      }
    }
    return true
  }

  /// Answers with a picture's thumbnail; always true.
  private func show(
    _ media: MediaID,
    _ head: RequestHead,
    from address: SocketAddress,
    for connection: Connection
  ) -> Bool {
    switch authority.judge(head, from: address.ip, at: Instant(core.now)) {
    case .refused(let response), .exchanged(let response):
      connection.answer(response)
    case .granted:
      let (token, ownShard) = (connection.token, ownShard)
      OperatorPictures.thumbnail(of: media, from: server.context.gateway.store) { response in
        ownShard.post { $0.core.connection(for: token)?.answer(response) }
      }
    }
    return true
  }

  /// Answers with a tile of the map; always true.
  private func show(_ map: SharedMap, _ head: RequestHead, from address: SocketAddress, for connection: Connection)
    -> Bool
  {
    switch authority.judge(head, from: address.ip, at: Instant(core.now)) {
    case .refused(let response), .exchanged(let response):
      connection.answer(response)
    case .granted:
      let (token, ownShard) = (connection.token, ownShard)
      let path = head.path.split(separator: "/", omittingEmptySubsequences: false)[2...]
      map.answer(path, of: head) { answer in
        ownShard.post { $0.core.connection(for: token)?.answer(answer.response) }
      }
    }
    return true
  }

  /// Asks all shards, then answers; always true.
  private func survey(
    rooms: Int,
    for connection: Connection,
    _ response: @escaping @Sendable (OperatorService, ServerSurvey) -> HTTPResponse
  ) -> Bool {
    let token = connection.token
    server.survey(busiestRooms: rooms) { [ownShard] survey in
      ownShard.post { service in
        let response = response(service, survey)
        // A connection that has closed has left its token to no other.
        service.core.connection(for: token)?.answer(response)
      }
    }
    return true
  }

  private func metricsResponse(_ survey: ServerSurvey) -> HTTPResponse {
    metrics.take(survey, operatorRefusals: authority.refusals)
    let text = configuration.writeMetrics?() ?? ""
    return .operator(200, configuration.metricsContentType, Array(text.utf8))
  }

  private func statsResponse(_ survey: ServerSurvey) -> HTTPResponse {
    .operator(200, "application/json", FeedOverview(survey).consoleJSON)
  }

  /// The number of rooms in the query; nil when it is no valid number.
  private static func roomCount(in query: String?) -> Int? {
    let value = query?.split(separator: "&").first { $0.hasPrefix("rooms=") }?.dropFirst("rooms=".count)
    guard let value else { return statsRoomsDefault }
    return Int(value).flatMap { (0...statsRoomsMax).contains($0) ? $0 : nil }
  }

  // The console's feeds.

  package func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    switch authority.judge(head, from: connection.address.ip, at: Instant(core.now)) {
    case .refused(let response), .exchanged(let response): return .refused(response)
    case .granted where head.path != "/console/feed": return .refused(.operatorNotFound)
    case .granted(let identity) where console.isFull(for: identity):
      return .refused(.operatorText(503, "\(Console.feedsMax) consoles are open\n"))
    case .granted(let identity):
      connection.context = ConsoleFeed(connection, of: identity)
      return .webSocket(
        subprotocols: [],
        messageBytesMax: ConsoleFeed.messageBytesMax,
        compresses: server.context.configuration.gateway.compresses
      )
    }
  }

  package func admitBody(
    of head: RequestHead,
    from address: SocketAddress,
    on connection: Connection
  ) -> BodyAdmission {
    if OperatorAPI.isPath(head.path) { return api.admit(head, from: address.ip, on: connection) }
    guard authority.isOwn(head) else { return .refused(.operatorText(403, "not from here\n")) }
    let post: OperatorSignIn.Post = { [ownShard] body in ownShard.post { body($0) } }
    return signIn.admit(head, from: address.ip, on: connection, post, at: Instant(core.now))
  }

  package func opened(_ connection: Connection) {
    guard let feed = connection.context as? ConsoleFeed else {
      preconditionFailure("an operator's WebSocket has a feed")
    }
    console.open(feed)
  }

  package func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let feed = connection.context as? ConsoleFeed else {
      preconditionFailure("an operator's WebSocket has a feed")
    }
    guard kind == .text else { return connection.dismiss(CloseStatus.unsupportedData, "text is expected") }
    console.receive(bytes, from: feed)
  }

  package func closed(_ connection: Connection) {
    console.close(connection)
    connection.context = nil
  }

  package func timerFired(_ token: UInt64) {
    if token == Console.historyTimer { console.sample() } else { console.refresh() }
  }

  package func deadlinePassed(_ connection: Connection) {}
}

extension OperatorService: APIDesk {
  func judgeToken(of head: RequestHead, from address: IPAddress) -> OperatorAuthority.Verdict {
    authority.judge(head, from: address, at: Instant(core.now), byTokenAlone: true)
  }

  /// The answer is made on a thread that is no shard's. `completion` is called on any thread.
  func replay(
    _ make: @escaping @Sendable (any Store) -> HTTPResponse,
    then completion: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    guard tracksWaiting < GameTrack.waitingMax else {
      return completion(.operatorText(503, "other games are being played again: come back\n"))
    }
    tracksWaiting += 1
    let (ownShard, store) = (ownShard, server.context.gateway.store)
    tracks.async {
      let response = make(store)
      ownShard.post { $0.tracksWaiting -= 1 }
      completion(response)
    }
  }

  func backToAPI() -> OperatorAPI.Back { { [ownShard] body in ownShard.post { body($0.api) } } }
}

extension OperatorService: SignInDesk {
  func begin(
    _ account: OperatorAccount,
    _ head: RequestHead,
    from address: IPAddress,
    _ connection: Connection
  ) {
    let cookie = authority.beginSession(account, head, from: address, at: Instant(core.now))
    server.context.notify(.operatorActed(.signedIn(account.name.text, from: address)))
    let answer = FeedSignedIn.with {
      $0.operator = account.name.text
      $0.role = account.role.rawValue
    }
    var response = HTTPResponse.operator(200, "application/json", answer.consoleJSON)
    response.headers.append(HeaderField("Set-Cookie", cookie))
    connection.answer(response)
    // One session more may have ended the oldest.
    console.review()
  }

  func reviewConsoles() { console.review() }
}
