// The metrics of school taps, and their values from statistics.
import Gateway

extension Metric {
  static let taps = Metric("madang_taps_total", "Taps for schools that counted.")
  static let tapBatches = Metric("madang_tap_batches_total", "Batches of taps, by what came of them.")

  /// The metrics of school taps.
  static let ofTaps: [Metric] = [
    .taps, .tapBatches,
  ]
}

extension TapStatistics {
  package func set(in collector: inout MetricsCollector) {
    collector.count(.taps, taps)
    for outcome in TapOutcome.allCases {
      collector.count(.tapBatches, outcomes[outcome], ("outcome", outcome.name))
    }
  }
}
