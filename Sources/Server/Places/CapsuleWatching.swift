// The capsules around players who watch places: read from the store when a player has moved on, and told when they can
// be opened and when they no longer can.
//
// On the shard's queue; the store answers by `post`. A player has one read under way of each kind, and the shard one of
// what can be opened. Reads have a budget of the player's; where it is spent, a later fix asks again.
// Decisions: 111 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Places {
  /// Goes on with the capsules of a player's watch: tells what a fix has changed, and reads what it lacks.
  func follow(_ capsules: Presence.CapsuleUpdate, _ session: Session, _ watcher: PlaceWatcher) {
    tell(capsules.changes, to: session, watcher)
    if let place = capsules.missingAround { readCapsules(around: place, session, watcher) }
    readOpenable(session, watcher)
  }

  /// Reads the capsules around a place for a player's watch.
  private func readCapsules(around place: Coordinate, _ session: Session, _ watcher: PlaceWatcher) {
    guard !watcher.isReadingNear, let player = session.state.identity?.player, paysForRead(player) else {
      return
    }
    watcher.isReadingNear = true
    let (ownShard, token, watch) = (ownShard, session.connection.token, watcher.watch)
    gateway.context.store.capsules(
      near: place,
      withinM: CapsuleRules.watchedWithinM,
      visibleTo: player,
      limit: CapsuleRules.watchedMax
    ) { found in
      ownShard.post { $0.renewCapsules(around: place, with: try? found.get(), token, watch) }
    }
  }

  private func renewCapsules(around place: Coordinate, with near: [NearCapsule]?, _ token: UInt64, _ watch: Int) {
    guard let (session, watcher) = watching(token, watch) else { return }
    watcher.isReadingNear = false
    guard let near else { return }
    guard !watcher.isReadStale else {
      watcher.isReadStale = false
      return readCapsules(around: place, session, watcher)
    }
    change(session, watcher) { $0.renewCapsules(around: place, with: near) }
  }

  /// Reads the capsules that can be opened now and that the player has not been told of.
  private func readOpenable(_ session: Session, _ watcher: PlaceWatcher) {
    guard watcher.awaitsCapsules, !watcher.isReadingOpenable, let player = session.state.identity?.player,
      paysForRead(player)
    else { return }
    watcher.isReadingOpenable = true
    openableReads.add(
      OpenableReads.Asked(
        token: session.connection.token,
        watch: watcher.watch,
        lookups: watcher.lookups(for: player)
      )
    )
    awaitOpenableRead()
  }

  private func awaitOpenableRead() {
    guard openableReads.becomesDue() else { return }
    guard readIntervalMs > 0 else { return readOpenable() }
    let time = gateway.core.now.advanced(milliseconds: readIntervalMs)
    _ = gateway.core.setTimer(openableTimer, at: time)
  }

  /// Reads for the players of the shard who wait.
  func readOpenable() {
    let asked = openableReads.begin()
    let ownShard = ownShard
    gateway.context.store.capsules(asked.flatMap(\.lookups)) { found in
      ownShard.post { places in
        var rest = (try? found.get())?[...]
        for one in asked {
          places.tellOpenable(rest?.prefix(one.lookups.count), to: one)
          rest?.removeFirst(one.lookups.count)
        }
        places.openableReads.end()
        places.awaitOpenableRead()
      }
    }
  }

  /// Tells a player of the capsules that have been read; `found` is nil where the store has failed.
  private func tellOpenable(_ found: ArraySlice<[CapsuleSummary]>?, to asked: OpenableReads.Asked) {
    guard let (session, watcher) = watching(asked.token, asked.watch) else { return }
    watcher.isReadingOpenable = false
    guard let found else { return }
    var openable = WireOpenableCapsules()
    for (lookup, capsules) in zip(asked.lookups, found) {
      // One that is awaited no longer can't be opened any more.
      guard watcher.endWait(for: lookup.capsule) else { continue }
      // One that is not found has been deleted or moved meanwhile, or is no longer shared.
      for capsule in capsules where !openableReads.hides(capsule.id, from: session) {
        watcher.tell(capsule.id, at: capsule.place)
        openable.capsules.append(WireCapsule(capsule, for: session))
      }
    }
    if !openable.capsules.isEmpty { tell(.openable(openable), to: session) }
    readOpenable(session, watcher)
  }

  private func paysForRead(_ player: PlayerID) -> Bool {
    gateway.budgets.pay(Charge(budget: .capsuleReads, payer: .player(player)), at: gateway.core.now) == nil
  }

  /// The session that has asked the store, if it is still here and in the same watch.
  private func watching(_ token: UInt64, _ watch: Int) -> (Session, PlaceWatcher)? {
    guard let session = gateway.session(token), let watcher = session.part(PlaceWatcher.self), watcher.isWatching,
      watcher.watch == watch
    else { return nil }
    return (session, watcher)
  }

  /// Changes the capsules of a player's watch, and tells what can be opened by that, and what no longer can.
  private func change(
    _ session: Session,
    _ watcher: PlaceWatcher,
    _ body: (inout Presence) -> Presence.CapsuleUpdate
  ) {
    guard let player = session.state.identity?.player,
      let update = presences.change(player, by: session.state.number, at: gateway.now, body)
    else { return }
    follow(update, session, watcher)
  }

  private func tell(_ changes: CapsuleWatch.Changes, to session: Session, _ watcher: PlaceWatcher) {
    if !changes.closed.isEmpty { tellClosed(watcher.close(changes.closed), to: session) }
    for capsule in changes.openable { watcher.wait(for: capsule) }
  }

  private func tellClosed(_ capsules: [CapsuleID], to session: Session) {
    guard !capsules.isEmpty else { return }
    var closed = WireClosedCapsules()
    closed.capsuleIds = capsules.map(\.description)
    tell(.closed(closed), to: session)
  }

  /// A capsule was hidden from everybody but its owner: tells the players of this shard who know that they can open it.
  func hide(_ id: CapsuleID, of owner: PlayerID) {
    openableReads.hide(id, of: owner)
    gateway.forEachSession { session in
      guard let watcher = session.part(PlaceWatcher.self), watcher.isWatching, session.state.identity?.player != owner
      else { return }
      tellClosed(watcher.close(id), to: session)
    }
  }

  // The player's own changes.

  /// A capsule that the player has buried or edited. It is told anew where it can be opened, since its words may have
  /// changed, and closed where it no longer can.
  func put(_ capsule: CapsuleSummary, for request: PlayerRequest) {
    guard let watcher = request.session.part(PlaceWatcher.self), watcher.isWatching else { return }
    if watcher.isReadingNear { watcher.isReadStale = true }
    let near = NearCapsule(number: capsule.id.number, place: capsule.place)
    change(request.session, watcher) { $0.putCapsule(near) }
    if !watcher.isWaiting(for: near) { tellClosed(watcher.close(capsule.id), to: request.session) }
  }

  /// A capsule that the player has deleted or reported. The watch may keep its place, where it finds nothing when it is
  /// looked up.
  func remove(_ id: CapsuleID, for request: PlayerRequest) {
    guard let watcher = request.session.part(PlaceWatcher.self), watcher.isWatching else { return }
    if watcher.isReadingNear { watcher.isReadStale = true }
    tellClosed(watcher.close(id), to: request.session)
  }
}
