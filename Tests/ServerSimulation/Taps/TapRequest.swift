// A player's request of the contest. A value.

/// A request about taps or the ranking, with the data needed for its answer.
enum TapRequest {
  case choose(String)
  /// The kept batch.
  case batch
  /// The same batch before the first was answered, which no client should send.
  case second
  /// The newest number that was used up.
  case again
  /// An earlier number.
  case past(UInt32)
  /// A number that is too high.
  case gap
  /// The next number, without taps.
  case nothing
  /// A batch before the first choice.
  case schoolless
  case watch(UInt32)
  case unwatch

  /// The school that it names.
  var school: String? { if case .choose(let school) = self { school } else { nil } }

  /// Whether a closed school refuses it.
  var isRefusedForClosed: Bool {
    switch self {
    case .choose, .batch, .second, .gap, .nothing: true
    case .again, .past, .schoolless, .watch, .unwatch: false
    }
  }
}
