// The server as a whole, from its listener to its end.
//
// Immutable; any thread may hold it. It acts on a shard only by posts.
// Decisions: 019 (docs/decisions).
import Game
import Gateway
import Glibc
import Locks
import MadangProtocol
import Net
import Store
import Synchronization

package final class GameServer: Sendable {
  /// The release of the program.
  package static var version: String { Release.version }

  /// The address of the listener.
  package let address: SocketAddress
  private let group: ShardGroup
  /// The game on each shard.
  let services: ServiceShards<PlayService>
  private let certificate: TLSCertificate?
  let context: ServerContext
  private let clock: any Clock
  let beganAt: Timestamp
  /// The action by which operators end the program.
  private let end = OrderedMutex<(@Sendable () -> Void)?>(.leaf, nil)
  private let isEnding = Atomic<Bool>(false)

  /// Begins to serve on `address`, whose port 0 takes a free one, with the rooms of `restoration`: those of `store`.
  ///
  /// - Throws: `NetError` or `StartFailure`, for the operator.
  package init(
    _ configuration: ServerConfiguration,
    _ store: any Store,
    _ restoration: Restoration,
    on address: ResolvedAddress,
    clock: any Clock = SystemClock()
  ) throws {
    let listening = try ListeningSocket(address, limits: configuration.netLimits)
    let context = try ServerContext(configuration, store, restoration, on: listening.address, clock: clock)
    self.address = listening.address
    self.context = context
    self.clock = clock
    beganAt = clock.now()
    group = try ShardGroup(
      count: configuration.shards ?? Self.coreCount,
      limits: configuration.netLimits,
      clock: clock
    ) { PlayService($0, context) }
    services = ServiceShards(group.shards)
    certificate = configuration.listener.certificate
    begin(restoration, at: beganAt)
    var listener = configuration.listener
    listener.takesBodies = true
    group.accept(from: listening, by: listener)
  }

  /// A server without a listener and without queues, for simulations: its creator drives `shards` and hands them their
  /// peers.
  ///
  /// - Throws: `NetError` or `StartFailure`.
  package init(
    driven configuration: ServerConfiguration,
    _ store: any Store,
    _ restoration: Restoration,
    clock: any Clock
  ) throws {
    let nowhere = SocketAddress(ip: IPAddress(high: 0, low: 0), port: 0)
    let context = try ServerContext(configuration, store, restoration, on: nowhere, clock: clock)
    address = nowhere
    self.context = context
    self.clock = clock
    beganAt = clock.now()
    group = try ShardGroup(
      count: configuration.shards ?? 1,
      limits: configuration.netLimits,
      clock: clock,
      areDriven: true
    ) { PlayService($0, context) }
    services = ServiceShards(group.shards)
    certificate = nil
    begin(restoration, at: beganAt)
  }

  private func begin(_ restoration: Restoration, at now: Timestamp) {
    attachCommits()
    context.gateway.directory.numberConnections(after: restoration.lastConnection)
    restore(restoration, at: now)
    finishDeletions(of: restoration.unfinishedDeletions)
    keepRankings(at: now)
    services[0].post { [rows = restoration.webhooks] in $0.webhooks.driver?.take(rows) }
    // At once, so that the remains of many short runs are folded too.
    services[0].post { $0.gateway.maintain() }
  }

  /// Continues deletions that a crash interrupted. Restored rooms have forgotten these players already; the rest is
  /// erased as after any deletion.
  private func finishDeletions(of players: [PlayerID]) {
    services[0].post { service in
      for player in players { service.accounts.finishDeletion(of: player) }
    }
  }

  /// Has the store keep this week's and this month's rankings. It is asked before anybody can play, so it does that
  /// before the first commit.
  private func keepRankings(at now: Timestamp) {
    let periods = context.configuration.days.rankingPeriods(at: Instant(now))
    context.gateway.store.keepRankings(of: periods) { [services] result in
      let isKept = if case .success = result { true } else { false }
      services[0].post { $0.records.setRankingsTimer(isKept: isKept) }
    }
  }

  private func attachCommits() {
    context.gateway.commits.attach(shardCount: services.count) { [services] index, notification in
      services[index].post { $0.gateway.take(notification) }
    }
  }

  /// Spreads the restored rooms over the shards. All are registered before any client can ask for one.
  private func restore(_ restoration: Restoration, at now: Timestamp) {
    let memberCounts = restoration.rooms.map(\.members.count)
    let shards = RoomPlacement.spread(memberCounts: memberCounts, over: services.count)
    for (room, shard) in zip(restoration.rooms, shards) {
      context.openRooms.addRestored()
      context.gateway.directory.restore(
        RoomPlace(code: room.code, shard: shard).group,
        isListed: !room.room.configuration.solo,
        members: room.members
      )
      // A room that has lost its last moments stands at their beginning.
      let downSince = room.lostBehind ?? restoration.lastAliveAt
      let downtime = downSince.map { max(.zero, Instant(now) - $0) } ?? .zero
      services[shard].post { $0.rooms.restore(room, downtime: downtime) }
    }
  }

  /// The URL where players connect: `ws://HOST:PORT`, with TLS `wss://HOST:PORT`.
  package var origin: String { "\(certificate == nil ? "ws" : "wss")://\(address)" }

  /// Whether pictures are taken: there is a program that cleans them.
  package var takesPictures: Bool { context.media.folder != nil }

  /// Whether countries' photos are served: not without the program that cleans pictures, or a folder for them.
  package var servesPhotos: Bool { context.photos.areServed }

  package var speaksTLS: Bool { certificate != nil }

  /// Reads certificate and key again; open connections stay.
  ///
  /// - Throws: `TLSFailure` when the new pair can't be used; the one before stays.
  package func reloadCertificate() throws(TLSFailure) {
    try certificate?.reload()
  }

  /// Replaces the list of words that no nickname and no text may have; what was taken before stays.
  package func replaceWords(_ list: WordList) { context.gateway.words.replace(list) }

  /// The beginning of join URLs for clients that name no other, as in `http://192.168.0.10:8080`: the public URL, or
  /// else the address of the listener. For a listener on all addresses it is the one that the machine has in its
  /// network.
  package var joinBase: String { context.joinBase.common }

  /// Sets the action by which operators end the program; nil where they can't.
  func setEnd(_ end: (@Sendable () -> Void)?) {
    self.end.withLock { $0 = end }
  }

  /// The action that ends the program in good order; nil where operators can't.
  var endOfProgram: (@Sendable () -> Void)? { end.withLock { $0 } }

  /// Calls `completion` when all shards have done what was posted to them before.
  func afterAllShards(_ completion: @escaping @Sendable () -> Void) {
    services.gather { _ in
    } completion: { _ in
      completion()
    }
  }

  package var shardCount: Int { group.shards.count }

  package var shards: [Shard] { group.shards }

  /// Ends in good order: nothing new begins, clients are notified, running games may end within the grace time. Then
  /// gives everything up and calls `completion` with the report, on a shard's queue.
  package func drain(_ completion: @escaping @Sendable (ServerReport) -> Void) {
    isEnding.store(true, ordering: .relaxed)
    services.gather {
      $0.gateway.beginDraining()
    } completion: { [services] _ in
      // A server that is given up meanwhile notifies nobody.
      services[0].post { $0.gateway.awaitDrained { [weak self] in self?.stop(completion) } }
    }
  }

  /// Whether the shutdown has begun: nothing new begins.
  package var isDraining: Bool { isEnding.load(ordering: .relaxed) }

  /// Writes the full state of every room, commits, and gives everything up. The store stays open.
  package func stop(_ completion: @escaping @Sendable (ServerReport) -> Void) {
    services.gather {
      $0.gateway.finishJournal()
    } completion: { _ in
      self.context.gateway.commits.whenIdle {
        self.report { report in
          self.group.stop {
            self.context.gateway.commits.sever()
            completion(report)
          }
        }
      }
    }
  }

  /// Gives everything up at once, like a crash; uncommitted changes are lost.
  package func abandon(_ completion: @escaping @Sendable () -> Void) {
    context.gateway.commits.sever()
    group.stop(completion)
  }

  /// Calls `completion` with the server's report so far.
  package func report(_ completion: @escaping @Sendable (ServerReport) -> Void) {
    services.gather { service in
      var report = ServerReport(
        net: service.gateway.core.counters,
        play: service.operations.playStatistics,
        connections: service.gateway.core.connectionCount,
        rooms: service.rooms.rooms.count,
        isCommitted: service.gateway.journal.isCommitted
      )
      service.gateway.core.forEachConnection { report.unsentBytes += $0.unsentBytes }
      return report
    } completion: { reports in
      var sum = reports.reduce(ServerReport(), +)
      sum.commits = self.context.gateway.commits.statistics
      sum.storeFailure = self.context.gateway.commits.failure
      completion(sum)
    }
  }

  /// Surveys all shards for operators, with the busiest rooms of each; `completion` is called on a shard's queue.
  package func survey(busiestRooms limit: Int, _ completion: @escaping @Sendable (ServerSurvey) -> Void) {
    services.gather {
      $0.operations.survey(busiestRooms: limit)
    } completion: { shards in
      let now = self.clock.now()
      completion(
        ServerSurvey(
          at: now,
          beganAt: self.beganAt,
          shards: shards,
          playersConnected: self.context.gateway.directory.connectedCount,
          season: self.context.tally.committedSeason,
          places: self.context.placeTotals(at: now),
          moderation: self.context.moderationTotals.counts(at: now, from: self.context.gateway.store),
          busiestRooms: limit,
          commits: self.context.gateway.commits.statistics,
          waitingBytes: self.context.gateway.commits.waitingBytes,
          copy: self.context.configuration.copyStatus?()
        )
      )
    }
  }

  private static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// A server's counts since it began, and its present state.
package struct ServerReport: Sendable {
  package var net = ShardCounters()
  package var play = PlayStatistics()
  /// The open connections.
  package var connections = 0
  /// The bytes that wait for kernels, of all connections now.
  package var unsentBytes = 0
  package var rooms = 0
  /// Everything so far is committed.
  package var isCommitted = true
  package var commits = CommitStatistics()
  /// The failure of the last commit; nil when it did not fail.
  package var storeFailure: StoreFailure?

  fileprivate static func + (left: Self, right: Self) -> Self {
    ServerReport(
      net: left.net + right.net,
      play: left.play + right.play,
      connections: left.connections + right.connections,
      unsentBytes: left.unsentBytes + right.unsentBytes,
      rooms: left.rooms + right.rooms,
      isCommitted: left.isCommitted && right.isCommitted
    )
  }
}
