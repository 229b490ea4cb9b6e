// The shards' plain numbers as metrics: at each scrape, the increase since the last one.
//
// A value of the operators' shard. It runs only at a scrape; between scrapes the shards count in fields of their own.
import CoreMetrics

package struct MetricsCollector {
  /// One series of a metric.
  private struct Series: Hashable {
    let metric: String
    let labels: [String]
  }

  private struct CountedTotal {
    let counter: Counter
    var total = 0
  }

  private struct SecondsTotal {
    let counter: FloatingPointCounter
    var microseconds: Int64 = 0
  }

  private let factory: any MetricsFactory
  private var totals: [Series: CountedTotal] = [:]
  private var seconds: [Series: SecondsTotal] = [:]
  private var gauges: [Series: Gauge] = [:]

  package init(factory: any MetricsFactory) {
    self.factory = factory
  }

  /// Sets the counter to `total`; labels are pairs of a name and a value.
  package mutating func count(_ metric: Metric, _ total: Int, _ labels: (String, String)...) {
    let series = Series(metric: metric.name, labels: labels.map(\.1))
    var known =
      totals[series] ?? CountedTotal(counter: Counter(label: metric.name, dimensions: labels, factory: factory))
    known.counter.increment(by: total - known.total)
    known.total = total
    totals[series] = known
  }

  /// Sets the counter of seconds to this many microseconds.
  package mutating func count(_ metric: Metric, microseconds: Int64, _ labels: (String, String)...) {
    let series = Series(metric: metric.name, labels: labels.map(\.1))
    var known =
      seconds[series]
      ?? SecondsTotal(counter: FloatingPointCounter(label: metric.name, dimensions: labels, factory: factory))
    known.counter.increment(by: Double(microseconds - known.microseconds) / 1e6)
    known.microseconds = microseconds
    seconds[series] = known
  }

  package mutating func gauge(_ metric: Metric, _ value: Double, _ labels: (String, String)...) {
    let series = Series(metric: metric.name, labels: labels.map(\.1))
    let gauge = gauges[series] ?? Gauge(label: metric.name, dimensions: labels, factory: factory)
    gauge.record(value)
    gauges[series] = gauge
  }

  package mutating func gauge(_ metric: Metric, _ value: Int, _ labels: (String, String)...) {
    let series = Series(metric: metric.name, labels: labels.map(\.1))
    let gauge = gauges[series] ?? Gauge(label: metric.name, dimensions: labels, factory: factory)
    gauge.record(value)
    gauges[series] = gauge
  }
}
