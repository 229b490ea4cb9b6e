// Changes of the targets of webhooks and of their outboxes. Plain values. Those of operators come with their rows of
// the audit log.
import Game

package enum WebhookChange: Hashable, Sendable {
  /// Adds a target. Outcome `.tooMany` beyond `WebhookTarget.countMax`; nothing is written then, not even into the
  /// audit log.
  case add(WebhookTarget, AuditEntry)
  /// Removes a target and all that waits for it. Outcome `.notFound` for an unknown one; nothing is written then.
  case remove(WebhookID, AuditEntry)
  /// Has a target be sent to as if it had never failed. Outcome `.notFound` for an unknown one; nothing is written
  /// then.
  case enable(WebhookID, AuditEntry)
  /// Adds an event to the outbox of one target, whatever it has asked for. Outcome `.notFound` for an unknown one;
  /// nothing is written then.
  case test(WebhookID, WebhookEvent, AuditEntry)
  /// Adds an event to the outboxes of the targets that have asked for its type, switched off or not. Where pending
  /// events of a target then have more bytes than the store's bound, its oldest ones go, though never the newest. An
  /// event that names players is left out when none of them is known, or when all of them are deleted; the parts that
  /// name others of those are erased. Outcome `.added`.
  case event(WebhookEvent)
  /// Events up to a number have been delivered to a target: they go, and it is failing no more. Outcome `.delivered`,
  /// or `.notFound` for an unknown target.
  case delivered(WebhookID, through: Int64)
  /// A try to deliver has failed. Outcome `.ok`, or `.notFound` for an unknown target.
  case failed(WebhookID, WebhookFailure, switchesOff: Bool)
}

/// The outcome of a change of webhooks.
package enum WebhookOutcome: Hashable, Sendable {
  case ok
  case notFound
  case tooMany
  /// The numbers of events that went because there was no room for a new one, and of outboxes that have it.
  case added(dropped: Int, targets: Int)
  /// The number of events that went because they have been delivered.
  case delivered(Int)
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
