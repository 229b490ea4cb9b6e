// The operators' console, on the feeds of its pages: watched views, and the times of their updates.
//
// Owned by the operators' one shard and used on its queue. It asks the game's shards by mailbox items and turns their
// answers into messages. While no feed is open, only the history asks.
// Decisions: 083 (docs/decisions).
import ConsoleProtocol
import Game
import Gateway
import MadangProtocol
import Net
import OperatorAccounts
import Store
import WebSocket

final class Console {
  unowned let core: ShardCore
  let server: GameServer
  let register: OperatorRegister
  /// Where operators' browsers find the listener: scheme and host.
  private let origin: String
  private let makeBack: () -> Back
  private let logEntries: RecentLogEntries?
  private(set) var feeds: [UInt64: ConsoleFeed] = [:]

  /// The time of the next refresh; nil while no feed is open.
  private var refreshDue: Timestamp?
  private var refreshes = 0
  private var isSurveying = false
  var history = OverviewHistory()
  var minutes = MinuteHistory()
  private var sampleDue = Timestamp(microseconds: 0)
  var strays: SuspectStrays?

  static let feedsMax = 8
  /// Two places are admins': nobody below them can take all.
  private static let feedsOfOthersMax = 6
  private static let feedsOfOneMax = 3
  static let refreshTimer: UInt64 = 1
  static let historyTimer: UInt64 = 2
  /// A room is read at each refresh, other views at some: `ConsoleView.refreshesPerUpdate`.
  private static let refreshMilliseconds: Int64 = 250
  private static let refreshesPerUpdate = 2
  /// Members' connections change all the time.
  private static let refreshesPerMembers = 4

  init(
    _ core: ShardCore,
    _ server: GameServer,
    _ register: OperatorRegister,
    at origin: String,
    _ logEntries: RecentLogEntries?,
    _ makeBack: @escaping () -> Back
  ) {
    self.core = core
    self.server = server
    self.register = register
    self.origin = origin
    self.logEntries = logEntries
    self.makeBack = makeBack
    scheduleSample(after: core.now)
    // The first scrape has the totals of capsules and of reported things.
    _ = server.context.placeTotals(at: core.now)
    _ = server.context.moderationTotals.counts(at: core.now, from: server.context.gateway.store)
  }

  /// Whether there is a place for one more console of an operator. The server's own token may take all.
  func isFull(for identity: OperatorIdentity) -> Bool {
    guard feeds.count < Self.feedsMax else { return true }
    guard identity.kind != .serverToken else { return false }
    return identity.role < .admin && feeds.count >= Self.feedsOfOthersMax
      || feeds.values.count { $0.identity.kind == identity.kind } >= Self.feedsOfOneMax
  }

  /// The address of a one-time link. Browsers send no fragment, so its secret is in no log and in no proxy.
  func address(ofLink secret: OperatorSecret) -> String { "\(origin)/join#\(secret.text)" }

  // Feeds.

  func open(_ feed: ConsoleFeed) {
    feeds[feed.connection.token] = feed
    register.feedOpened(feed.identity.session)
    feed.send(.with { $0.hello = hello(for: feed.identity) })
    if !history.looks.isEmpty { feed.send(.with { $0.history = history.looks }) }
    survey()
    beginRefreshing()
  }

  /// The server in short, and what an operator may do.
  func hello(for identity: OperatorIdentity) -> FeedHello {
    .with {
      $0.atMs = core.now.milliseconds
      $0.version = GameServer.version
      $0.startedAtMs = server.beganAt.milliseconds
      $0.address = "\(server.address)"
      $0.origin = server.origin
      $0.joinBase = server.joinBase
      $0.draining = server.isDraining
      $0.operator = identity.name
      $0.role = identity.role.rawValue
      $0.acts = identity.acts.map(\.rawValue)
      $0.reasonedActs = identity.reasonedActs.map(\.rawValue)
      if let session = identity.session { $0.session = session }
    }
  }

