// The contest's answers and notifications to a player's client, checked against PROTOCOL.md and the store.
import MadangProtocol
import Net

extension TapClient {
  func answered(
    _ request: TapRequest,
    _ body: WireServerMessage.OneOf_Body,
    at now: Timestamp
  ) throws(BrokenRule) {
    defer { if taps.hasToAct, taps.actAt == nil { actLater(at: now, afterMs: 1) } }
    switch (request, body) {
    case (.choose(let school), .ok):
      taps.choose(school)
      world.report.choices += 1
      try checkStanding()
    case (.batch, .tapped(let answer)):
      try count(answer)
    case (.second, .tapped(let answer)) where taps.kept?.number == answer.batch:
      try count(answer)
    case (.second, .tapped(let answer)), (.again, .tapped(let answer)):
      try checkRepeatedAnswer(.tapped(answer))
    case (.past(let number), .tapped(let answer)):
      let isNow = answer.batch == number && answer.myCount == taps.myCount
      try BrokenRule.unless(isNow, .tapsKept, "player \(player.number), of \(taps.myCount), got \(answer)")
      try take(answer)
    case (.batch, .error(let error)) where error.code == .abnormalTaps:
      try drop()
    case (.second, .error(let error)) where error.code == .abnormalTaps && taps.kept != nil:
      try drop()
    case (.second, .error(let error)) where error.code == .abnormalTaps,
      (.again, .error(let error)) where error.code == .abnormalTaps:
      try checkRepeatedAnswer(.abnormal)
    case (.gap, .error(let error)) where error.code == .batchGap:
      let next = taps.lastBatch + 1
      try BrokenRule.unless(error.expectedBatch == next, .oneAnswer, "\(error.expectedBatch) for batch \(next)")
      world.report.tapRefusals += 1
    case (.watch(let top), .ranking(let ranking)):
      self.ranking.watch(top)
      try take(ranking)
    case (.unwatch, .ok):
      ranking.end()
    case (_, .error(let error)):
      try refused(request, error, at: now)
    default:
      throw BrokenRule(rule: .oneAnswer, detail: "player \(player.number)'s \(request) was answered with \(body)")
    }
  }

  private func count(_ answer: WireTapped) throws(BrokenRule) {
    let before = taps
    let isRight = taps.count(answer)
    try BrokenRule.unless(isRight, .tapsKept, "player \(player.number), of \(before), got \(answer)")
    world.report.batchesCounted += 1
    try take(answer)
    try checkStanding()
  }

  private func drop() throws(BrokenRule) {
    let isRight = taps.drop()
    try BrokenRule.unless(isRight, .oneAnswer, "player \(player.number)'s \(String(describing: taps.kept)) was dropped")
    world.report.tapRefusals += 1
    try checkStanding()
  }

  /// The newest number must be answered as before, word for word.
  private func checkRepeatedAnswer(_ answer: TapCopy.Answer) throws(BrokenRule) {
    try BrokenRule.unless(
      taps.lastAnswer == answer,
      .sameAnswer,
      "player \(player.number): \(answer), not \(String(describing: taps.lastAnswer))"
    )
    world.report.batchesAgain += 1
  }

  /// Checks that the total in an answer is in the store; no later ranking may be lower.
  private func take(_ answer: WireTapped) throws(BrokenRule) {
    try world.writtenTaps.checkWritten(answer.schoolCount, of: taps.school)
    ranking.note(taps.school, answer.schoolCount)
  }

  /// Checks that the store has the acknowledged taps. Nothing else of the player's is under way.
  private func checkStanding() throws(BrokenRule) {
    let standing = world.writtenTaps.standing(of: player.playerID ?? "")
    let isWritten = standing?.school.description == taps.school && standing?.lastBatch == taps.lastBatch
    try BrokenRule.unless(
      isWritten,
      .writtenFirst,
      "player \(player.number) is at \(taps), in the store \(standing as Any)"
    )
  }

  private func refused(_ request: TapRequest, _ error: WireError, at now: Timestamp) throws(BrokenRule) {
    var mayBe: [WireErrorCode] =
      switch request {
      case .choose, .batch, .second, .watch: [.rateLimited]
      case .nothing: [.outOfRange]
      case .schoolless: [.schoolNeeded]
      case .gap, .again, .past, .unwatch: []
      }
    if request.isRefusedForClosed, world.schools.mayBeClosed(request.school ?? taps.school) {
      mayBe.append(.schoolClosed)
    }
    let isStores = error.code == .storeUnavailable
    if isStores {
      try BrokenRule.unless(mayBeUnavailable(request), .promisesOnly, "player \(player.number)'s \(request)")
    }
    // While an answer waits for the store, requests exceed the rate.
    let isRate = error.code == .rateLimited && world.hasStoreFailed
    try BrokenRule.unless(
      isStores || isRate || mayBe.contains(error.code),
      .oneAnswer,
      "player \(player.number)'s \(request) was refused: \(error.message)"
    )
    world.report.tapRefusals += 1
    if isStores { world.report.unavailable += 1 }
    proceed(after: request, error, at: now)
  }

  private func proceed(after request: TapRequest, _ error: WireError, at now: Timestamp) {
    switch (request, error.code) {
    case (.choose, .schoolClosed):
      // A kept batch waits for some school.
      taps.want(taps.kept == nil ? nil : player.random.pick(world.schools.open).id.description)
    case (.batch, .schoolClosed), (.second, .schoolClosed):
      if taps.kept != nil, taps.wanted == nil { taps.want(player.random.pick(world.schools.open).id.description) }
    case (.choose, _), (.batch, _):
      actLater(at: now, afterMs: Int64(max(1, error.retryAfterMs)))
    case (.watch, _):
      ranking.wanted = nil
    default:
      break
    }
  }

  private func mayBeUnavailable(_ request: TapRequest) -> Bool {
    switch request {
    case .watch, .unwatch: false
    default: world.hasStoreFailed
    }
  }

  // Notifications.

  func take(_ ranking: WireRanking) throws(BrokenRule) {
    try BrokenRule.unless(self.ranking.top != nil, .onlyOwn, "player \(player.number) watches no ranking")
    world.report.rankings += 1
    let fault = self.ranking.take(ranking)
    try BrokenRule.unless(fault == nil, .rankingsHold, "player \(player.number): \(fault ?? "")")
    for row in ranking.rows { try world.writtenTaps.checkWritten(row.count, of: row.schoolID) }
    let isMine = taps.mayHave(ranking.mine.schoolID)
    try BrokenRule.unless(isMine, .rankingsHold, "player \(player.number) of \(taps.school) got \(ranking.mine)")
  }

  // Welcomes.

  /// Checks that the server knows the player's taps: the acknowledged ones, and perhaps those under way.
  func checkTaps(_ own: WireOwnPlayer) throws(BrokenRule) {
    let isRight = taps.fits(school: own.schoolID, lastBatch: own.lastTapBatch, myCount: own.myCount)
    try BrokenRule.unless(isRight, .tapsKept, "player \(player.number), at \(taps), got the welcome \(own)")
    let written = world.writtenTaps.standing(of: player.playerID ?? "")?.lastBatch ?? 0
    try BrokenRule.unless(own.lastTapBatch <= written, .writtenFirst, "player \(player.number) got the welcome \(own)")
    if own.schoolID == taps.wanted { taps.choose(own.schoolID) }
  }
}
