// Counts of one shard's tiles since it began, their metric, and the budget of reads that wait. A value; others get
// copies.
import Gateway

package struct MapStatistics: FeatureStatistics {
  /// Tiles that were sent.
  var delivered = 0
  /// Requests for tiles that the map does not have.
  var missing = 0
  /// Tiles that could not be read.
  var failed = 0
  /// Requests that were refused because too many waited.
  var busy = 0

  package init() {}

  mutating func count(_ outcome: SharedMap.Outcome) {
    switch outcome {
    case .delivered: delivered += 1
    case .missing: missing += 1
    case .failed: failed += 1
    case .busy: busy += 1
    }
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.delivered += right.delivered
    sum.missing += right.missing
    sum.failed += right.failed
    sum.busy += right.busy
    return sum
  }

  package func set(in collector: inout MetricsCollector) {
    collector.count(.mapTiles, delivered, ("outcome", "DELIVERED"))
    collector.count(.mapTiles, missing, ("outcome", "MISSING"))
    collector.count(.mapTiles, failed, ("outcome", "FAILED"))
    collector.count(.mapTiles, busy, ("outcome", "BUSY"))
  }
}

extension Metric {
  static let mapTiles = Metric("madang_map_tiles_total", "Requests for tiles of the map, by their outcome.")

  static let ofMaps: [Metric] = [.mapTiles]
}

extension Budget {
  // An amount. Requests have the bound of all requests of an address.
  static let waitingTiles = Budget(amountOf: "WAITING_TILES", for: .process)

  static let ofMaps: [Budget] = [.waitingTiles]
}
