// Counts of one shard's pictures since it began, and their metrics. A value; others get copies.
import Gateway
import MadangProtocol

package struct MediaStatistics: FeatureStatistics {
  /// Tickets that were given out.
  var tickets = 0
  /// Bytes of uploads that came.
  var uploadedBytes = 0
  /// Uploads that became pictures.
  var kept = 0
  /// Refused uploads, by code.
  private(set) var refusals: [WireErrorCode: Int] = [:]
  /// Pictures that were sent, or parts of them.
  var delivered = 0

  package init() {}

  mutating func note(_ code: WireErrorCode) { refusals[code, default: 0] += 1 }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.tickets += right.tickets
    sum.uploadedBytes += right.uploadedBytes
    sum.kept += right.kept
    sum.refusals.merge(right.refusals) { $0 + $1 }
    sum.delivered += right.delivered
    return sum
  }
}

extension Metric {
  static let uploadTickets = Metric("madang_upload_tickets_total", "Tickets for uploads that were given out.")
  static let uploadedBytes = Metric("madang_uploaded_bytes_total", "Bytes of uploads that came.")
  static let uploads = Metric(
    "madang_uploads_total",
    "Requests that brought bytes of an upload to its end or were refused, by their outcome."
  )
  static let mediaDelivered = Metric("madang_media_delivered_total", "Pictures that were sent, whole or in part.")

  /// The metrics of pictures.
  static let ofMedia: [Metric] = [.uploadTickets, .uploadedBytes, .uploads, .mediaDelivered]
}

extension MediaStatistics {
  package func set(in collector: inout MetricsCollector) {
    collector.count(.uploadTickets, tickets)
    collector.count(.uploadedBytes, uploadedBytes)
    collector.count(.uploads, kept, ("outcome", "KEPT"))
    for (code, count) in refusals { collector.count(.uploads, count, ("outcome", code.name)) }
    collector.count(.mediaDelivered, delivered)
  }
}
