// Taps over the wire: a school is chosen, batches are counted.
//
// On the shard's thread. The tally decides at once; what it says leaves with the commit that makes it last.
import Game
import MadangProtocol
import Net

extension PlayService {
  func chooseSchool(_ request: WireChooseSchool, _ id: UInt32?, _ session: PlaySession) {
    guard let player = session.state.identity?.player else { preconditionFailure("who chooses has said hello") }
    guard let school = SchoolID(request.schoolID), commons.schools.index(of: school) != nil else {
      return session.refuse(id, .schoolNotFound)
    }
    if let wait = directory.payForSchoolChoice(player, at: core.now) {
      return session.refuse(id, .rateLimited, retryAfterMs: wait)
    }
    guard commons.tally.choose(school, by: player) != .closed else { return session.refuse(id, .schoolClosed) }
    journal.touch()
    session.reply(to: id, .ok(WireOk()), after: journal) { [self] in settle(school, of: session) }
  }

  func tap(_ request: WireTap, _ id: UInt32?, _ session: PlaySession) {
    guard let player = session.state.identity?.player else { preconditionFailure("who taps has said hello") }
    // The answer before is on its way to the disk.
    guard !session.awaitsTapped else {
      let pauseMs = UInt32(clamping: commons.configuration.commitIntervalMilliseconds)
      return session.refuse(id, .rateLimited, "one batch at a time: wait for its answer", retryAfterMs: max(1, pauseMs))
    }
    statistics.tapBatches += 1
    let decision = commons.tally.tap(player, batch: request.batch, count: request.count, at: now)
    statistics.tapOutcomes[TapOutcome(decision)] += 1
    switch decision {
    case .noSchool: return session.refuse(id, .schoolNeeded)
    case .schoolClosed: return session.refuse(id, .schoolClosed)
    case .outOfRange: return session.refuse(id, .outOfRange, "count: 1 to \(TapRules.tapsMax)")
    case .tooFast(let waitMs): return session.refuse(id, .rateLimited, retryAfterMs: UInt32(clamping: waitMs))
    case .abnormal: statistics.abnormalBatches += 1
    case .counted: statistics.taps += Int(request.count)
    case .again, .againAbnormal, .past, .gap: break
    }
    journal.touch()
    session.awaitsTapped = true
    session.reply(to: id, decision.answer, after: journal) { session.awaitsTapped = false }
  }
}

extension TapDecision {
  /// What a batch is answered with whose answer waits for a commit.
  fileprivate var answer: WireServerMessage.OneOf_Body {
    switch self {
    case .counted(let answer), .again(let answer), .past(let answer):
      return .tapped(WireTapped(answer))
    case .gap(let expected):
      var error = WireError(.batchGap, nil)
      error.expectedBatch = expected
      return .error(error)
    case .abnormal, .againAbnormal:
      return .error(WireError(.abnormalTaps, nil))
    case .noSchool, .schoolClosed, .outOfRange, .tooFast:
      preconditionFailure("answered at once")
    }
  }
}

extension WireTapped {
  init(_ answer: TapAnswer) {
    self.init()
    batch = answer.batch
    myCount = answer.myCount
    schoolCount = answer.schoolCount
  }
}

extension WireOwnPlayer {
  /// Adds what the tally says of them.
  mutating func add(_ standing: TapStanding) {
    schoolID = standing.school.description
    lastTapBatch = standing.lastBatch
    myCount = standing.myCount
  }
}
