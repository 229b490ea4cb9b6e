// The check of webhooks: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  func brokenWebhooks() throws -> [String] {
    let totals = try db.rows(
      """
      SELECT id FROM webhook_targets
      WHERE pending_count <> (SELECT COUNT(*) FROM webhook_events WHERE target = id)
        OR pending_bytes <> (SELECT COALESCE(SUM(length(bytes)), 0) FROM webhook_events WHERE target = id)
      """
    )
    let strays = try db.rows(
      """
      SELECT DISTINCT target FROM webhook_events
      WHERE NOT EXISTS (SELECT 1 FROM webhook_targets WHERE id = target)
        AND NOT EXISTS (SELECT 1 FROM removed_webhook_targets WHERE id = target)
      """
    )
    let future = try db.rows(
      """
      SELECT DISTINCT target FROM webhook_events
      WHERE webhook_events.number > (SELECT COALESCE(MAX(newest), 0) FROM webhook_numbers)
      """
    )
    return try totals.map { "webhook \(try $0.value(0, WebhookID.self)) counts other events than wait for it" }
      + strays.map { "events wait for webhook \(try $0.value(0, WebhookID.self)), which is not there" }
      + future.map { "webhook \(try $0.value(0, WebhookID.self)) has events with numbers that none has yet" }
  }
}
