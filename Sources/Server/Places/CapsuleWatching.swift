// The capsules around players who watch places: read from the store when a player has moved on, and told when they can
// be opened and when they no longer can.
//
// On the shard's queue; the store answers by `post`. A player has one read under way of each kind. Reads have a budget
// of the player's; where it is spent, a later fix asks again.
// Decisions: 111 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Places {
  /// Goes on with the capsules of a player's watch: tells what a fix has changed, and reads what it lacks.
  func follow(_ capsules: Presence.CapsuleUpdate, _ session: Session) {
    guard let watcher = session.part(PlaceWatcher.self) else { return }
    tell(capsules.changes, to: session, watcher)
    if let place = capsules.missingAround { readCapsules(around: place, session, watcher) }
    readOpenable(near: capsules.place, session, watcher)
  }

  /// Reads the capsules around a place for a player's watch.
  private func readCapsules(around place: Coordinate, _ session: Session, _ watcher: PlaceWatcher) {
    guard !watcher.isReadingNear, let player = session.state.identity?.player, paysForRead(player) else {
      return
    }
    watcher.isReadingNear = true
    read(near: place, withinM: CapsuleRules.watchedWithinM, of: player, session) { places, session, watcher, found in
      watcher.isReadingNear = false
      guard let found else { return }
      if watcher.isReadStale {
        watcher.isReadStale = false
        return places.readCapsules(around: place, session, watcher)
      }
      let near = found.map { NearCapsule(number: $0.id.number, place: $0.place) }
      places.change(session) { $0.renewCapsules(around: place, with: near) }
    }
  }

  /// Reads the capsules that can be opened now and that the player has not been told of.
  private func readOpenable(near place: Coordinate?, _ session: Session, _ watcher: PlaceWatcher) {
    guard !watcher.awaited.isEmpty, !watcher.isReadingOpenable, let place, let player = session.state.identity?.player,
      paysForRead(player)
    else { return }
    watcher.isReadingOpenable = true
    let asked = watcher.awaited
    read(near: place, withinM: CapsuleRules.openableWithinM, of: player, session) { places, session, watcher, found in
      watcher.isReadingOpenable = false
      guard let found else { return }
      // One that is awaited no longer can't be opened any more. One that is not found has been deleted meanwhile, or is
      // no longer shared.
      let stillAwaited = watcher.awaited.intersection(asked)
      watcher.awaited.subtract(asked)
      var openable = WireOpenableCapsules()
      for capsule in found where stillAwaited.contains(capsule.id.number) {
        watcher.told[capsule.id.number] = capsule.id
        openable.capsules.append(WireCapsule(capsule, for: session))
      }
      if !openable.capsules.isEmpty { session.send(.openable(openable)) }
    }
  }

  private func paysForRead(_ player: PlayerID) -> Bool {
    gateway.budgets.pay(Charge(budget: .capsuleReads, payer: .player(player)), at: gateway.core.now) == nil
  }

  /// Reads capsules for a session, and goes on if it is still here and watches. Without an answer of the store `body`
  /// gets nil.
  private func read(
    near place: Coordinate,
    withinM: Int,
    of player: PlayerID,
    _ session: Session,
    then body: @escaping @Sendable (Places, Session, PlaceWatcher, [CapsuleSummary]?) -> Void
  ) {
    let (ownShard, token, watch) = (ownShard, session.connection.token, session.part(PlaceWatcher.self)?.watch)
    gateway.context.store.capsules(
      near: place,
      withinM: withinM,
      visibleTo: player,
      limit: CapsuleRules.watchedMax
    ) { found in
      ownShard.post { places in
        guard let session = places.gateway.session(token), let watcher = session.part(PlaceWatcher.self),
          watcher.isWatching, watcher.watch == watch
        else { return }
        body(places, session, watcher, try? found.get())
      }
    }
  }

  /// Changes the capsules of a player's watch, and tells what can be opened by that, and what no longer can.
  func change(_ session: Session, _ body: (inout Presence) -> Presence.CapsuleUpdate) {
    guard let player = session.state.identity?.player,
      let update = presences.change(player, by: session.state.number, at: gateway.now, body)
    else { return }
    follow(update, session)
  }

  private func tell(_ changes: CapsuleWatch.Changes, to session: Session, _ watcher: PlaceWatcher) {
    watcher.awaited.formUnion(changes.openable)
    guard !changes.closed.isEmpty else { return }
    watcher.awaited.subtract(changes.closed)
    var closed = WireClosedCapsules()
    closed.capsuleIds = changes.closed.compactMap { watcher.told.removeValue(forKey: $0)?.description }
    if !closed.capsuleIds.isEmpty { session.send(.closed(closed)) }
  }

  // The player's own changes.

  func put(_ capsule: CapsuleSummary, for request: PlayerRequest) {
    guard let watcher = request.session.part(PlaceWatcher.self), watcher.isWatching else { return }
    if watcher.isReadingNear { watcher.isReadStale = true }
    change(request.session) {
      $0.putCapsule(NearCapsule(number: capsule.id.number, place: capsule.place))
    }
  }

  func remove(_ id: CapsuleID, for request: PlayerRequest) {
    guard let watcher = request.session.part(PlaceWatcher.self), watcher.isWatching else { return }
    if watcher.isReadingNear { watcher.isReadStale = true }
    change(request.session) { $0.removeCapsule(id.number) }
  }
}

extension CapsuleID {
  /// The number by which watches know it: half of a drawn identifier is enough to tell the few around one player apart.
  var number: UInt64 { UInt64(truncatingIfNeeded: value) }
}
