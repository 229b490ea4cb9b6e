// Fixes of players' positions: those of a player who watches places are judged by the presence, those of a game by its
// room.
//
// On the shard's queue. A fix of a player who watches no place goes on to the room with a look at one flag.
import Game
import Gateway
import MadangProtocol
import Net

extension Places {
  /// Receives a `move` in its usual form.
  func receive(_ move: MoveFix, from session: Session) {
    guard let watcher = session.part(PlaceWatcher.self), watcher.isWatching,
      let player = session.state.identity?.player
    else { return rooms.receive(move, from: session) }
    let (fix, now) = (Fix(move), gateway.now)
    // A newer connection of the player's watches: this one is about to be closed. A room answers the fix or refuses it.
    guard let judged = judge(fix, of: player, session, watcher, at: now, isAnswered: false), !session.isPlaying else {
      return rooms.receive(move, from: session)
    }
    guard let id = move.id else { return }
    guard watcher.heldMessages == 0, let count = MovedOne.Count(judged.judgement.verdict) else {
      return answer([judged.judgement.verdict], [fix], judged, to: id, session, areKept: false)
    }
    let next = judged.nextCheck
    let moved = MovedOne(
      count,
      throughMs: fix.decided(through: judged.through, at: now).milliseconds,
      nextCheckM: UInt32(clamping: next.m),
      nextCheckS: UInt32(clamping: next.s)
    )
    session.send(.moved) { session.subprotocol.append(moved, replyTo: id, to: &$0) }
  }

  /// Receives a `move` in any other form that its schema allows.
  func move(_ wire: WireMove, _ request: PlayerRequest) {
    takeFirst(request, { () throws(UnfitFixes) in [try Fix(wire)] }, areKept: false) {
      rooms.receive(wire, request)
    }
  }

  /// Receives the fixes that a phone has kept.
  func moves(_ wire: WireMoves, _ request: PlayerRequest) {
    takeFirst(request, { () throws(UnfitFixes) in try [Fix](wire) }, areKept: true) { rooms.moves(wire, request) }
  }

  /// Takes the fixes of a request if the player watches places, then calls `next` if they are a room's to answer.
  private func takeFirst(
    _ request: PlayerRequest,
    _ fixes: () throws(UnfitFixes) -> [Fix],
    areKept: Bool,
    then next: () -> Void
  ) {
    guard request.session.watchesPlaces else { return next() }
    do throws(UnfitFixes) {
      if take(try fixes(), request.id, request.session, areKept: areKept) { next() }
    } catch {
      request.refuse(.outOfRange, error.text)
    }
  }

  /// The judgement of one fix, and the state behind it.
  private struct Judged {
    var judgement: Presence.Judgement
    var through: Instant?
    var nextCheck: (m: Int64, s: Int64)
  }

  /// Has fixes judged by the presence of a player who watches places, and answers them, unless a game is on: its room
  /// answers then.
  ///
  /// - Returns: whether the fixes are a game's as well.
  private func take(_ fixes: [Fix], _ id: UInt32?, _ session: Session, areKept: Bool) -> Bool {
    guard let player = session.state.identity?.player, let watcher = session.part(PlaceWatcher.self) else {
      return true
    }
    let now = gateway.now
    var verdicts: [FixVerdict] = []
    verdicts.reserveCapacity(fixes.count)
    var newest: Judged?
    for fix in fixes {
      guard let judged = judge(fix, of: player, session, watcher, at: now, isAnswered: areKept) else { return true }
      newest = judged
      verdicts.append(judged.judgement.verdict)
    }
    guard !session.isPlaying else { return true }
    guard id != nil || areKept else { return false }
    answer(verdicts, fixes, newest, to: id, session, areKept: areKept)
    return false
  }

  /// Has one fix judged, and notifies its player of what follows, except for what the answer has: of a verdict outside
  /// of games unless `isAnswered`. Nil where another connection watches.
  @inline(__always)
  private func judge(
    _ fix: Fix,
    of player: PlayerID,
    _ session: Session,
    _ watcher: PlaceWatcher,
    at now: Instant,
    isAnswered: Bool
  ) -> Judged? {
    let catalogue = fences.catalogue
    let judged = presences.change(player, by: session.state.number, at: now) { presence in
      Judged(
        judgement: presence.take(fix, at: now, in: catalogue),
        through: presence.judgedThrough,
        nextCheck: presence.nextCheck(at: now, in: catalogue)
      )
    }
    guard let judged else { return nil }
    let judgement = judged.judgement
    if !judgement.events.isEmpty { tell(judgement.events, of: player, to: session, in: catalogue) }
    if judgement.changesSuspicion { note(player, isSuspect: judgement.isSuspect) }
    if let capsules = judgement.capsules { follow(capsules, session, watcher) }
    guard !session.isPlaying else { return judged }
    statistics.note(judgement.verdict)
    let explains = session.attendee?.explains ?? false
    tell(judgement, on: fix, to: session, isAnswered: isAnswered, explains: explains)
    return judged
  }

