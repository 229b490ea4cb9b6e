// What tappers are like, by the names that `--bots` takes.
//
// Values.
import ArgumentParser

package enum TapperKind: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Keeps to what may be tapped.
  case honest
  /// Taps too much: in a batch, in five seconds, in a second.
  case fast
  /// Sends numbers that it has sent before, and such as it has not come to.
  case resender
  /// Loses its connection, before and behind sending and between, and comes back.
  case dropper
  /// Loses all but its device's secret behind sending, as a phone's app that is killed, and comes back by hello.
  case crasher
  /// Enters and leaves rooms between sending and answer, and so moves from shard to shard.
  case mover
  /// Changes its school.
  case changer

  /// What it has occasion to hold the server to in a run that is long enough.
  var expectations: [Expectation] {
    let own: [Expectation] =
      switch self {
      case .honest, .mover: []
      case .fast: [.abnormalTaps, .tooManyTaps]
      case .resender: [.sameAnswer, .pastAnswer, .gapTold]
      case .dropper: [.standing]
      case .crasher: [.toldWhatCounted]
      case .changer: [.schoolNeeded, .schoolChosen]
      }
    return [.countedOnce, .ownCount, .conserved, .withinTheRules] + own
  }
}
