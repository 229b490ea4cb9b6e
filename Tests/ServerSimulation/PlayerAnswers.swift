// The answers to a player's requests, each checked against PROTOCOL.md.
import ClientModel
import Game
import MadangProtocol
import Net

extension Player {
  func answered(_ request: PlayerRequest, _ body: WireServerMessage.OneOf_Body, at now: Timestamp) throws(BrokenRule) {
    switch (request, body) {
    case (.hello, .welcome(let welcome)):
      try checkAdmission(at: now)
      mayHaveLostToken = false
      try welcomed(welcome, afterEvent: nil, at: now)
    case (.resume(let afterEvent), .welcome(let welcome)):
      world.report.resumes += 1
      try checkAdmission(at: now)
      try BrokenRule.unless(welcome.sessionToken == token, .sessionsKept, "player \(number)'s token changed")
      try welcomed(welcome, afterEvent: afterEvent, at: now)
    case (.time(let sentAt), .time(let reply)):
      let isNow = (sentAt.milliseconds...now.milliseconds).contains(reply.serverTimeMs)
      try BrokenRule.unless(isNow, .oneAnswer, "the time between \(sentAt) and \(now) is \(reply.serverTimeMs)")
    case (.createRoom, .room(let room)), (.joinRoom, .room(let room)):
      try BrokenRule.unless(copy == nil, .onlyOwn, "player \(number) is in two rooms")
      try enter(room)
    case (.leaveRoom, .ok):
      let code = copy?.code ?? ""
      let isIn = world.written.has(playerID ?? "", in: code)
      try BrokenRule.unless(!isIn, .writtenFirst, "player \(number) has left \(code), and not in the store")
      copy = nil
    case (.startGame(let after), .ok):
      world.report.games += 1
      try checkWritten(.playing, after: after)
    case (.playAgain(let after), .ok):
      try checkWritten(.lobby, after: after)
    case (.kickPlayer, .ok), (.lockRoom, .ok): try HostReferee(world).check(request, by: self)
    // Behind a request to watch places, and its end.
    case (.move, .moved) where world.plan.visits: break
    case (.move, .ok), (.readChat, .ok), (.setPace, .ok):
      break
    case (.setNickname, .ok), (.block, .ok), (.unblock, .ok):
      account.finish(request)
    case (.results(let pages), .results(let page)):
      world.report.pages += 1
      var pages = pages
      try pages.take(page, points: world.written.points[playerID ?? ""] ?? [:], of: number)
      if !page.nextCursor.isEmpty { askResults(page.nextCursor, pages, at: now) }
    case (.records(let stored), .records(let records)):
      world.report.records += 1
      let now = world.written.records[playerID ?? ""] ?? 0
      try account.take(records, stored: stored, now: now, of: number)
    case (.chat(let text), .ok):
      guard let copy else { throw BrokenRule(rule: .onlyOwn, detail: "player \(number) chats in no room") }
      try checkChatTaken(at: now)
      world.acknowledgedChats.append((text, copy.code))
      try world.checkKept(text, in: copy.code)
    case (.deleteAccount, .ok):
      try checkDeleted(isErased: true)
    case (.deleteAccount, .error(let error)) where error.code == .storeUnavailable && !error.hasRetryAfterMs:
      // The store has not erased the rest within a minute.
      try BrokenRule.unless(world.hasStoreFailed, .promisesOnly, "player \(number) is deleted, and not erased")
      try checkDeleted(isErased: false)
    case (_, .error(let error)) where error.code == .storeUnavailable && !error.hasRetryAfterMs:
      // It may be done all the same: the client comes back and looks.
      try BrokenRule.unless(world.hasStoreFailed, .promisesOnly, "player \(number)'s \(request) was not written")
      world.report.unavailable += 1
      requests.putBack(request, at: now)
      lose(at: now)
    case (.taps(let request), _):
      try tapClient.answered(request, body, at: now)
    case (.places(let request), _):
      try placeClient.answered(request, body, at: now)
    case (.stories(let request), _):
      try storyClient.answered(request, body, at: now)
    case (.resume, .error(let error)) where error.code == .sessionEnded && mayHaveLostToken,
      (.resume, .error(let error)) where [.sessionEnded, .badToken].contains(error.code) && mayBeDeleted:
      token = nil
      greet(at: now)
    case (_, .error(let error)):
      try refused(request, error)
    default:
      throw BrokenRule(rule: .oneAnswer, detail: "player \(number)'s \(request) was answered with \(body)")
    }
  }

