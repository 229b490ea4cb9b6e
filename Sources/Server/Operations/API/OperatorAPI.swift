// The HTTP API of the operators' listener: what the console shows and does, for a team's own backend.
//
// Owned by the operators' one shard and used on its queue. A token is the only proof: a cookie opens nothing here, so
// no page of another site can act by a reader's browser. Acts go the console's way, with their rows of the audit log.
// Decisions: 138 (docs/decisions).
import ConsoleProtocol
import Cryptography
import Game
import Gateway
import Net
import OperatorAccounts
import Store
import WebSocket

/// The needs of the API of the service that it is a part of.
protocol APIDesk: AnyObject {
  var core: ShardCore { get }
  var server: GameServer { get }
  var console: Console { get }

  /// Judges a request by its token alone.
  func judgeToken(of head: RequestHead, from address: IPAddress) -> OperatorAuthority.Verdict

  /// Has a game be played again, for an answer that is made of it. `completion` is called on any thread.
  func replay(
    _ make: @escaping @Sendable (any Store) -> HTTPResponse,
    then completion: @escaping @Sendable (HTTPResponse) -> Void
  )

  /// Makes what calls a body on the operators' shard, from any thread.
  func backToAPI() -> OperatorAPI.Back
}

final class OperatorAPI {
  /// Calls a body on the operators' shard. Any thread.
  typealias Back = @Sendable (@escaping @Sendable (OperatorAPI) -> Void) -> Void

  private unowned let desk: any APIDesk
  private var keys = IdempotencyKeys()
  /// Long bodies are read, and blocking reads of the store made, beside the shard.
  let beside = BoundedQueue("madang.api", waitingMax: 8)
  private var longBodies = 0

  private static let answerSeconds: Int64 = 60
  /// Longer bodies are read beside the shard.
  private static let shortBodyBytesMax = 64 * 1_024
  /// Bodies longer than any but an edition's that may be under way at once.
  private static let longBodiesMax = 2

  init(_ desk: any APIDesk) {
    self.desk = desk
  }

  var server: GameServer { desk.server }
  var console: Console { desk.console }
  var now: Timestamp { desk.core.now }

  func back() -> Back { desk.backToAPI() }

  static func isPath(_ path: String) -> Bool { path.hasPrefix("/v1/") }

  /// A request that may be answered: its route, who asks, and where.
  struct Call: Sendable {
    let route: APIRoute
    /// The values of the path's members.
    let values: [String]
    let head: RequestHead
    let identity: OperatorIdentity
    let address: IPAddress
    let connection: UInt64
  }

  // Requests.

  /// Answers a request without a body, at once or later.
  func answer(_ head: RequestHead, from address: IPAddress, for connection: Connection) {
    do throws(APIFault) {
      let call = try enter(head, from: address, connection)
      let json = try APIRequest.json(of: call.route, path: call.values, query: head.query, body: [])
      guard let act = call.route.act else { return try read(call, json) }
      try begin(Self.requested(act, json), call, body: [])
    } catch {
      connection.answer(error.response)
    }
  }

  /// Whether a request's body is taken.
  func admit(_ head: RequestHead, from address: IPAddress, on connection: Connection) -> BodyAdmission {
    do throws(APIFault) {
      let call = try enter(head, from: address, connection)
      try checkBody(of: head, call.route)
      let isLong = head.bodyByteCount > Self.shortBodyBytesMax
      let isEdition = head.bodyByteCount > APIRoute.bodyBytesMaxOfMost
      guard !isEdition || longBodies < Self.longBodiesMax else { throw .busy("other lists are being sent: come back") }
      if isEdition { longBodies += 1 }
      let body = WholeBody(byteCount: head.bodyByteCount) { [unowned self] bytes in
        if isEdition { longBodies -= 1 }
        guard let bytes else { return }
        if isLong { takeBeside(bytes, call) } else { take(Self.requested(call, bytes), bytes, call) }
      }
      return .taken(body, answerSeconds: Self.answerSeconds)
    } catch {
      return .refused(error.response)
    }
  }

