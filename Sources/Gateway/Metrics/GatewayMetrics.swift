// The gateway's own metrics that are recorded where they happen.
//
// Handles of swift-metrics; any thread.
import CoreMetrics

package struct GatewayMetrics: Sendable {
  package let roundTrip: Timer
  package let commitDuration: Timer
  package let commitSize: Recorder

  package init(factory: any MetricsFactory) {
    roundTrip = Timer(label: Metric.roundTrip.name, factory: factory)
    commitDuration = Timer(label: Metric.commitDuration.name, factory: factory)
    commitSize = Recorder(label: Metric.commitSize.name, factory: factory)
  }
}

extension Metric {
  static let roundTrip = Metric(
    "madang_round_trip_seconds",
    "Round-trip times to peers as the kernel smooths them, each connection looked at every half minute.",
    bounds: [0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5]
  )

  static let commitDuration = Metric(
    "madang_commit_duration_seconds",
    "How long commits take, with their sync.",
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
  )

  static let commitSize = Metric(
    "madang_commit_size_bytes",
    "Bytes of journals in a commit.",
    bounds: [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304]
  )

  /// The metrics that the gateway records.
  package static let ofGateway: [Metric] = [
    .roundTrip, .commitDuration, .commitSize,
  ]
}

extension Timer {
  package func record(microseconds: Int64) {
    recordNanoseconds(max(0, microseconds) * 1_000)
  }
}
