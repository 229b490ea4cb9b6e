// A metric: its name, its meaning, and the bounds of a histogram's buckets. A value.
//
// Each feature has a list of its own metrics. Names are in base units; counters end in `_total`. Labels have a few
// values known beforehand, never a player or a room. A label takes the wire's word where there is one: messages like
// their members in JSON (`createRoom`); codes, modes and phases like its enumerations (`BAD_CODE`). Other labels have
// that form too (`OVER_RATE`). `name` gives the label: dashboards and alert rules depend on it, so it must outlive a
// name in the code. Metrics that begin with `process_` have every exporter's standard names.

package struct Metric: Sendable {
  package let name: String
  package let help: String
  /// The upper bounds of a histogram's buckets; empty for other metrics.
  package let bounds: [Double]

  package init(_ name: String, _ help: String, bounds: [Double] = []) {
    self.name = name
    self.help = help
    self.bounds = bounds
  }
}
