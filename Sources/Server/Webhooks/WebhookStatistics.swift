// Counts of one shard's webhooks since it began, and the state of the outboxes; and their metrics. A value; others get
// copies.
import Game
import Gateway
import Store

package struct WebhookStatistics: FeatureStatistics {
  /// Events that were delivered, each for each target.
  var delivered = 0
  /// Events that went because there was no room for newer ones.
  var dropped = 0
  /// Events that no outbox has, because nothing could be committed, and more of them came than could be kept.
  var lost = 0
  /// Events that no outbox has, because a player or an address has had too many.
  var overBudget = 0
  /// Requests that failed.
  var failures = 0

  // The outboxes, as of the last look at them.
  var pending: Int64 = 0
  var pendingBytes: Int64 = 0
  /// The age of the oldest pending event.
  var oldestAgeMs: Int64 = 0
  var switchedOff = 0

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.delivered += right.delivered
    sum.dropped += right.dropped
    sum.lost += right.lost
    sum.overBudget += right.overBudget
    sum.failures += right.failures
    sum.pending += right.pending
    sum.pendingBytes += right.pendingBytes
    sum.oldestAgeMs = max(left.oldestAgeMs, right.oldestAgeMs)
    sum.switchedOff += right.switchedOff
    return sum
  }

  /// Takes the state of the outboxes.
  mutating func take(_ rows: [WebhookRow], at now: Instant) {
    for row in rows {
      pending += row.pendingCount
      pendingBytes += row.pendingBytes
      if let oldestAt = row.oldestAt { oldestAgeMs = max(oldestAgeMs, now.milliseconds - oldestAt.milliseconds) }
      if row.switchedOff != nil { switchedOff += 1 }
    }
  }
}

extension Metric {
  static let webhookPending = Metric("madang_webhook_pending_events", "Events that wait for targets of webhooks.")
  static let webhookPendingBytes = Metric("madang_webhook_pending_bytes", "Bytes of events that wait for targets.")
  static let webhookOldest = Metric("madang_webhook_oldest_pending_seconds", "The age of the oldest event that waits.")
  static let webhookDelivered = Metric(
    "madang_webhook_delivered_events_total",
    "Events that were delivered to targets."
  )
  static let webhookDropped = Metric(
    "madang_webhook_dropped_events_total",
    "Events that no target will be told of, by the reason: no room in an outbox, no commit, or a budget."
  )
  static let webhookFailures = Metric("madang_webhook_failed_requests_total", "Requests to targets that failed.")
  static let webhooksOff = Metric("madang_webhooks_switched_off", "Targets that are switched off.")

  /// The metrics of webhooks.
  static let ofWebhooks: [Metric] = [
    .webhookPending, .webhookPendingBytes, .webhookOldest, .webhookDelivered, .webhookDropped, .webhookFailures,
    .webhooksOff,
  ]
}

extension WebhookStatistics {
  package func set(in collector: inout MetricsCollector) {
    collector.gauge(.webhookPending, Int(pending))
    collector.gauge(.webhookPendingBytes, Int(pendingBytes))
    collector.gauge(.webhookOldest, Double(oldestAgeMs) / 1_000)
    collector.count(.webhookDelivered, delivered)
    collector.count(.webhookDropped, dropped, ("reason", "NO_ROOM"))
    collector.count(.webhookDropped, lost, ("reason", "NO_COMMIT"))
    collector.count(.webhookDropped, overBudget, ("reason", "OVER_BUDGET"))
    collector.count(.webhookFailures, failures)
    collector.gauge(.webhooksOff, switchedOff)
  }
}