  /// Finds a request's route, for a token that may ask there now.
  private func enter(
    _ head: RequestHead,
    from address: IPAddress,
    _ connection: Connection
  ) throws(APIFault) -> Call {
    let identity: OperatorIdentity
    switch desk.judgeToken(of: head, from: address) {
    case .refused(let response), .exchanged(let response): throw APIFault(response)
    case .granted(let found): identity = found
    }
    let charge = Charge(budget: .apiRequests, payer: .key(identity.name))
    if let waitMs = server.context.gateway.budgets.pay(charge, at: now) {
      throw .tooOften("TOO_MANY_REQUESTS", "the token has asked too often", waitMs: waitMs)
    }
    let (route, values) = try Self.route(of: head)
    guard identity.role >= route.leastRole else {
      let text = "\(route.name) needs the role \(route.leastRole.rawValue), and yours is \(identity.role.rawValue)"
      throw APIFault(403, "ROLE_TOO_LOW", text)
    }
    return Call(
      route: route,
      values: values,
      head: head,
      identity: identity,
      address: address,
      connection: connection.token
    )
  }

  private static func route(of head: RequestHead) throws(APIFault) -> (APIRoute, [String]) {
    let parts = APIRequest.parts(ofPath: head.path) ?? []
    let found = APIRoute.all.compactMap { route in route.match(parts).map { (route: route, values: $0) } }
    // A part that is as it is goes before one that stands for a value.
    let best = found.map(\.values.count).min()
    let there = found.filter { $0.values.count == best }
    guard !there.isEmpty else { throw .notFound("there is nothing at this path: see /v1/openapi.json") }
    let method = APIRoute.Method(of: head.method)
    guard let route = there.first(where: { $0.route.method == method }) else {
      let allowed = there.map(\.route.method.rawValue).joined(separator: ", ")
      let field = HeaderField("Allow", allowed)
      throw APIFault(405, "METHOD_NOT_ALLOWED", "this path takes \(allowed)", headers: [field])
    }
    return route
  }

  private func checkBody(of head: RequestHead, _ route: APIRoute) throws(APIFault) {
    guard head.bodyByteCount <= route.bodyBytesMax else {
      throw APIFault(413, "TOO_LONG", "a body has at most \(route.bodyBytesMax) bytes here")
    }
    let type = head.values(of: "Content-Type").first?.split(separator: ";").first.map { $0.lowercased() }
    let isJSON = type.map { $0.filter { $0 != " " } == "application/json" } ?? false
    guard head.bodyByteCount == 0 || isJSON else {
      throw APIFault(415, "NOT_JSON", "a body is JSON: Content-Type: application/json")
    }
  }

  // Acts.

  /// An act as it is asked for, and the words on why.
  struct Request: Sendable {
    let act: RequestedAct
    let reason: String
  }

  private static func requested(_ call: Call, _ body: [UInt8]) -> Result<Request, APIFault> {
    Result { () throws(APIFault) in
      guard let act = call.route.act else { throw .notFound("nothing is done here") }
      let json = try APIRequest.json(of: call.route, path: call.values, query: call.head.query, body: body)
      return try requested(act, json)
    }
  }

  private static func requested(_ act: OperatorAct, _ json: [UInt8]) throws(APIFault) -> Request {
    do {
      // A declined player reads the reason, which is the action's own.
      let reason = act == .declineLand ? "" : try FeedBecause(consoleJSON: json).reason
      return Request(act: try RequestedAct(act, json), reason: reason)
    } catch {
      throw .invalid(ConsoleRequest.text(of: error, in: json))
    }
  }

  private func takeBeside(_ bytes: [UInt8], _ call: Call) {
    let back = back()
    let isTaken = beside.run {
      let request = Self.requested(call, bytes)
      back { $0.take(request, bytes, call) }
    }
    if !isTaken { answer(APIFault.busy("other lists are being read: come back").response, call) }
  }

