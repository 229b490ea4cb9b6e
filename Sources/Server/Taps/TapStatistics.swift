// Counts of one shard's school taps since it began. A value; others get copies.
import Game
import Gateway
import MadangProtocol

/// The outcome of a batch of taps.
enum TapOutcome: Int, CaseIterable, Sendable {
  case counted
  /// The batch has the number of the newest one, counted or abnormal, and gets its answer again.
  case again
  case past, gap, abnormal, tooFast, noSchool, schoolClosed, outOfRange
}

package struct TapStatistics: FeatureStatistics {
  var outcomes = Counts<TapOutcome>()
  /// Taps in counted batches.
  var taps = 0
  /// Rankings that were published to watchers' connections.
  package var rankings = 0
  /// The durations of publishing the ranking, for each shard by itself.
  package var rankingTicks = LatencyHistogram()

  package init() {}

  /// Received batches of taps.
  package var batches: Int { outcomes.total }
  /// Abnormal batches, each once even if it came again.
  package var abnormalBatches: Int { outcomes[.abnormal] }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.outcomes = left.outcomes + right.outcomes
    sum.taps += right.taps
    sum.rankings += right.rankings
    sum.rankingTicks = left.rankingTicks + right.rankingTicks
    return sum
  }
}

extension TapOutcome {
  init(_ decision: TapDecision) {
    self =
      switch decision {
      case .counted: .counted
      case .again, .againAbnormal: .again
      case .past: .past
      case .gap: .gap
      case .abnormal: .abnormal
      case .tooFast: .tooFast
      case .noSchool: .noSchool
      case .schoolClosed: .schoolClosed
      case .outOfRange: .outOfRange
      }
  }

  /// The public name; for a refusal, its code on the wire.
  var name: String {
    switch self {
    case .counted: "COUNTED"
    case .again: "AGAIN"
    case .past: "PAST"
    case .gap: WireErrorCode.batchGap.name
    case .abnormal: WireErrorCode.abnormalTaps.name
    case .tooFast: WireErrorCode.rateLimited.name
    case .noSchool: WireErrorCode.schoolNeeded.name
    case .schoolClosed: WireErrorCode.schoolClosed.name
    case .outOfRange: WireErrorCode.outOfRange.name
    }
  }
}

extension PlayStatistics {
  package var taps: TapStatistics { features[TapStatistics.self] }
}
