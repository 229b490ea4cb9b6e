// Taps over the wire: choices of schools, and counted batches.
//
// On the shard's queue. The tally decides at once; its answer leaves after the commit.
// Decisions: 057, 061 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net

extension Taps {
  func chooseSchool(_ wire: WireChooseSchool, _ request: PlayerRequest) {
    let (player, session) = (request.player, request.session)
    guard let school = SchoolID(wire.schoolID), schools.index(of: school) != nil else {
      return request.refuse(.schoolNotFound)
    }
    if let wait = gateway.budgets.pay(Charge(budget: .schoolChoices, payer: .player(player)), at: gateway.core.now) {
      return request.refuse(.rateLimited, retryAfterMs: wait)
    }
    let isCurrent = { self.ownership(of: session, by: player) == .current }
    guard let choice = tally.choose(school, by: player, where: isCurrent) else {
      return closeAsFormer(session, of: player)
    }
    guard choice != .closed else { return request.refuse(.schoolClosed) }
    gateway.journal.touch()
    request.reply(.ok(WireOk()), after: gateway.journal) { [self] in confirm(school, of: session) }
  }

  func tap(_ wire: WireTap, _ request: PlayerRequest) {
    let (player, session) = (request.player, request.session)
    let tapper = session.part(orAdd: Tapper())
    // The last answer is on its way to the disk.
    guard !tapper.awaitsTapped else {
      let pauseMs = UInt32(clamping: gateway.context.configuration.commitIntervalMilliseconds)
      return request.refuse(.rateLimited, "one batch at a time: wait for its answer", retryAfterMs: max(1, pauseMs))
    }
    let isCurrent = { self.ownership(of: session, by: player) == .current }
    let decision = tally.tap(
      player,
      batch: wire.batch,
      count: wire.count,
      at: gateway.now,
      where: isCurrent
    )
    guard let decision else { return closeAsFormer(session, of: player) }
    statistics.outcomes[TapOutcome(decision)] += 1
    switch decision {
    case .noSchool: return request.refuse(.schoolNeeded)
    case .schoolClosed: return request.refuse(.schoolClosed)
    case .outOfRange: return request.refuse(.outOfRange, "count: 1 to \(TapRules.tapsMax)")
    case .tooFast(let waitMs): return request.refuse(.rateLimited, retryAfterMs: UInt32(clamping: waitMs))
    case .counted: statistics.taps += Int(wire.count)
    case .again, .abnormal, .againAbnormal, .past, .gap: break
    }
    gateway.journal.touch()
    tapper.awaitsTapped = true
    request.reply(decision.answer, after: gateway.journal) { tapper.awaitsTapped = false }
  }

  private func ownership(of session: Session, by player: PlayerID) -> Ownership {
    gateway.directory.ownership(of: player, number: session.state.number)
  }

  /// Closes a connection that was replaced or removed; its replacement or remover is about to close it as well.
  private func closeAsFormer(_ session: Session, of player: PlayerID) {
    if let code = CloseCode(ownership(of: session, by: player)) { session.close(code) }
  }
}

extension TapDecision {
  /// The answer to a batch that waits for a commit.
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
      preconditionFailure("this decision is answered at once")
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
  /// Adds a player's standing in the tally.
  mutating func add(_ standing: TapStanding) {
    schoolID = standing.school.description
    lastTapBatch = standing.lastBatch
    myCount = standing.myCount
  }
}
