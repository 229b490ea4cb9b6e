// The gateway on one shard: connections and their sessions, requests, the journal, timers.
//
// Owned by one shard and used on its queue. It names no feature: features register their requests and timers, and are
// notified of sessions that come and go.
// Decisions: 150 (docs/decisions).
import Game
import MadangProtocol
import Net
import WebSocket

package final class ShardGateway {
  package unowned let core: ShardCore
  let time: TurnTime
  /// The shard's own load.
  let load: PublishedLoad
  package let context: GatewayContext
  package var directory: Directory { context.directory }
  package var budgets: Budgets { context.budgets }
  /// The shard's changes that are not committed yet.
  package let journal: ShardJournal
  package let traffic = MessageTraffic()
  package internal(set) var statistics = GatewayStatistics()
  /// In the order of notification.
  package private(set) var features: [any Feature] = []
  private var requests = RequestTable()
  /// By the first component of the path.
  private(set) var routes: [String: (HTTPRequest) -> HTTPResponse] = [:]
  private(set) var laterRoutes: [String: (HTTPRequest, Connection) -> Void] = [:]
  private(set) var bodyRoutes: [String: (HTTPRequest, Connection) -> BodyAdmission] = [:]
  private var timers: [() -> Void] = []
  /// The unknown fields that the operator has been told of.
  private var reportedFields: Set<String> = []

  // Commits.
  private(set) var commitTimer: UInt64 = 0
  /// The timer by which the turn's end comes again when the next piece of the journal may be cut off.
  var commitTimerSet: (timer: TimerID, due: Timestamp)?
  private(set) var retryTimer: UInt64 = 0
  private(set) var promiseTimer: UInt64 = 0
  /// A timer is set: answers that have waited too long for a commit then become refusals.
  var isPromiseTimerSet = false
  /// A later turn goes on with the actions after commits.
  var isReleasePosted = false
  private(set) var maintenanceTimer: UInt64 = 0
  var maintenance = MaintenanceReports()
  var isOverloadReported = false
  var draining = DrainState()
  private(set) var drainTimer: UInt64 = 0
  private(set) var drainedTimer: UInt64 = 0

  /// Finds the gateway of a shard.
  let find: @Sendable (ShardCore) -> ShardGateway

  package init(_ core: ShardCore, _ context: GatewayContext, _ find: @escaping @Sendable (ShardCore) -> ShardGateway) {
    self.core = core
    time = core.time
    load = core.publishedLoad
    self.context = context
    self.find = find
    journal = ShardJournal(
      shard: core.index,
      commits: context.commits,
      intervalMilliseconds: context.configuration.commitIntervalMilliseconds
    )
    commitTimer = addTimer { [unowned self] in commitTimerSet = nil }
    retryTimer = addTimer { context.commits.retry() }
    promiseTimer = addTimer { [unowned self] in breakPromises() }
    maintenanceTimer = addTimer { [unowned self] in maintain() }
    drainTimer = addTimer { [unowned self] in continueDraining() }
    drainedTimer = addTimer { [unowned self] in checkDrained() }
    requests.addOpen { [unowned self] in answerTime($0, $1) }
  }

  /// Notifies features of sessions from now on; called once, when they have registered a handler for each request.
  package func begin(with features: [any Feature]) {
    precondition(requests.missing.isEmpty, "no feature handles \(requests.missing)")
    // At the start, not with a player's first request: too many parts trap.
    for part in features.flatMap({ type(of: $0).parts }) { _ = part.slot }
    self.features = features
  }

  /// The names of the features that clients may use, in alphabetical order.
  package var featureNames: [String] { features.compactMap { type(of: $0).name }.sorted() }

  package var shards: ServiceShards<ShardGateway> { ServiceShards(core.siblings, find) }
  /// The counts of this shard's features.
  package var featureStatistics: StatisticsByFeature { StatisticsByFeature(features.map { $0.statistics }) }
  package var ownShard: ServiceShard<ShardGateway> { shards[core.index] }

  /// This turn's time, for the rules.
  package var now: Instant { Instant(time.now) }

  /// The session of a connection that still exists and is open.
  package func session(_ token: UInt64) -> Session? {
    guard let session = core.connection(for: token)?.context as? Session, session.connection.isOpen else { return nil }
    return session
  }

  /// The session of a connection that has not moved on.
  package func session(at place: ConnectionPlace) -> Session? {
    guard let session = core.connection(for: place.token)?.context as? Session, session.state.number == place.number
    else { return nil }
    return session
  }

  package func forEachSession(_ body: (Session) -> Void) {
    core.forEachConnection { if let session = $0.context as? Session { body(session) } }
  }

  /// Closes a connection where it is. A connection that has moved on is detected on its arrival.
  package func close(_ place: ConnectionPlace, _ code: CloseCode) {
    guard place.shard == core.index else { return shards[place.shard].post { $0.close(place, code) } }
    session(at: place)?.close(code)
  }

  /// Carries out the orders for a connection where it is. Those for a connection that has moved on are carried out on
  /// its arrival.
  package func carryOutOrders(at place: ConnectionPlace) {
    if let session = session(at: place) { carryOutOrders(for: session) }
  }

  func carryOutOrders(for session: Session) {
    for order in directory.takeOrders(ofConnection: session.state.number) { order(session) }
  }

  // Timers.

  /// Features' own timers have tokens of at most 62 bits; tokens of registered timers lie above.
  package static let timerTokenMin: UInt64 = 1 << 62

  /// Registers an action for a timer's token, which `ShardCore.setTimer` takes.
  package func addTimer(_ action: @escaping () -> Void) -> UInt64 {
    precondition(features.isEmpty, "features register their timers when they are made")
    timers.append(action)
    return Self.timerTokenMin + UInt64(timers.count - 1)
  }

  package func timerFired(_ token: UInt64) {
    timers[Int(token - Self.timerTokenMin)]()
  }
}

