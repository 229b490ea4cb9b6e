// The answers to a player's requests, each checked against PROTOCOL.md.
import ClientModel
import Game
import MadangProtocol
import Net

extension Player {
  func answered(_ request: Request, _ body: WireServerMessage.OneOf_Body, at now: Timestamp) throws(BrokenRule) {
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
    case (.move, .ok), (.readChat, .ok):
      break
    case (.setNickname(let nickname), .ok):
      nicknames = [nickname]
    case (.block(let other), .ok):
      blocked.insert(other)
      maybeBlocked.remove(other)
    case (.unblock(let other), .ok):
      maybeBlocked.remove(other)
    case (.results(let pages), .results(let page)):
      try take(page, pages, at: now)
    case (.records(let stored), .records(let records)):
      try take(records, stored: stored)
    case (.chat(let text), .ok):
      guard let copy else { throw BrokenRule(rule: .onlyOwn, detail: "player \(number) chats in no room") }
      try checkChatTaken(at: now)
      world.acknowledgedChats.append((text, copy.code))
      try world.checkKept(text, in: copy.code)
    case (.taps(let request), _):
      try answered(request, body, at: now)
    case (.deleteAccount, .ok):
      try checkDeleted()
    case (.deleteAccount, .error(let error)) where error.code == .storeUnavailable && !error.hasRetryAfterMs:
      // The store has not erased the rest within a minute.
      try BrokenRule.unless(world.hasStoreFailed, .promisesOnly, "player \(number) is deleted, and not erased")
      try checkDeleted()
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
  private func checkDeleted() throws(BrokenRule) {
    let isGone = world.writtenTaps.standing(of: playerID ?? "") == nil
    try BrokenRule.unless(isGone, .accountsKept, "player \(number) is deleted, and in the tally")
    world.report.deletions += 1
    beDeleted()
  }

  private func checkWritten(_ phase: WirePhase, after number: UInt32) throws(BrokenRule) {
    let code = copy?.code ?? ""
    let isWritten = world.ledger.hasWritten(phase, after: number, in: code)
    try BrokenRule.unless(isWritten, .writtenFirst, "\(phase) of \(code), after \(number)")
  }

  /// A page of results: older than the page before; the pages together hold all results that were stored at the first
  /// request.
  private func take(_ page: WireResults, _ pages: Pages, at now: Timestamp) throws(BrokenRule) {
    var pages = pages
    world.report.pages += 1
    let points = world.written.points[playerID ?? ""] ?? [:]
    for row in page.results {
      let isRight = row.endedAtMs <= pages.endedAtMs && !pages.games.contains(row.gameID)
      try BrokenRule.unless(isRight, .resultsKept, "player \(number) got \(row.gameID) out of order")
      try BrokenRule.unless(points[row.gameID] == row.points, .resultsKept, "\(row.gameID) had other points")
      pages.games.append(row.gameID)
      pages.endedAtMs = row.endedAtMs
    }
    guard page.nextCursor.isEmpty else { return askResults(page.nextCursor, pages, at: now) }
    let isWhole = pages.stored.isSubset(of: pages.games)
    try BrokenRule.unless(isWhole, .resultsKept, "player \(number) did not get all results")
  }

  /// Records count stored games, each once; a counted game stays counted.
  private func take(_ records: WireRecords, stored: Int) throws(BrokenRule) {
    world.report.records += 1
    let (total, before) = (records.total, totals)
    let countMax = world.written.records[playerID ?? ""] ?? 0
    let isCounted = (stored...max(stored, countMax)).contains(Int(total.count))
    try BrokenRule.unless(isCounted, .resultsKept, "player \(number) has \(total.count) of \(countMax) records")
    let isMore =
      total.count >= before.count && total.distanceM >= before.distanceM && total.timeS >= before.timeS
      && total.calories >= before.calories
    try BrokenRule.unless(isMore, .resultsKept, "player \(number) had \(before), and has \(total)")
    // No run takes a week.
    let days = records.days.map(\.count)
    let isWhole = days.count == 7 && days.reduce(0, +) == total.count
    try BrokenRule.unless(isWhole, .resultsKept, "player \(number) has \(total.count) records on days with \(days)")
    let reported = Set(records.badges.map(\.badge))
    let isAwarded =
      badges.isSubset(of: reported)
      && (Self.badgeCount(Int(total.count))...Self.badgeCount(countMax)).contains(records.badges.count)
    try BrokenRule.unless(isAwarded, .resultsKept, "player \(number) has badges \(reported) for \(total.count) records")
    totals = total
  }

  private static func badgeCount(_ records: Int) -> Int { BadgeRules.thresholds.count { $0 <= records } }

  private func refused(_ request: Request, _ error: WireError) throws(BrokenRule) {
    if error.code == .storeUnavailable { return try refusedByStore(request) }
    var mayBe: [WireErrorCode] =
      switch request {
      case .createRoom: [.rateLimited]
      case .joinRoom: [.rateLimited, .roomNotFound, .roomFull, .gameOn]
      case .startGame: [.wrongPhase, .hostOnly, .tooFewPlayers, .seatNeeded]
      case .playAgain: [.wrongPhase, .hostOnly, .seatNeeded]
      case .move: [.seatNeeded]
      case .chat: [.rateLimited]
      // The server refuses a player whose connection is behind.
      case .results, .records: [.rateLimited]
      case .hello, .resume, .time, .leaveRoom, .readChat, .setNickname, .unblock, .taps: []
      case .deleteAccount: [.rateLimited]
      case .block: [.tooManyBlocked]
      }
    mayBe += refusalsByOperators(of: request)
    // While an answer waits for the store, requests exceed the rate; so they do from the few players that are admitted.
    if world.hasStoreFailed || world.plan.operateMs != nil { mayBe.append(.rateLimited) }
    // Leaving is always possible.
    if world.plan.isGreedy {
      if case .leaveRoom = request {} else { mayBe.append(.rateLimited) }
    }
    // A player whose leaving failed is still in a room.
    if world.hasStoreFailed, case .joinRoom = request { mayBe.append(.alreadyInRoom) }
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
  private func rateLimited(_ request: Request) {
    switch request {
    case .hello, .resume:
      greetLater(at: world.now)
    case .createRoom, .joinRoom:
      break
    default:
      return
    }
    world.report.budgetsSpent += 1
  }

  /// The store can't be written: the request had no effect.
  private func refusedByStore(_ request: Request) throws(BrokenRule) {
    world.report.unavailable += 1
    try BrokenRule.unless(world.hasStoreFailed, .promisesOnly, "player \(number)'s \(request)")
    switch request {
    case .time, .move:
      throw BrokenRule(rule: .positionsGoOn, detail: "player \(number)'s \(request) was refused")
    case .hello, .resume:
      greetLater(at: world.now)
    default:
      noteRefusal(of: request)
    }
  }

  /// A request had no effect.
  private func noteRefusal(of request: Request) {
    switch request {
    case .chat(let text):
      world.refusedChats.append(text)
    case .block(let other):
      maybeBlocked.remove(other)
    case .unblock(let other):
      blocked.insert(other)
      maybeBlocked.remove(other)
    default:
      break
    }
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
      keepTapsAfterDeletion()
    }
    playerID = welcome.playerID
    token = welcome.sessionToken
    state = .ready
    let isCalled = nicknames.isEmpty || nicknames.union(unsureNicknames).contains(welcome.player.nickname)
    try BrokenRule.unless(isCalled, .accountsKept, "\(welcome.player.nickname), not \(nicknames)")
    nicknames = [welcome.player.nickname]
    try checkBlocked(welcome.player.blocked)
    try checkTaps(welcome.player)
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
    continueAfterWelcome(at: now)
  }

  /// A player that comes back in time has its former place.
  private func checkPlace(_ before: RoomCopy?, at now: Timestamp) throws(BrokenRule) {
    guard let before, let heldUntil, !mayHaveLeft, now < heldUntil, !marks.mayBeRemoved,
      !world.operators.closedRooms.contains(before.code)
    else { return }
    try BrokenRule.unless(
      copy?.code == before.code,
      .placesHeld,
      "player \(number) lost \(before.code) \(heldUntil.microseconds(since: now) / 1_000) ms too early"
    )
  }

  /// The server knows the players that this one has blocked.
  private func checkBlocked(_ ids: [String]) throws(BrokenRule) {
    let reported = Set(world.players.filter { ids.contains($0.playerID ?? "") }.map(\.number))
    let isRight =
      reported.count == ids.count && blocked.subtracting(unsureBlocked).isSubset(of: reported)
      && reported.isSubset(of: blocked.union(maybeBlocked).union(unsureBlocked))
    try BrokenRule.unless(isRight, .accountsKept, "player \(number) has blocked \(reported), not \(blocked)")
    blocked = reported
    maybeBlocked = []
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
