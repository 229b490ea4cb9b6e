// The source of swift-metrics' handles: all series of the process, written as text at each scrape.
//
// Any thread. A lock guards the list of series, for making handles and for scraping. Counts and records go to the
// series' own atomics without waiting.
// Decisions: 087 (docs/decisions).
import CoreMetrics
import Locks

/// The description of a metric: its help, and a histogram's bounds.
package struct MetricDescription: Sendable {
  package let help: String
  /// The upper bounds of a histogram's buckets, rising, without the infinite one; empty for other metrics.
  package let bounds: [Double]

  package init(help: String, bounds: [Double] = []) {
    self.help = help
    self.bounds = bounds
  }
}

package final class PrometheusExporter: MetricsFactory {
  /// All series of one name.
  private struct Family: Sendable {
    let kind: SeriesKind
    var series: [Labels: any Series] = [:]
  }

  private let descriptions: [String: MetricDescription]
  private let families = OrderedMutex<[String: Family]>(.leaf, [:])

  /// The bounds of histograms without a description.
  private static let boundsDefault = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  /// Takes descriptions by the names of metrics.
  package init(describing descriptions: [String: MetricDescription] = [:]) {
    self.descriptions = descriptions
  }

  /// All metrics in the text format, version 0.0.4, ordered by name and labels.
  package func text() -> String {
    let families = families.withLock { $0 }
    var text = ExpositionText()
    for (name, family) in families.sorted(by: { $0.key < $1.key }) where !family.series.isEmpty {
      text.begin(name, family.kind, help: descriptions[name]?.help)
      for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
        series.append(to: &text, name, labels)
      }
    }
    return text.text
  }

  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  // The methods of `MetricsFactory`.

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions, .counter) { CounterSeries() }
  }

  package func makeFloatingPointCounter(
    label: String,
    dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, dimensions, .counter) { FloatingPointCounterSeries() }
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge) { GaugeSeries() }
  }

  package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    guard aggregate else { return series(label, dimensions, .gauge) { GaugeSeries() } }
    return series(label, dimensions, .histogram) { HistogramSeries(bounds: self.bounds(of: label)) }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .histogram) { HistogramSeries(bounds: self.bounds(of: label)) }
  }

  package func destroyCounter(_ handler: any CounterHandler) { forget(handler) }
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { forget(handler) }
  package func destroyMeter(_ handler: any MeterHandler) { forget(handler) }
  package func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }
  package func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

  private func bounds(of label: String) -> [Double] {
    let bounds = descriptions[MetricName.checked(label)]?.bounds ?? []
    return bounds.isEmpty ? Self.boundsDefault : bounds
  }

  /// Returns the series of this name and these labels, a new one if there is none. A name has one kind. A request for
  /// another kind gets a series that no scrape shows, because Prometheus would refuse a text with both as a whole.
  private func series<New: Series>(
    _ label: String,
    _ dimensions: [(String, String)],
    _ kind: SeriesKind,
    _ make: () -> New
  ) -> New {
    let name = MetricName.checked(label)
    let labels = Labels(dimensions)
    return families.withLock { families in
      let family = families[name] ?? Family(kind: kind)
      if let known = family.series[labels] { return known as? New ?? make() }
      let new = make()
      guard family.kind == kind else { return new }
      families[name, default: family].series[labels] = new
      return new
    }
  }

  private func forget(_ handler: AnyObject) {
    families.withLock { families in
      families = families.mapValues { family in
        var family = family
        family.series = family.series.filter { $0.value !== handler }
        return family
      }
    }
  }
}