  /// The player is deleted, even if not all data is erased.
  private func checkDeleted(isErased: Bool) throws(BrokenRule) {
    let isGone = world.writtenTaps.standing(of: playerID ?? "") == nil
    try BrokenRule.unless(isGone, .accountsKept, "player \(number) is deleted, and in the tally")
    world.report.deletions += 1
    beDeleted(isErased: isErased)
  }

  private func checkWritten(_ phase: WirePhase, after number: UInt32) throws(BrokenRule) {
    let code = copy?.code ?? ""
    let isWritten = world.ledger.hasWritten(phase, after: number, in: code)
    try BrokenRule.unless(isWritten, .writtenFirst, "\(phase) of \(code), after \(number)")
  }

  private func refused(_ request: PlayerRequest, _ error: WireError) throws(BrokenRule) {
    if error.code == .storeUnavailable { return try refusedByStore(request) }
    var mayBe = request.refusals + refusalsByOperators(of: request) + HostReferee(world).refusals(of: request)
    // While an answer waits for the store, requests exceed the rate; so they do from the few players that are admitted.
    if world.hasStoreFailed || world.plan.operateMs != nil { mayBe.append(.rateLimited) }
    // Leaving is always possible.
    if world.plan.isGreedy {
      if case .leaveRoom = request {} else { mayBe.append(.rateLimited) }
    }
    // A player whose leaving failed is still in a room.
    if world.hasStoreFailed {
      switch request {
      case .createRoom, .joinRoom: mayBe.append(.alreadyInRoom)
      default: break
      }
    }
    if world.report.drains > 0 {
      switch request {
      case .createRoom, .startGame: mayBe.append(.shuttingDown)
      default: break
      }
    }
    try BrokenRule.unless(
      mayBe.contains(error.code),
      .oneAnswer,
      "player \(number)'s \(request) was refused: \(error.message)"
    )
    if error.code == .banned {
      world.report.bans += 1
      banMs = Int64(max(500, error.retryAfterMs))
    }
    if error.code == .muted { world.report.mutes += 1 }
    if error.code == .rateLimited { rateLimited(request) }
    noteRefusal(of: request)
  }

  /// Too often: a returning player comes again later.
  private func rateLimited(_ request: PlayerRequest) {
    switch request {
    case .hello, .resume:
      // The session may have begun before the room's state was too much.
      if case .hello = request { mayHaveLostToken = true }
      greetLater(at: world.now)
    case .createRoom, .joinRoom:
      break
    default:
      return
    }
    world.report.budgetsSpent += 1
  }

  /// The store can't be written: the request had no effect.
  private func refusedByStore(_ request: PlayerRequest) throws(BrokenRule) {
    world.report.unavailable += 1
    try BrokenRule.unless(world.hasStoreFailed, .promisesOnly, "player \(number)'s \(request)")
    switch request {
    case .time, .move, .setPace:
      throw BrokenRule(rule: .positionsGoOn, detail: "player \(number)'s \(request) was refused")
    case .hello, .resume:
      greetLater(at: world.now)
    default:
      noteRefusal(of: request)
    }
  }

  /// A request had no effect.
  private func noteRefusal(of request: PlayerRequest) {
    account.undo(request)
    if case .chat(let text) = request { world.refusedChats.append(text) }
  }

