// Webhooks of a run: the target in the store, and the end, when nothing waits any more.
import Game
import Net
import Store

extension World {
  /// Waits until the outbox is empty, and checks that nothing was lost.
  func checkWebhooks() throws(BrokenRule) {
    guard plan.tellsWebhooks else { return }
    // The longest wait between two tries is that after the faults of a run.
    let isEmpty = try pass(until: now.advanced(seconds: 400)) { () throws(BrokenRule) in
      store.pendingWebhookEvents == 0
    }
    try BrokenRule.unless(isEmpty, .webhooksKept, "\(store.pendingWebhookEvents) events wait for ever")
    try backend.finish(&report)
  }
}

extension FaultyStore {
  /// Adds the target of a run, as before the first start.
  func addWebhook(at now: Instant) {
    let entry = AuditEntry(at: now, address: "127.0.0.1", action: "addWebhook", detail: "")
    inner.commit(Batch(at: now, changes: [WebhookChange.add(WebhookReferee.target, entry).change])) { _ in }
  }

  /// The number of events that wait.
  var pendingWebhookEvents: Int64 {
    do throws(StoreFailure) {
      return try inner.webhooks().reduce(0) { $0 + $1.pendingCount }
    } catch {
      preconditionFailure("memory can be read: \(error)")
    }
  }
}