  private func take(_ request: Result<Request, APIFault>, _ body: [UInt8], _ call: Call) {
    do throws(APIFault) {
      try begin(request.get(), call, body: body)
    } catch {
      answer(error.response, call)
    }
  }

  /// Does what is asked for, unless the answer is there already.
  private func begin(_ request: Request, _ call: Call, body: [UInt8]) throws(APIFault) {
    let key = try key(of: call)
    if let key {
      let fingerprint = Self.fingerprint(of: call.head, body)
      switch keys.find(key, fingerprint, at: Instant(now)) {
      case .new: break
      case .running:
        let field = HeaderField("Retry-After", "1")
        throw APIFault(409, "KEY_IN_USE", "the first request with this key is under way", headers: [field])
      case .other: throw APIFault(422, "KEY_REUSED", "this key came with another request")
      case .answered(var response):
        response.headers.append(HeaderField("Idempotency-Replayed", "true"))
        return answer(response, call)
      }
      try pay(call.identity)
      keys.begin(key, fingerprint, at: Instant(now))
    }
    let back = back()
    console.carryOut(request.act, because: request.reason, by: call.identity, from: call.address) { _, reply in
      back { $0.end(reply, key, call) }
    }
  }

  /// Answers with the outcome of an act, and keeps the answer where there is a key. An act that only could not be done
  /// now may be tried again with the same key.
  private func end(_ reply: FeedReply, _ key: IdempotencyKeys.Key?, _ call: Call) {
    let response =
      reply.ok
      ? HTTPResponse.operator(200, "application/json", reply.consoleJSON) : APIFault(refusal: reply).response
    if let key {
      if [401, 403, 503].contains(response.status) { keys.forget(key) } else { keys.keep(response, of: key) }
      // A store that fails for hours costs no client the keys of a day.
      if response.status == 503 { server.context.gateway.budgets.giveBack(Self.charges(of: call.identity)) }
    }
    answer(response, call)
  }

  private func key(of call: Call) throws(APIFault) -> IdempotencyKeys.Key? {
    let values = call.head.values(of: "Idempotency-Key")
    guard let value = values.first else { return nil }
    guard values.count == 1, let text = IdempotencyKeys.text(of: value) else {
      throw .invalid("Idempotency-Key: one key of 1 to 128 visible characters of ASCII, without \" and \\ in it")
    }
    let token = OperatorAuthority.bearer(of: call.head) ?? ""
    return IdempotencyKeys.Key(token: OperatorSecret.digest(of: token), text: text)
  }

  private func pay(_ identity: OperatorIdentity) throws(APIFault) {
    guard let waitMs = server.context.gateway.budgets.pay(Self.charges(of: identity), at: now) else { return }
    throw .tooOften("TOO_MANY_KEYS", "too many keys are kept: wait, or ask without one", waitMs: waitMs)
  }

  private static func charges(of identity: OperatorIdentity) -> [Charge] {
    [
      Charge(budget: .idempotencyKeys, payer: .key(identity.name)),
      Charge(budget: .idempotencyKeysOfProcess, payer: .process),
    ]
  }

  /// The marks of a repeat: method, address and content.
  private static func fingerprint(of head: RequestHead, _ body: [UInt8]) -> [UInt8] {
    Digest.sha256(Array("\(head.method) \(head.path)?\(head.query ?? "")\n".utf8) + body)
  }

  // Answers.

  func answer(_ response: HTTPResponse, _ call: Call) {
    desk.core.connection(for: call.connection)?.answer(response)
  }

  /// Answers with what is made of a game that is played again.
  func answerReplay(_ call: Call, _ make: @escaping @Sendable (any Store, _ acceptsGzip: Bool) -> HTTPResponse) {
    let (back, acceptsGzip) = (back(), call.head.acceptsGzip)
    desk.replay {
      make($0, acceptsGzip)
    } then: { response in
      back { $0.answer(response.status == 200 ? response : APIFault(response).response, call) }
    }
  }
}
