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
  private var keptTimer: UInt64 = 0
  /// The number of events that wait for a commit of their own, behind kept ones.
  private var addedBehindKept = 0
  /// The pause between two looks at whether kept events can be committed.
  private static let keptMs: Int64 = 500

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Webhooks) {
    self.gateway = gateway
    shared = context.webhooks
    notify = context.notify
    self.find = find
    guard gateway.core.index == 0 else { return }
    driver = WebhookDriver(self, context.configuration.webhookSender)
    keptTimer = gateway.addTimer { [unowned self] in writeKept() }
  }

  package static var metrics: [Metric] { Metric.ofWebhooks }
  package static var budgets: [Budget] { Budget.ofWebhooks }

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

  /// Adds an event of some players to the shard's next commit, which has what it tells of. Where events are kept, those
  /// of the same players go before it in that commit.
  func add(_ event: WebhookEvent, of players: [PlayerID]) {
    guard !gateway.canPromise || shared.kept.areWaiting || addedBehindKept > 0 else { return add(event) }
    let kept = shared.kept
    let (place, isFirst) = kept.takePlace()
    addedBehindKept += 1
    let commitAction: GroupCommit.CommitAction = { _ in
      (kept.take(of: Set(players), beforePlace: place) + [event]).map { WebhookChange.event($0).change }
    }
    gateway.journal.add(action: commitAction) { [self] in
      addedBehindKept -= 1
      tellDeliveries()
    }
    if isFirst { shards[0].post { $0.writeKept() } }
  }

  private func add(_ event: WebhookEvent) {
    gateway.journal.add(WebhookChange.event(event)) { [self] outcome in
      switch outcome {
      case .added(let dropped, let targets):
        counts.dropped += dropped
        if targets > 0 { tellDeliveries() }
      default: counts.lost += 1
      }
    }
  }

  /// Adds an event to the shard's next commit. While nothing can be committed it is kept in memory instead, and behind
  /// it all that follow until it is committed; the oldest go where there is no more room, and are counted.
  ///
  /// - Returns: whether it was added.
  func offer(_ event: WebhookEvent) -> Bool {
    guard !gateway.canPromise || shared.kept.areWaiting else {
      add(event, of: event.players)
      return true
    }
    let (dropped, isFirst) = shared.kept.keep(event)
    counts.lost += dropped
    for _ in 0..<dropped { gateway.budgets.noteRefusal(.keptEvents) }
    if isFirst { shards[0].post { $0.writeKept() } }
    return false
  }

  /// Writes down the kept events when that is possible, some at a time; on the first shard.
  private func writeKept() {
    guard gateway.canPromise else { return awaitKept() }
    let kept = shared.kept
    // Taken when the commit is made, so that no other one gets ahead of them.
    let commitAction: GroupCommit.CommitAction = { _ in kept.take().map { WebhookChange.event($0).change } }
    gateway.journal.add(action: commitAction) { [unowned self] in
      tellDeliveries()
      guard !kept.end() else { return }
      if kept.mayBeTaken { writeKept() } else { awaitKept() }
    }
  }

  private func awaitKept() {
    _ = gateway.core.setTimer(keptTimer, at: gateway.core.now.advanced(milliseconds: Self.keptMs))
  }

  /// Writes down all kept events, if that is possible: the server may be ending.
  package func writeDown() {
    guard driver != nil, gateway.canPromise else { return }
    let kept = shared.kept
    let commitAction: GroupCommit.CommitAction = { _ in kept.takeAll().map { WebhookChange.event($0).change } }
    gateway.journal.add(action: commitAction) {}
  }

  /// Counts an event that nobody will be told of, because its player or address has used up its budget.
  func noteOverBudget() { counts.overBudget += 1 }

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
