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
    if let wait = budgets.pay(Charge(budget: .schoolChoices, payer: .player(player)), at: core.now) {
      return session.refuse(id, .rateLimited, retryAfterMs: wait)
    }
    let isCurrent = { self.standing(of: player, session) == .current }
    guard let choice = commons.tally.choose(school, by: player, where: isCurrent) else {
      return closeAsFormer(session, of: player)
    }
    guard choice != .closed else { return session.refuse(id, .schoolClosed) }
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
    let isCurrent = { self.standing(of: player, session) == .current }
    let decision = commons.tally.tap(
      player,
      batch: request.batch,
      count: request.count,
      at: now,
      where: isCurrent
    )
    guard let decision else { return closeAsFormer(session, of: player) }
    statistics.tapOutcomes[TapOutcome(decision)] += 1
    switch decision {
    case .noSchool: return session.refuse(id, .schoolNeeded)
    case .schoolClosed: return session.refuse(id, .schoolClosed)
    case .outOfRange: return session.refuse(id, .outOfRange, "count: 1 to \(TapRules.tapsMax)")
    case .tooFast(let waitMs): return session.refuse(id, .rateLimited, retryAfterMs: UInt32(clamping: waitMs))
    case .counted: statistics.taps += Int(request.count)
    case .again, .abnormal, .againAbnormal, .past, .gap: break
    }
    journal.touch()
    session.awaitsTapped = true
    session.reply(to: id, decision.answer, after: journal) { session.awaitsTapped = false }
  }

  private func standing(of player: PlayerID, _ session: PlaySession) -> Standing {
    directory.standing(of: player, number: session.state.number)
  }

  /// Whoever has come in its place, or taken it out, is about to close it as well.
  private func closeAsFormer(_ session: PlaySession, of player: PlayerID) {
    if let code = CloseCode(standing(of: player, session)) { session.close(code) }
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