  func close(_ connection: Connection) {
    guard let feed = feeds.removeValue(forKey: connection.token) else { return }
    register.feedClosed(feed.identity.session)
  }

  func receive(_ bytes: UnsafeRawBufferPointer, from feed: ConsoleFeed) {
    guard feed.takesMessage(at: Instant(core.now)) else {
      return feed.connection.dismiss(
        CloseStatus.policyViolation,
        "over \(ConsoleFeed.messagesPerSecond) messages a second"
      )
    }
    do throws(ConsoleRequestFault) {
      switch try ConsoleRequest([UInt8](bytes)) {
      case .watch(let view): watch(view, on: feed)
      case .act(let id, let action, let reason): act(.action(action), because: reason, id, feed)
      case .access(let id, let change, let reason): act(.access(change), because: reason, id, feed)
      case .schools(let id, let schools, let isFirst, let isLast):
        take(schools, isFirst: isFirst, isLast: isLast, id, feed)
      case .games(let id, let room): answerGames(of: room, id, feed)
      case .network(let id, let player): answerNetwork(of: player, id, feed)
      case .players(let id, let search): answerPlayers(matching: search, id, feed)
      case .file(let id, let player): answerFile(of: player, id, feed)
      case .findSchools(let id, let query): answerSchools(matching: query, id, feed)
      case .minutes(let id, let moment): answerMinutes(after: moment, id, feed)
      case .previewFences(let id, let offered, let removed): answerPreview(of: offered, without: removed, id, feed)
      case .previewLands(let id, let offered): answerPreview(of: offered, id, feed)
      case .unanswerable(let id, let why):
        feed.dropEdition()
        feed.refuse(id, why)
      }
    } catch {
      feed.connection.dismiss(error.closeCode, error.reason)
    }
  }

  private func watch(_ view: ConsoleView, on feed: ConsoleFeed) {
    feed.watch(view)
    if view == .overview { survey() }
    ask(feed)
  }

  // Refreshes.

  private func beginRefreshing() {
    guard refreshDue == nil else { return }
    awaitRefresh(after: core.now)
  }

  /// Schedules the next refresh; missed refreshes are skipped.
  private func awaitRefresh(after due: Timestamp) {
    let missed = core.now.microseconds(since: due) / (Self.refreshMilliseconds * 1_000)
    let next = due.advanced(milliseconds: (missed + 1) * Self.refreshMilliseconds)
    refreshDue = next
    _ = core.setTimer(Self.refreshTimer, at: next)
  }

  func refresh() {
    guard let due = refreshDue, !feeds.isEmpty else {
      refreshDue = nil
      return
    }
    refreshes += 1
    if refreshes % Self.refreshesPerUpdate == 0 { survey() }
    for feed in feeds.values where refreshes % feed.view.refreshesPerUpdate == 0 { ask(feed) }
    awaitRefresh(after: due)
  }

  /// Calls a body on the operators' shard. Any thread.
  typealias Back = @Sendable (@escaping @Sendable (Console) -> Void) -> Void

  func back() -> Back { makeBack() }

  // The overview: one survey for all, and a periodic one for consoles that are opened later.

  /// Schedules the next sample of the history; missed ones are skipped.
  private func scheduleSample(after due: Timestamp) {
    let every = OverviewHistory.secondsBetween
    let missed = core.now.microseconds(since: due) / (every * 1_000_000)
    sampleDue = due.advanced(seconds: (missed + 1) * every)
    _ = core.setTimer(Self.historyTimer, at: sampleDue)
  }

  func sample() {
    scheduleSample(after: sampleDue)
    let back = back()
    server.survey(busiestRooms: 0) { survey in
      back { $0.keep(survey) }
    }
  }

  private func survey() {
    guard !isSurveying else { return }
    isSurveying = true
    let back = back()
    server.survey(busiestRooms: 0) { survey in
      back { $0.publish(survey) }
    }
  }