  private func enter(_ room: WireRoom) throws(BrokenRule) {
    try world.ledger.checkWritten(room.lastEvent, of: room.code)
    let copy = try BrokenRule.keeping { () throws(RoomCopy.Fault) in try RoomCopy(room) }
    let own = copy.members[copy.you]
    try BrokenRule.unless(own?.playerID == playerID, .onlyOwn, "player \(number) was given \(copy.you) of \(room.code)")
    try BrokenRule.unless(own?.held == false, .onlyOwn, "player \(number) got a room where the own place is held")
    self.copy = copy
    isUnchecked = true
  }

  private func welcomed(_ welcome: WireWelcome, afterEvent: UInt32?, at now: Timestamp) throws(BrokenRule) {
    if let playerID, welcome.playerID != playerID {
      try BrokenRule.unless(mayBeDeleted, .sessionsKept, "player \(number) became another")
      tapClient.keepTapsAfterDeletion()
      placeClient.beDeleted(at: now)
      storyClient.beDeleted(isErased: false, at: now)
    }
    playerID = welcome.playerID
    token = welcome.sessionToken
    state = .ready
    try account.take(nickname: welcome.player.nickname)
    let blocked = welcome.player.blocked.map { id in world.players.first { $0.playerID == id }?.number }
    try account.take(blocked: blocked, of: number)
    try tapClient.checkTaps(welcome.player)
    knowsWhetherDeleted()
    hasSentMoves = false
    let before = copy
    copy = nil
    if welcome.hasRoom { try enter(welcome.room) }
    try checkPlace(before, at: now)
    if let afterEvent, let copy {
      // In another room the number means nothing, but the server can't know that.
      let isElsewhere = copy.code != before?.code
      try checkMissed(welcome, after: isElsewhere ? min(afterEvent, copy.lastEvent) : afterEvent, copy)
    } else {
      try BrokenRule.unless(welcome.events.isEmpty, .onlyOwn, "player \(number) has not asked for events")
    }
    heldUntil = nil
    mayHaveLeft = false
    tapClient.continueAfterWelcome(at: now)
    placeClient.continueAfterWelcome(at: now)
  }

  /// A player that comes back in time has its former place.
  private func checkPlace(_ before: RoomCopy?, at now: Timestamp) throws(BrokenRule) {
    guard let before, let heldUntil, !mayHaveLeft, now < heldUntil, !marks.mayBeRemoved,
      !world.operators.closedRooms.contains(before.code), !HostReferee(world).hasRemoved(self, from: before.code)
    else { return }
    try BrokenRule.unless(
      copy?.code == before.code,
      .placesHeld,
      "player \(number) lost \(before.code) \(heldUntil.microseconds(since: now) / 1_000) ms too early"
    )
  }

  /// The events of a welcome are all missed ones, or, with a gap, the newest of them.
  private func checkMissed(
    _ welcome: WireWelcome,
    after afterEvent: UInt32,
    _ copy: RoomCopy
  ) throws(BrokenRule) {
    var expected = copy.lastEvent
    for event in welcome.events.reversed() {
      try BrokenRule.unless(event.number == expected, .eventsInOrder, "missed: \(event.number) for \(expected)")
      try check(event, of: copy.code)
      expected -= 1
    }
    try BrokenRule.unless(
      welcome.gap ? expected > afterEvent : expected == afterEvent,
      .eventsInOrder,
      "player \(number) had \(afterEvent) and got those after \(expected), gap: \(welcome.gap)"
    )
    if welcome.gap {
      let (count, bytes) = world.ledger.weight(of: copy.code, after: afterEvent, through: copy.lastEvent)
      let mayBe = count > 1_000 || bytes > Limits.missedEventBytesMax
      try BrokenRule.unless(mayBe, .eventsInOrder, "a gap in \(count) events of \(bytes) bytes")
      world.report.gaps += 1
    }
    world.report.missedEvents += welcome.events.count
  }
}
