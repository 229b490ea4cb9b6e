// The metrics' names, for their handles and for the exporter.
import CoreMetrics
import Gateway

extension GatewayMetrics {
  init(factory: any MetricsFactory) {
    self.init(
      roundTrip: Timer(label: Metric.roundTrip.rawValue, factory: factory),
      commitDuration: Timer(label: Metric.commitDuration.rawValue, factory: factory),
      commitSize: Recorder(label: Metric.commitSize.rawValue, factory: factory)
    )
  }
}

extension RoomMetrics {
  init(factory: any MetricsFactory) {
    self.init(
      tickDuration: Timer(label: Metric.tickDuration.rawValue, factory: factory),
      tickLateness: Timer(label: Metric.tickLateness.rawValue, factory: factory)
    )
  }
}

/// The metrics' descriptions for an exporter.
package enum MetricCatalogue {
  package static var all: [(name: String, help: String, bounds: [Double])] {
    Metric.allCases.map { ($0.rawValue, $0.help, $0.bounds) }
  }
}