  private func publish(_ survey: ServerSurvey) {
    isSurveying = false
    var overview = FeedOverview(survey)
    for feed in feeds.values where feed.isReady {
      let items = logEntries?.items(after: feed.logEntriesSeen) ?? []
      feed.logEntriesSeen = items.last?.number ?? feed.logEntriesSeen
      overview.news = items.map(\.message)
      feed.send(.with { $0.overview = overview })
    }
  }

  // Views.

  /// Asks for a feed's view, unless an answer is on its way or would only wait.
  private func ask(_ feed: ConsoleFeed) {
    guard !feed.isAsking, feed.isReady else { return }
    let (token, number, back) = (feed.connection.token, feed.viewNumber, back())
    /// Handles the answer, if the feed still watches the same.
    let answer: @Sendable (@escaping @Sendable (Console, ConsoleFeed) -> Void) -> Void = { body in
      back { console in
        guard let feed = console.feeds[token], feed.viewNumber == number else { return }
        feed.isAsking = false
        body(console, feed)
      }
    }
    feed.isAsking = true
    switch feed.view {
    case .overview: feed.isAsking = false
    case .room(let id): follow(id, feed, answer)
    case .places(let map): readPlaces(on: map, feed)
    default: read(feed.view, for: feed.identity) { make in answer { _, feed in feed.show(make()) } }
    }
  }

  /// Reads the places on a map for a feed. A feed has one such read at a time, whatever it watches meanwhile: of maps
  /// in quick succession the last one is read next.
  private func readPlaces(on map: MapBox, _ feed: ConsoleFeed) {
    feed.isAsking = false
    guard !feed.isReadingPlaces else { return }
    feed.isReadingPlaces = true
    let (token, number, back) = (feed.connection.token, feed.viewNumber, back())
    let known = feed.lands.flatMap { $0.isCurrent(on: map, in: server.context, at: core.now) ? $0 : nil }
    PlacesView.read(map, known, from: server.context, at: core.now) { stored in
      back { console in
        guard let feed = console.feeds[token] else { return }
        feed.isReadingPlaces = false
        feed.lands = try? stored.get().lands
        guard feed.viewNumber == number else {
          if case .places = feed.view { console.ask(feed) }
          return
        }
        let context = console.server.context
        let fences = feed.fences(on: map, in: context.fences.catalogue)
        let totals = context.placeTotals(at: console.core.now)
        let view = PlacesView(fences: fences, stored: stored, totals: totals)
        feed.show(.with { $0.places = view.message })
      }
    }
  }

  private func follow(
    _ id: RoomID,
    _ feed: ConsoleFeed,
    _ answer: @escaping @Sendable (@escaping @Sendable (Console, ConsoleFeed) -> Void) -> Void
  ) {
    let directory = server.context.gateway.directory
    guard let place = feed.place else {
      let moves = directory.moves
      server.services.gather {
        $0.rooms.room(id)?.place
      } completion: { places in
        let place = places.compactMap { $0 }.first
        // A room that moved meanwhile may have been on no shard when that was looked at.
        let isGone = place == nil && directory.moves == moves
        answer { console, feed in
          feed.place = place
          if isGone { feed.show(.gone, of: id) } else { console.ask(feed) }
        }
      }
      return
    }
    let (seen, withMembers) = (feed.seen, refreshes % Self.refreshesPerMembers == 0)
    server.services[place.shard].post { service in
      service.operations.follow(id, place.code, since: seen, withMembers: withMembers) { update in
        guard case .gone = update, let shard = directory.shard(ofGroup: place.code.bits), shard != place.shard else {
          return answer { $1.show(update, of: id) }
        }
        answer { console, feed in
          feed.follow(RoomPlace(code: place.code, shard: shard))
          console.ask(feed)
        }
      }
    }
  }
}
