// The counts of features on one shard since it began. Values; others get copies.

/// A feature's counts, which know the metrics that show them.
package protocol FeatureStatistics: Sendable {
  init()
  static func + (left: Self, right: Self) -> Self
  /// Sets the feature's metrics.
  func set(in collector: inout MetricsCollector)
  /// Sets the metrics that the feature has for each shard by itself; the label is that of the shard counted here.
  func set(in collector: inout MetricsCollector, ofShard label: (String, String))
}

extension FeatureStatistics {
  package func set(in collector: inout MetricsCollector, ofShard label: (String, String)) {}

  fileprivate func adding(_ other: any FeatureStatistics) -> any FeatureStatistics {
    guard let other = other as? Self else { preconditionFailure("counts of one type are added") }
    return self + other
  }
}

/// The statistics of a feature that counts nothing.
package struct NoStatistics: FeatureStatistics {
  package init() {}

  package static func + (left: Self, right: Self) -> Self { left }

  package func set(in collector: inout MetricsCollector) {}
}

/// The counts of all features, by the type of their statistics.
package struct StatisticsByFeature: Sendable {
  private var parts: [ObjectIdentifier: any FeatureStatistics] = [:]

  package init() {}

  init(_ statistics: [any FeatureStatistics]) {
    for part in statistics { add(part) }
  }

  package subscript<Statistics: FeatureStatistics>(type: Statistics.Type) -> Statistics {
    guard let part = parts[ObjectIdentifier(type)] else { return Statistics() }
    guard let statistics = part as? Statistics else { preconditionFailure("a part lies at its type") }
    return statistics
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    for part in right.parts.values { sum.add(part) }
    return sum
  }

  /// Sets the metrics of all features.
  package func set(in collector: inout MetricsCollector) {
    for part in parts.values { part.set(in: &collector) }
  }

  /// Sets the metrics that features have for each shard by itself.
  package func set(in collector: inout MetricsCollector, ofShard label: (String, String)) {
    for part in parts.values { part.set(in: &collector, ofShard: label) }
  }

  private mutating func add(_ statistics: any FeatureStatistics) {
    let type = ObjectIdentifier(Swift.type(of: statistics))
    parts[type] = parts[type]?.adding(statistics) ?? statistics
  }
}
