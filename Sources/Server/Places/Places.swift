// The feature of places on one shard: presence outside of rooms, the fences that players enter and leave, and capsules.
//
// Owned by one shard and used on its queue. It takes every fix first: those of a player who watches places are judged
// by that player's presence, and rooms get what belongs to a game. Presences and fences are shared by all shards.
// Decisions: 109, 110 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net

package final class Places: Feature {
  package unowned let gateway: ShardGateway
  let rooms: Rooms
  let media: Media
  let webhooks: Webhooks
  let presences: Presences
  let fences: SharedFences
  private let find: @Sendable (ShardCore) -> Places
  package var statistics = PlaceStatistics()
  var openableReads = OpenableReads()
  private var sweepTimer: UInt64 = 0
  private(set) var openableTimer: UInt64 = 0
  let readIntervalMs: Int64
  private var isSweepDue = false

  /// Makes the feature. `rooms` takes the fixes of games; `media` has the addresses of pictures; `webhooks` are told of
  /// fences.
  init(
    _ gateway: ShardGateway,
    _ context: ServerContext,
    rooms: Rooms,
    media: Media,
    webhooks: Webhooks,
    _ find: @escaping @Sendable (ShardCore) -> Places
  ) {
    self.gateway = gateway
    self.rooms = rooms
    self.media = media
    self.webhooks = webhooks
    presences = context.presences
    fences = context.fences
    readIntervalMs = context.configuration.capsuleReadIntervalMilliseconds
    self.find = find
    sweepTimer = gateway.addTimer { [unowned self] in sweep() }
    openableTimer = gateway.addTimer { [unowned self] in readOpenable() }
    rooms.roomContext.believes = { [unowned self] in learn(of: $0, $1, isSuspect: $2) }
    gateway.handleQuery { [unowned self] in move($0, $1) }
    gateway.handleQuery { [unowned self] in moves($0, $1) }
    gateway.handleQuery { [unowned self] in watchPlaces($0, $1) }
    gateway.handleQuery { [unowned self] in unwatchPlaces($0, $1) }
    gateway.handle(typed: \WireBuryCapsule.title, \.text) { [unowned self] in buryCapsule($0, $1) }
    gateway.handle(typed: \WireEditCapsule.title, \.text) { [unowned self] in editCapsule($0, $1) }
    gateway.handle { [unowned self] in shareCapsule($0, $1) }
    gateway.handle { [unowned self] in deleteCapsule($0, $1) }
    gateway.handle { [unowned self] in leaveCapsule($0, $1) }
    gateway.handle { [unowned self] in openCapsule($0, $1) }
    gateway.handleQuery { [unowned self] in listCapsules($0, $1) }
    gateway.handleQuery { [unowned self] in answerCapsuleMap($0, $1) }
    gateway.handleQuery { [unowned self] in answerCapsuleHighlights($0, $1) }
  }

  package static let name: String? = "places"
  package static var metrics: [Metric] { Metric.ofPlaces + Metric.ofPlaceTotals }
  package static var budgets: [Budget] { Budget.ofPlaces }
  package static var parts: [any SessionPart.Type] { [PlaceWatcher.self] }

  package var shards: ServiceShards<Places> { ServiceShards(gateway.core.siblings, find) }

  package func moving(_ session: Session) {
    if let watcher = session.part(PlaceWatcher.self) { count(watcher, false) }
  }

  package func arrived(_ session: Session) {
    if let watcher = session.part(PlaceWatcher.self) { count(watcher, true) }
  }

  /// Counts a session among this shard's watchers, or no longer.
  private func count(_ watcher: PlaceWatcher, _ isCounted: Bool) {
    if watcher.isCounted != isCounted { statistics.watching += isCounted ? 1 : -1 }
    watcher.isCounted = isCounted
  }

  package func closed(_ session: Session) {
    end(session)
  }

  package func erased(_ player: PlayerID) {
    presences.erase(player)
  }

  // Watching.

  private func watchPlaces(_: WireWatchPlaces, _ request: PlayerRequest) {
    guard gateway.payForQuery(request) else { return }
    let (session, catalogue) = (request.session, fences.catalogue)
    let now = gateway.now
    if let attendee = session.attendee, let place = attendee.place {
      attendee.room?.tellBelief(of: request.player, at: place)
    }
    let begun = presences.begin(request.player, by: session.state.number, at: now) { presence in
      (hasNewSuspicion: presence.beginWatching(), inside: presence.inside(at: now, in: catalogue))
    }
    // A newer connection of the player's watches: this one is about to be closed.
    guard let begun else { return request.reply(.placesWatched(WirePlacesWatched())) }
    let watcher = session.part(orAdd: PlaceWatcher())
    watcher.begin()
    count(watcher, true)
    statistics.watches += 1
    var answer = WirePlacesWatched()
    answer.inside = begun.inside.map { WireFence($0) }
    reply(.placesWatched(answer), to: request.id, session)
    guard begun.hasNewSuspicion else { return }
    note(request.player, isSuspect: true)
    tell(.verdict(WireVerdict(nil, isSuspect: true)), to: session)
  }

  /// Takes what a room believes of a player. The presence of one who watches judges the same fixes itself.
  private func learn(of player: PlayerID, _ sample: PositionSample?, isSuspect: Bool) {
    guard sample != nil || isSuspect else { return }
    presences.changeResting(player, at: gateway.now) { $0.learn(sample, isSuspect: isSuspect) }
    awaitSweep()
  }

  private func unwatchPlaces(_: WireUnwatchPlaces, _ request: PlayerRequest) {
    end(request.session)
    reply(.ok(WireOk()), to: request.id, request.session)
  }

  private func end(_ session: Session) {
    guard let watcher = session.part(PlaceWatcher.self), watcher.isWatching, let identity = session.state.identity
    else { return }
    watcher.isWatching = false
    count(watcher, false)
    presences.end(identity.player, by: session.state.number, at: gateway.now)
    awaitSweep()
  }

  private func awaitSweep() {
    guard !isSweepDue else { return }
    isSweepDue = true
    let seconds = Presences.kept.components.seconds
    _ = gateway.core.setTimer(sweepTimer, at: gateway.core.now.advanced(seconds: seconds + 1))
  }

  private func sweep() {
    isSweepDue = false
    presences.sweep(at: gateway.now)
    if presences.counts.resting > 0 { awaitSweep() }
  }
}
