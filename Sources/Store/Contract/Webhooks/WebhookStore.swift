// The targets of webhooks and their outboxes. Part of the contract. They are written by `WebhookChange`.
import Game

/// Targets of webhooks, and the events that wait for them. The calls with a completion return at once, on any thread.
package protocol WebhookStore: Sendable {
  /// All targets with their states, by the times of their addition. Blocks.
  func webhooks() throws(StoreFailure) -> [WebhookRow]

  /// All targets with their states, by the times of their addition.
  func webhooks(_ completion: @escaping Completion<[WebhookRow]>)

  /// The oldest pending events of a target in the order of their numbers: up to `limit` of them, up to the one with the
  /// number `last` (nil: all), and no more than have `bytesMax` together, but one at least. None for an unknown target.
  func pendingWebhookEvents(
    of target: WebhookID,
    through last: Int64?,
    limit: Int,
    bytesMax: Int,
    _ completion: @escaping Completion<[PendingWebhookEvent]>
  )
}
