// A player's counted taps of the last seconds, as far as the player can know them. A batch counts at some moment
// between its sending and its answer, so some conclusions are certain and some are not.
//
// A value. Times are microseconds of the bot's own clock.
import MadangProtocol

package struct TapWindow: Sendable {
  /// The required outcome of a batch.
  package enum Verdict: Sendable {
    case counts, isLimited
    /// The moment of the server's decision determines the outcome.
    case either
  }

  private struct Batch {
    let count: Int64
    let sent: Int64
    let answered: Int64
  }

  /// The margin that covers small differences of both clocks.
  private static let margin: Int64 = 20_000
  private static let window = Limits.tapsWindowSeconds * 1_000_000
  private static let second: Int64 = 1_000_000

  private var batches: [Batch] = []
  /// The time before which the server may know nothing of batches.
  private var certainFrom = Int64.min

  package init() {}

  /// Adds a batch that has counted.
  package mutating func counted(_ count: Int64, sent: Int64, answered: Int64) {
    batches.removeAll { $0.answered < answered - 2 * Self.window }
    batches.append(Batch(count: count, sent: sent, answered: answered))
  }

  /// Notes that the windows may be as full as possible.
  package mutating func mayBeFull(at now: Int64) {
    for _ in 1...Limits.batchesPerSecond { counted(Limits.batchTaps.upperBound, sent: now, answered: now) }
    certainFrom = now
  }

  /// Notes that the server may have begun its windows anew.
  package mutating func mayHaveBegunAnew(at now: Int64) {
    certainFrom = now
  }

  /// The number of taps that surely fit now; 0 when no further batch does.
  package func room(at now: Int64) -> Int64 {
    let (sum, lately) = most(decidedFrom: now)
    return lately < Limits.batchesPerSecond ? max(0, Limits.batchTaps.upperBound - sum) : 0
  }

  /// The required outcome of a batch of `count` taps.
  package func verdict(on count: Int64, sent: Int64, answered: Int64) -> Verdict {
    let most = most(decidedFrom: sent)
    let least = least(decidedBy: answered)
    if least.sum + count > Limits.batchTaps.upperBound || least.lately >= Limits.batchesPerSecond { return .isLimited }
    if most.sum + count <= Limits.batchTaps.upperBound && most.lately < Limits.batchesPerSecond { return .counts }
    return .either
  }

  /// The most that the windows can hold for a batch decided at `time` or later: the taps, and the batches of a second.
  private func most(decidedFrom time: Int64) -> (sum: Int64, lately: Int) {
    let inWindow = batches.filter { $0.answered > time - Self.window - Self.margin }
    let lately = inWindow.count { $0.answered > time - Self.second - Self.margin }
    return (inWindow.reduce(0) { $0 + $1.count }, lately)
  }

  /// The least that the windows hold for a batch decided by `time`.
  private func least(decidedBy time: Int64) -> (sum: Int64, lately: Int) {
    let certain = batches.filter { $0.sent > max(certainFrom, time - Self.window + Self.margin) }
    let lately = certain.count { $0.sent > time - Self.second + Self.margin }
    return (certain.reduce(0) { $0 + $1.count }, lately)
  }
}