  /// Answers judged fixes; `newest` is the judgement of the last one.
  private func answer(
    _ verdicts: [FixVerdict],
    _ fixes: [Fix],
    _ newest: Judged?,
    to id: UInt32?,
    _ session: Session,
    areKept: Bool
  ) {
    let through = fixes.decided(through: newest?.through, at: gateway.now)
    let explains = session.attendee?.explains ?? false
    var moved = WireMoved(verdicts, through: through, explained: explains && areKept)
    if let nextCheck = newest?.nextCheck {
      moved.nextCheckM = UInt32(clamping: nextCheck.m)
      moved.nextCheckS = UInt32(clamping: nextCheck.s)
    }
    reply(.moved(moved), to: id, session)
  }

  /// Notifies a player of a verdict, as a room does: of a finding, of a suspicion that begins or ends, and of every
  /// verdict where the player has asked for it and the answer has none.
  private func tell(
    _ judgement: Presence.Judgement,
    on fix: Fix,
    to session: Session,
    isAnswered: Bool,
    explains: Bool
  ) {
    if judgement.changesSuspicion, judgement.verdict == .accepted {
      return tell(.verdict(WireVerdict(nil, isSuspect: false)), to: session)
    }
    let isNotified = !isAnswered && (judgement.verdict.isNotified || explains)
    guard isNotified || judgement.changesSuspicion else { return }
    var verdict = WireVerdict(judgement.verdict, isSuspect: judgement.isSuspect)
    if explains { verdict.timeMs = (fix.time ?? gateway.now).milliseconds }
    tell(.verdict(verdict), to: session)
  }

  /// Notifies a player of events at fences: where webhooks get them, when they are committed.
  func tell(_ events: [FenceEvent], of player: PlayerID, to session: Session, in catalogue: FenceCatalogue) {
    for event in events {
      guard let index = catalogue.index(of: event.fence) else { continue }
      let fence = catalogue.fences[Int(index)]
      statistics.fenceEvents[event.kind] += 1
      var change = WireFenceChange()
      change.fence = WireFence(fence)
      change.change = WireFenceChangeKind(event.kind)
      change.atMs = event.at.milliseconds
      tell(.fence(change), to: session, isAdded: offer(event, at: fence, of: player, session))
    }
  }

  /// Adds a player's event at a fence for webhooks that want it, within the budgets: a stay is told with its end, or
  /// not at all. The player is told in any case.
  private func offer(_ event: FenceEvent, at fence: Fence, of player: PlayerID, _ session: Session) -> Bool {
    guard webhooks.wants(.fence) else { return false }
    guard !presences.isUntold(event, of: player) else {
      webhooks.noteOverBudget()
      return false
    }
    let wait = gateway.budgets.pay(
      Charge(budget: .fenceEvents, payer: .player(player)),
      Charge(budget: .fenceEventsOfAddress, payer: .address(session.connection.address.ip)),
      at: gateway.core.now
    )
    guard wait == nil || event.kind == .left else {
      if event.kind == .entered { presences.leaveUntold(event.fence, of: player) }
      webhooks.noteOverBudget()
      return false
    }
    return webhooks.offer(.fence(webhooks.eventNumber, event, at: fence, of: player, at: gateway.now))
  }

  /// Notifies a player at once, or behind the commit of an event that was added for webhooks, and behind those before.
  /// Where the commit takes too long, the player is notified all the same.
  func tell(_ body: WireServerMessage.OneOf_Body, to session: Session, isAdded: Bool = false) {
    guard let watcher = session.part(PlaceWatcher.self), isAdded || watcher.heldMessages > 0 else {
      return session.send(body)
    }
    hold(body, replyTo: nil, for: watcher, session)
  }

  /// Answers a request of a player who watches places, behind the events that are held.
  func reply(_ body: WireServerMessage.OneOf_Body, to id: UInt32?, _ session: Session) {
    guard let watcher = session.part(PlaceWatcher.self), watcher.heldMessages > 0 else {
      return session.reply(to: id, body)
    }
    hold(body, replyTo: id, for: watcher, session)
  }

  private func hold(
    _ body: WireServerMessage.OneOf_Body,
    replyTo id: UInt32?,
    for watcher: PlaceWatcher,
    _ session: Session
  ) {
    watcher.heldMessages += 1
    session.sendInTime(body, replyTo: id, after: gateway.journal) { watcher.heldMessages -= 1 }
  }

  /// Tells webhooks that a suspicion outside of rooms has begun or ended.
  func note(_ player: PlayerID, isSuspect: Bool) {
    guard webhooks.wants(.suspect) else { return }
    _ = webhooks.offer(.suspect(webhooks.eventNumber, player, isSuspect, in: nil, at: gateway.now))
  }
}

extension MovedOne.Count {
  /// The count of a verdict; nil for one that is told by name.
  fileprivate init?(_ verdict: FixVerdict) {
    switch verdict {
    case .accepted: self = .accepted
    case .repeated: self = .repeated
    case .setAside: self = .setAside
    default: return nil
    }
  }
}

extension WireFence {
  init(_ fence: Fence) {
    self.init()
    fenceID = fence.id.description
    name = fence.name
    topic = fence.topic
  }
}

extension WireFenceChangeKind {
  init(_ kind: FenceEvent.Kind) {
    self =
      switch kind {
      case .entered: .entered
      case .left: .left
      case .dwelled: .dwelled
      }
  }
}