// Requests.
extension ShardGateway {
  /// Handles a request that needs no player.
  package func handleOpen<Body: RequestBody>(_ handle: @escaping (Body, OpenRequest) -> Void) {
    requests.addOpen(handle)
  }

  /// Handles a request of a player that is accepted while the store fails: it changes nothing durable, or its handler
  /// looks whether something can be promised.
  package func handleQuery<Body: RequestBody>(_ handle: @escaping (Body, PlayerRequest) -> Void) {
    requests.add(where: { true }, handle)
  }

  /// Handles a durable request of a player: it is refused while nothing can be committed.
  package func handle<Body: RequestBody>(_ handle: @escaping (Body, PlayerRequest) -> Void) {
    requests.add(where: { [unowned self] in canPromise }, handle)
  }

  /// Handles plain HTTP requests whose path begins with this component, in lower case.
  package func handleHTTP(_ component: String, _ respond: @escaping (HTTPRequest) -> HTTPResponse) {
    precondition(routes[component] == nil, "a path has one handler")
    routes[component] = respond
  }

  /// Handles plain HTTP requests of a route, such as `v1/media`: `answer` has `Connection.answer` called, at once or
  /// later; `admit` says what becomes of requests that bring bodies.
  package func handleHTTP(
    _ route: String,
    _ answer: @escaping (HTTPRequest, Connection) -> Void,
    bodies admit: @escaping (HTTPRequest, Connection) -> BodyAdmission
  ) {
    precondition(laterRoutes[route] == nil, "a path has one handler")
    laterRoutes[route] = answer
    bodyRoutes[route] = admit
  }

  /// Whether a message is to be processed. The rate comes first: excess must cost next to nothing. A client at its
  /// rate's end is not read for a while. So the network slows most clients down before any of their messages is
  /// refused.
  package func admits(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, from session: Session) -> Bool {
    guard kind == session.messageKind else {
      session.connection.dismiss(CloseStatus.unsupportedData, "wrong kind of frame for the subprotocol")
      return false
    }
    var rate = session.rate
    let verdict = rate.count(at: time.now)
    session.rate = rate
    if case .allowed(isLast: false) = verdict { return true }
    session.connection.pauseReading(until: core.now.advanced(milliseconds: Limits.overRatePauseMs))
    switch verdict {
    case .allowed: return true
    case .tooFast(let retryAfterMs):
      traffic.note(overRate: bytes.count, isAnswered: true)
      session.refuse(id(in: bytes, session), .rateLimited, retryAfterMs: retryAfterMs)
    case .muted:
      traffic.note(overRate: bytes.count, isAnswered: false)
    case .intolerable:
      traffic.note(overRate: bytes.count, isAnswered: false)
      session.connection.dismiss(CloseCode.rateLimited.rawValue, CloseCode.rateLimited.reason)
    }
    return false
  }

  /// Processes an admitted message.
  package func receive(_ bytes: UnsafeRawBufferPointer, from session: Session) {
    do throws(DecodingFailure) {
      let message = try session.subprotocol.decodeClientMessage(bytes)
      let type = ReceivedType(message.body)
      traffic.note(received: type, bytes: bytes.count)
      let id = message.hasID ? message.id : nil
      guard let body = message.body else {
        let text = session.subprotocol.unknownField(of: message, in: bytes)
        return session.refuse(id, .unknownBody, text)
      }
      guard bytes.count <= type.messageBytesMax else { return session.refuse(id, .messageTooLong) }
      let unknownFields = context.configuration.unknownFields
      if unknownFields != .ignored, let text = session.subprotocol.unknownField(of: message, in: bytes) {
        guard unknownFields == .reported else { return session.refuse(id, .malformed, text) }
        report(unknownField: text)
      }
      guard let handle = requests[type] else { preconditionFailure("every request has a handler from the start") }
      handle(body, id, session)
    } catch {
      traffic.note(received: .malformed, bytes: bytes.count)
      session.refuse(error.id, .malformed, error.text)
    }
  }

  private static let reportedFieldsMax = 64

  private func report(unknownField text: String) {
    guard reportedFields.count < Self.reportedFieldsMax, reportedFields.insert(text).inserted else { return }
    context.notify(.unknownField(text))
  }

  /// The id of a message that is refused whatever its content.
  private func id(in bytes: UnsafeRawBufferPointer, _ session: Session) -> UInt32? {
    do throws(DecodingFailure) {
      let message = try session.subprotocol.decodeClientMessage(bytes)
      return message.hasID ? message.id : nil
    } catch {
      return error.id
    }
  }

  private func answerTime(_: WireTimeRequest, _ request: OpenRequest) {
    var reply = WireTimeReply()
    reply.serverTimeMs = core.now.milliseconds
    request.reply(.time(reply))
  }
}
