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
  private let logEntries: RecentLogEntries?
  private(set) var feeds: [UInt64: ConsoleFeed] = [:]

  /// The time of the next refresh; nil while no feed is open.
  private var refreshDue: Timestamp?
  private var refreshes = 0
  private var isSurveying = false
  private var history = OverviewHistory()
  private var sampleDue = Timestamp(microseconds: 0)
  private var strays: Strays?

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
  /// Reading all tappers takes the tally's lock, reading all presences theirs.
  private static let straysSeconds: Int64 = 5

  /// Suspects whom no room has, as of some seconds ago.
  private struct Strays {
    let tappers: [SuspectTapper]
    let watchers: [Presences.Suspect]
    let readAt: Timestamp
  }

  init(
    _ core: ShardCore,
    _ server: GameServer,
    _ register: OperatorRegister,
    at origin: String,
    _ logEntries: RecentLogEntries?
  ) {
    self.core = core
    self.server = server
    self.register = register
    self.origin = origin
    self.logEntries = logEntries
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
    feed.send(
      .with {
        $0.hello.atMs = core.now.milliseconds
        $0.hello.version = GameServer.version
        $0.hello.startedAtMs = server.beganAt.milliseconds
        $0.hello.address = "\(server.address)"
        $0.hello.origin = server.origin
        $0.hello.draining = server.isDraining
        $0.hello.operator = feed.identity.name
        $0.hello.role = feed.identity.role.rawValue
        $0.hello.acts = feed.identity.acts.map(\.rawValue)
        $0.hello.reasonedActs = feed.identity.reasonedActs.map(\.rawValue)
        if let session = feed.identity.session { $0.hello.session = session }
      }
    )
    if !history.looks.isEmpty { feed.send(.with { $0.history = history.looks }) }
    survey()
    beginRefreshing()
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
      case .act(let id, let action, let reason): act(action, because: reason, id, feed)
      case .access(let id, let change, let reason): manage(change, because: reason, id, feed)
      case .schools(let id, let schools, let isFirst, let isLast):
        take(schools, isFirst: isFirst, isLast: isLast, id, feed)
      case .games(let id, let room): answerGames(of: room, id, feed)
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

  /// Calls `body` on the operators' shard. Any thread.
  func back() -> @Sendable (@escaping @Sendable (Console) -> Void) -> Void {
    let ownShard = ServiceShards<OperatorService>(core.siblings)[core.index]
    return { body in ownShard.post { body($0.console) } }
  }

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
      back { $0.history.add(survey) }
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
    case .overview:
      feed.isAsking = false
    case .rooms(let query):
      server.services.gather {
        query.part(of: $0.rooms.rooms.values)
      } completion: { parts in
        answer { _, feed in feed.show(.with { $0.rooms = query.list(of: parts) }) }
      }
    case .room(let id):
      follow(id, feed, answer)
    case .schools(let limit):
      feed.isAsking = false
      let schools = server.context.tally.committedRanking.list(first: limit)
      feed.show(.with { $0.schools = schools })
    case .suspects:
      let strays = suspectStrays()
      let players = Set(strays.tappers.map(\.standing.player) + strays.watchers.map(\.player))
      server.services.gather {
        $0.operations.suspects(naming: players)
      } completion: { parts in
        answer { console, feed in
          let view = SuspectsView(
            parts: parts,
            watchers: strays.watchers,
            tappers: strays.tappers,
            schools: console.server.context.tally.schools
          )
          feed.show(.with { $0.suspects = view.message })
        }
      }
    case .connections(let query):
      query.answer(from: server) { parts, rows in
        answer { _, feed in feed.show(.with { $0.connections = query.list(of: parts, rows) }) }
      }
    case .sanctions:
      let moment = server.context.gateway.expiry.now(Instant(core.now))
      server.context.gateway.store.sanctions(at: moment, limit: SanctionRow.shownMax + 1) { rows in
        answer { _, feed in feed.show(.with { $0.sanctions = SanctionRow.list(rows) }) }
      }
    case .proposals:
      server.context.gateway.store.waitingProposals(limit: ProposalRow.shownMax + 1) { rows in
        answer { _, feed in feed.show(.with { $0.proposals = ProposalRow.list(rows) }) }
      }
    case .places(let map):
      readPlaces(on: map, feed)
    case .audit(let before):
      server.context.gateway.store.audit(before: before, limit: AuditRow.shownMax + 1) { rows in
        answer { _, feed in feed.show(.with { $0.audit = AuditRow.page(rows) }) }
      }
    case .operators:
      feed.isAsking = false
      let list = FeedOperatorList(register, for: feed.identity)
      feed.show(.with { $0.operators = list })
    case .reports(let query):
      let store = server.context.gateway.store
      store.moderated(query.filter, after: query.after, limit: ModeratedRow.shownMax + 1) { rows in
        answer { _, feed in feed.show(.with { $0.reports = ModeratedRow.page(rows) }) }
      }
    }
  }

  /// Reads the places on a map for a feed. A feed has one such read at a time, whatever it watches meanwhile: of maps
  /// in quick succession the last one is read next.
  private func readPlaces(on map: MapBox, _ feed: ConsoleFeed) {
    feed.isAsking = false
    guard !feed.isReadingPlaces else { return }
    feed.isReadingPlaces = true
    let (token, number, back) = (feed.connection.token, feed.viewNumber, back())
    PlacesView.readCapsules(on: map, server.context.gateway.store) { capsules in
      back { console in
        guard let feed = console.feeds[token] else { return }
        feed.isReadingPlaces = false
        guard feed.viewNumber == number else {
          if case .places = feed.view { console.ask(feed) }
          return
        }
        let context = console.server.context
        let fences = feed.fences(on: map, in: context.fences.catalogue)
        let totals = context.placeTotals(at: console.core.now)
        let view = PlacesView(fences: fences, capsules: capsules, totals: totals)
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

  /// The suspects whom no room has: reading them costs more than the rest of the view.
  private func suspectStrays() -> Strays {
    if let strays, core.now < strays.readAt.advanced(seconds: Self.straysSeconds) { return strays }
    let (tally, presences) = (server.context.tally, server.context.presences)
    let tappers = tally.suspects.prefix(SuspectTapper.shownMax).map { standing in
      SuspectTapper(standing: standing, counts: tally.latestCounts(of: standing.player))
    }
    let watchers = presences.suspects(at: Instant(core.now), limit: SuspectPlayer.shownMax)
    let found = Strays(tappers: tappers, watchers: watchers, readAt: core.now)
    strays = found
    return found
  }
}
