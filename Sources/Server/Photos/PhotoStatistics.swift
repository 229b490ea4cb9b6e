// Counts of one shard's photos since it began, and their metrics. A value; others get copies.
import Gateway

package struct PhotoStatistics: FeatureStatistics {
  /// Photos that were sent.
  var delivered = 0
  /// Requests for photos that are not there.
  var missing = 0
  /// Photos that were fetched from the source and kept.
  var fetched = 0
  /// Countries whose photo was asked for in vain.
  var failures = 0

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.delivered += right.delivered
    sum.missing += right.missing
    sum.fetched += right.fetched
    sum.failures += right.failures
    return sum
  }
}

extension Metric {
  static let photos = Metric("madang_photos_total", "Requests for photos of countries, by their outcome.")
  static let photoFetches = Metric("madang_photo_fetches_total", "Photos asked of their source, by the outcome.")

  /// The metrics of photos.
  static let ofPhotos: [Metric] = [.photos, .photoFetches]
}

extension PhotoStatistics {
  package func set(in collector: inout MetricsCollector) {
    collector.count(.photos, delivered, ("outcome", "DELIVERED"))
    collector.count(.photos, missing, ("outcome", "MISSING"))
    collector.count(.photoFetches, fetched, ("outcome", "KEPT"))
    collector.count(.photoFetches, failures, ("outcome", "FAILED"))
  }
}
