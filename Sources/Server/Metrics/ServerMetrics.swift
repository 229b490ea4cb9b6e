// The metrics that are recorded where they happen: what each single one of is worth a place in a histogram.
//
// Immutable, any thread; behind each handle are atomics, or nothing. All other metrics are plain numbers of shards, which
// `MetricsCollector` hands on when somebody scrapes.
import CoreMetrics

final class ServerMetrics: Sendable {
  let tickDuration: Timer
  let tickLateness: Timer
  let roundTrip: Timer
  let commitDuration: Timer
  let commitSize: Recorder

  init(factory: any MetricsFactory) {
    tickDuration = Timer(.tickDuration, factory)
    tickLateness = Timer(.tickLateness, factory)
    roundTrip = Timer(.roundTrip, factory)
    commitDuration = Timer(.commitDuration, factory)
    commitSize = Recorder(label: Metric.commitSize.rawValue, factory: factory)
  }
}

extension Timer {
  fileprivate convenience init(_ metric: Metric, _ factory: any MetricsFactory) {
    self.init(label: metric.rawValue, factory: factory)
  }

  func record(microseconds: Int64) {
    recordNanoseconds(max(0, microseconds) * 1_000)
  }
}

/// What an exporter says of the server's metrics.
package enum MetricCatalogue {
  package static var all: [(name: String, help: String, bounds: [Double])] {
    Metric.allCases.map { ($0.rawValue, $0.help, $0.bounds) }
  }
}
