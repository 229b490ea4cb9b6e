// The kinds of tappers, by the names that `--bots` takes.
//
// Values.
import ArgumentParser

package enum TapperKind: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Stays within the limits of taps.
  case honest
  /// Taps too much: in a batch, in five seconds, in a second.
  case fast
  /// Sends numbers that it has sent before, and numbers that it has not reached.
  case resender
  /// Loses its connection before, during and after sending, and comes back.
  case dropper
  /// Loses everything but its device's secret after sending, like a phone's app that is killed, and comes back by
  /// hello.
  case crasher
  /// Enters and leaves rooms between sending and answer, and so moves from shard to shard.
  case mover
  /// Changes its school.
  case changer

  /// The expectations that it can check in a long enough run.
  var expectations: [Expectation] {
    let own: [Expectation] =
      switch self {
      case .honest, .mover: []
      case .fast: [.abnormalTaps, .tooManyTaps]
      case .resender: [.sameAnswer, .pastAnswer, .gapRefused]
      case .dropper: [.standing]
      case .crasher: [.stateReturned]
      case .changer: [.schoolNeeded, .schoolChosen]
      }
    return [.countedOnce, .ownCount, .conserved, .withinTheRules] + own
  }
}
