// The operators' actions in a run's world: their beginnings and outcomes.
import Game
import Net
import Server

extension World {
  /// Performs an operator's action.
  func operate(_ action: OperatorAction, on player: Player? = nil) {
    let now = now
    let number = operators.begin(SimulatedOperators.Order(action: action, player: player?.number, begunAt: now))
    switch action {
    case .kick: player?.marks.mayBeRemoved = true
    case .ban(_, let duration, _, _):
      player?.marks.mayBeRemoved = true
      player?.marks.ban.begin(at: now, for: duration?.wholeMilliseconds)
    case .unban: player?.marks.ban.begin(at: now, for: nil)
    case .mute(_, let duration, _): player?.marks.mute.begin(at: now, for: duration?.wholeMilliseconds)
    case .unmute: player?.marks.mute.begin(at: now, for: nil)
    default: break
    }
    trace("an operator does \(number): \(action)")
    let answers = operators.answers
    server.perform(action) { answers.add(number, $0) }
  }

  /// Takes the outcomes of operators' actions: exactly the finished ones must be in the audit log.
  func takeOutcomes() throws(BrokenRule) {
    let said = operators.answers.take()
    guard !said.isEmpty else { return }
    for (number, outcome) in said {
      trace("\(number) has come to \(outcome)")
      var isDone = false
      if case .done = outcome { isDone = true }
      guard let order = operators.end(number, isDone: isDone) else {
        throw BrokenRule(rule: .auditKept, detail: "action \(number) has ended twice")
      }
      if isDone { noteDone(order) }
    }
    let rows = store.auditCount
    let isRight = operators.auditCounts.contains(rows)
    try BrokenRule.unless(isRight, .auditKept, "\(rows) rows, not \(operators.auditCounts)")
  }

  private func noteDone(_ order: SimulatedOperators.Order) {
    report.operatorActions += 1
    guard let player = order.player.map({ players[$0] }) else { return }
    switch order.action {
    case .ban(_, let duration?, _, _):
      player.marks.ban.done(order.begunAt, for: duration.wholeMilliseconds, at: now)
    case .mute(_, let duration?, _):
      player.marks.mute.done(order.begunAt, for: duration.wholeMilliseconds, at: now)
    default: break
    }
  }
}
