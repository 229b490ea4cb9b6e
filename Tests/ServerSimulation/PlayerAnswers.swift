// What a player's requests are answered with, each held to what PROTOCOL.md says that it may be.
import MadangProtocol
import Net

extension Player {
  func answered(_ request: Request, _ body: WireServerMessage.OneOf_Body, at now: Timestamp) throws(BrokenRule) {
    switch (request, body) {
    case (.hello, .welcome(let welcome)):
      try welcomed(welcome, afterEvent: nil, at: now)
    case (.resume(let afterEvent), .welcome(let welcome)):
      world.report.resumes += 1
      try BrokenRule.unless(welcome.sessionToken == token, .sessionsKept, "player \(number)'s token changed")
      try welcomed(welcome, afterEvent: afterEvent, at: now)
    case (.time(let sentAt), .time(let reply)):
      let isNow = (sentAt.milliseconds...now.milliseconds).contains(reply.serverTimeMs)
      try BrokenRule.unless(isNow, .oneAnswer, "the time between \(sentAt) and \(now) is \(reply.serverTimeMs)")
    case (.createRoom, .room(let room)), (.joinRoom, .room(let room)):
      try BrokenRule.unless(copy == nil, .onlyOwn, "player \(number) is in two rooms")
      try enter(room)
    case (.leaveRoom, .ok):
      copy = nil
    case (.startGame, .ok):
      world.report.games += 1
    case (.playAgain, .ok), (.move, .ok), (.readChat, .ok):
      break
    case (.chat(let text), .ok):
      guard let copy else { throw BrokenRule(rule: .onlyOwn, detail: "player \(number) chats in no room") }
      world.acknowledgedChats.append((text, copy.code))
      try world.checkKept(text, in: copy.code)
    case (.resume, .error(let error)) where error.code == .badToken && mayHaveLostToken:
      token = nil
      greet(at: now)
    case (_, .error(let error)):
      try refused(request, error)
    default:
      throw BrokenRule(rule: .oneAnswer, detail: "player \(number)'s \(request) was answered with \(body)")
    }
  }

  private func refused(_ request: Request, _ error: WireError) throws(BrokenRule) {
    let mayBe: [WireErrorCode] =
      switch request {
      case .createRoom: [.rateLimited]
      case .joinRoom: [.rateLimited, .roomNotFound, .roomFull, .gameOn]
      case .startGame: [.wrongPhase, .hostOnly, .tooFewPlayers, .seatNeeded]
      case .playAgain: [.wrongPhase, .hostOnly, .seatNeeded]
      case .move: [.seatNeeded]
      case .chat: [.rateLimited]
      case .hello, .resume, .time, .leaveRoom, .readChat: []
      }
    try BrokenRule.unless(
      mayBe.contains(error.code),
      .oneAnswer,
      "player \(number)'s \(request) was refused: \(error.message)"
    )
    if case .chat(let text) = request { world.refusedChats.append(text) }
  }

  private func enter(_ room: WireRoom) throws(BrokenRule) {
    let copy = try RoomCopy(room)
    let own = copy.members[copy.you]
    try BrokenRule.unless(own?.playerID == playerID, .onlyOwn, "player \(number) was given \(copy.you) of \(room.code)")
    try BrokenRule.unless(own?.held == false, .onlyOwn, "player \(number) is told that their place is held")
    self.copy = copy
    isUnchecked = true
  }

  private func welcomed(_ welcome: WireWelcome, afterEvent: UInt32?, at now: Timestamp) throws(BrokenRule) {
    if let playerID {
      try BrokenRule.unless(welcome.playerID == playerID, .sessionsKept, "player \(number) became another")
    }
    playerID = welcome.playerID
    token = welcome.sessionToken
    state = .ready
    hasSentMoves = false
    let before = copy
    copy = nil
    if welcome.hasRoom { try enter(welcome.room) }
    try checkPlace(before, at: now)
    if let afterEvent, let before, let copy, copy.code == before.code {
      try checkMissed(welcome, after: afterEvent, copy)
    } else {
      try BrokenRule.unless(welcome.events.isEmpty, .onlyOwn, "player \(number) has not asked for events")
    }
    lostAt = nil
    mayHaveLeft = false
    mayHaveLostToken = false
  }

  /// Who comes back in time has the place that they had.
  private func checkPlace(_ before: RoomCopy?, at now: Timestamp) throws(BrokenRule) {
    guard let before, let lostAt, !mayHaveLeft, now < lostAt.advanced(seconds: 30) else { return }
    try BrokenRule.unless(
      copy?.code == before.code,
      .placesHeld,
      "player \(number) lost \(before.code) within \(now.microseconds(since: lostAt) / 1_000) ms"
    )
  }

  /// The events of a welcome are all that were missed, or, with a gap, the newest of them.
  private func checkMissed(
    _ welcome: WireWelcome,
    after afterEvent: UInt32,
    _ copy: RoomCopy
  ) throws(BrokenRule) {
    var expected = copy.lastEvent
    for event in welcome.events.reversed() {
      try BrokenRule.unless(event.number == expected, .eventsInOrder, "missed: \(event.number) for \(expected)")
      try world.ledger.check(event, of: copy.code)
      expected -= 1
    }
    try BrokenRule.unless(
      welcome.gap ? expected > afterEvent : expected == afterEvent,
      .eventsInOrder,
      "player \(number) had \(afterEvent) and was told those after \(expected), gap: \(welcome.gap)"
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
