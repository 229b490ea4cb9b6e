// The feature of webhooks on one shard: an operator's backend is told of events from an outbox in the store.
//
// Owned by one shard and used on its queue. Other features add their events to the shard's next commit. The first shard
// has the deliveries. Where no target has asked for a type, an event of it costs one look at an atomic value.
import Game
import Gateway
import Net
import Store

package final class Webhooks: Feature {
  package unowned let gateway: ShardGateway
  let shared: SharedWebhooks
  let notify: @Sendable (OperatorNotification) -> Void
  private let find: @Sendable (ShardCore) -> Webhooks
  /// The counts except for those of the outboxes.
  var counts = WebhookStatistics()
  /// The deliveries; nil but on the first shard.
  private(set) var driver: WebhookDriver?

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Webhooks) {
    self.gateway = gateway
    shared = context.webhooks
    notify = context.notify
    self.find = find
    if gateway.core.index == 0 { driver = WebhookDriver(self, context.configuration.webhookSender) }
  }

  package static var metrics: [Metric] { Metric.ofWebhooks }

  package var shards: ServiceShards<Webhooks> { ServiceShards(gateway.core.siblings, find) }

  package var statistics: WebhookStatistics {
    var statistics = counts
    if let driver { statistics.take(driver.rows, at: gateway.now) }
    return statistics
  }

  // Events.

  /// Whether some target has asked for events of a type.
  func wants(_ type: WebhookEventType) -> Bool { shared.wants(type) }

  /// A number for an event's identifier.
  var eventNumber: UInt128 { gateway.context.drawNumber() }

  /// Adds an event to the shard's next commit.
  func add(_ event: WebhookEvent) {
    gateway.journal.add(WebhookChange.event(event)) { [self] outcome in
      switch outcome {
      case .added(let dropped, let targets):
        counts.dropped += dropped
        if targets > 0 { tellDeliveries() }
      default: counts.lost += 1
      }
    }
  }

  /// Adds an event to the shard's next commit, unless nothing can be committed now: then it is lost, and counted.
  ///
  /// - Returns: whether it was added.
  func offer(_ event: WebhookEvent) -> Bool {
    guard gateway.canPromise else {
      counts.lost += 1
      return false
    }
    add(event)
    return true
  }

  /// Has the deliveries look at their outboxes.
  func tellDeliveries() {
    guard shared.noteAdded() else { return }
    shards[0].post { webhooks in
      webhooks.shared.takeNotice()
      webhooks.driver?.eventsAdded()
    }
  }

  /// Takes the targets as they are in the store now, then calls `completion`; on the first shard.
  func reload(_ completion: @escaping @Sendable (Webhooks) -> Void) {
    let ownShard = ownShard
    gateway.context.store.webhooks { result in
      ownShard.post { webhooks in
        webhooks.driver?.take(result)
        completion(webhooks)
      }
    }
  }
}
