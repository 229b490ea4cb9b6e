// The deliveries to all targets of webhooks: it reads outboxes, sends, commits outcomes and waits, as the machine of
// each target says.
//
// Owned by the first shard and used on its queue, which it never holds up: the store is read on threads of its own,
// and requests are the sender's.
import Game
import Gateway
import Net
import Store

final class WebhookDriver {
  private struct Entry {
    let target: WebhookTarget
    var delivery: WebhookDelivery
    /// The time at which it is called next; nil where it waits for something else.
    var due: Timestamp?
    /// The last event of a delivery that could not be committed yet.
    var unnoted: Int64?
  }

  /// The pause between two looks at the totals of outboxes, for metrics.
  private static let statusSeconds: Int64 = 5
  /// The pause before a delivery is committed once more.
  private static let unnotedMs: Int64 = 1_000

  private unowned let webhooks: Webhooks
  /// Nil where nothing is sent: events wait.
  private let sender: (any WebhookSender)?
  private var entries: [WebhookID: Entry] = [:]
  private var timer: UInt64 = 0
  private var statusTimer: UInt64 = 0
  private var isStatusDue = false
  /// The states as of the last look.
  private(set) var rows: [WebhookRow] = []

  private var gateway: ShardGateway { webhooks.gateway }

  init(_ webhooks: Webhooks, _ sender: (any WebhookSender)?) {
    self.webhooks = webhooks
    self.sender = sender
    timer = webhooks.gateway.addTimer { [unowned self] in callDue() }
    statusTimer = webhooks.gateway.addTimer { [unowned self] in
      isStatusDue = false
      webhooks.reload { _ in }
    }
  }

  // Targets.

  /// Takes the targets as they are in the store now: forgets removed ones, and begins with new ones.
  func take(_ rows: [WebhookRow]) {
    self.rows = rows
    webhooks.shared.set(rows)
    let known = Set(rows.map(\.target.id))
    for id in entries.keys where !known.contains(id) { entries[id] = nil }
    for row in rows where entries[row.target.id] == nil {
      entries[row.target.id] = Entry(target: row.target, delivery: WebhookDelivery(row))
      step(row.target.id) { $0.eventsAdded() }
    }
    awaitStatus()
  }

  /// Takes the targets as they were read. A store that can't be read leaves them as they are, and is asked again.
  func take(_ result: Result<[WebhookRow], StoreFailure>) {
    if case .success(let rows) = result { take(rows) } else { awaitStatus(always: true) }
  }

  private func awaitStatus(always: Bool = false) {
    guard !isStatusDue, always || !entries.isEmpty else { return }
    isStatusDue = true
    _ = gateway.core.setTimer(statusTimer, at: gateway.core.now.advanced(seconds: Self.statusSeconds))
  }

  func enable(_ id: WebhookID) {
    step(id) { $0.enable() }
  }

  // Deliveries.

  /// Events were added to outboxes.
  func eventsAdded() {
    for id in entries.keys.sorted() { step(id) { $0.eventsAdded() } }
  }

  /// Has a delivery take something, and does what it says.
  private func step(_ id: WebhookID, _ body: (inout WebhookDelivery) -> [WebhookDelivery.Step]) {
    guard sender != nil, var entry = entries[id] else { return }
    let steps = body(&entry.delivery)
    entries[id] = entry
    for step in steps { take(step, entry.target) }
  }

  private func take(_ step: WebhookDelivery.Step, _ target: WebhookTarget) {
    switch step {
    case .read(let last): read(target.id, through: last)
    case .send(let batch): send(batch, to: target)
    case .noteDelivery(let last): noteDelivery(to: target.id, through: last)
    case .noteFailure(let failure, let switchesOff):
      webhooks.counts.failures += 1
      if switchesOff { webhooks.notify(.webhookSwitchedOff(target.id, failure.text)) }
      // While the store fails, the next failure is as good.
      guard switchesOff || gateway.canPromise else { return }
      gateway.journal.add(WebhookChange.failed(target.id, failure, switchesOff: switchesOff))
    case .wait(let ms): wait(ms, target.id)
    }
  }

  private func wait(_ ms: Int64, _ id: WebhookID) {
    entries[id]?.due = gateway.core.now.advanced(milliseconds: ms)
    _ = gateway.core.setTimer(timer, at: gateway.core.now.advanced(milliseconds: ms))
  }

  /// Commits a delivery, apart from what the shards commit: a store at its bound refuses that, and takes what only
  /// removes rows.
  private func noteDelivery(to id: WebhookID, through last: Int64) {
    let ownShard = webhooks.ownShard
    let batch = Batch(at: gateway.now, changes: [WebhookChange.delivered(id, through: last).change])
    gateway.context.store.commit(batch) { result in
      ownShard.post { $0.driver?.deliveryNoted(result, of: id, through: last) }
    }
  }

  private func deliveryNoted(_ result: Result<[Outcome], StoreFailure>, of id: WebhookID, through last: Int64) {
    guard case .success(let outcomes) = result, let outcome = outcomes.first.map({ WebhookChange.outcome(in: $0) })
    else {
      entries[id]?.unnoted = last
      return wait(Self.unnotedMs, id)
    }
    if case .delivered(let count) = outcome { webhooks.counts.delivered += count }
    step(id) { $0.deliveryNoted(outcome) }
  }

  private func read(_ id: WebhookID, through last: Int64?) {
    let ownShard = webhooks.ownShard
    gateway.context.store.pendingWebhookEvents(
      of: id,
      through: last,
      limit: WebhookDelivery.eventsMax,
      bytesMax: WebhookBatch.eventBytesMax
    ) { result in
      ownShard.post { $0.driver?.step(id) { $0.eventsRead(result) } }
    }
  }

  private func send(_ batch: WebhookBatch, to target: WebhookTarget) {
    let ownShard = webhooks.ownShard
    let request = WebhookRequest(
      url: target.url,
      id: batch.id(for: target.id),
      timestampS: gateway.now.milliseconds / 1_000,
      secret: target.secret,
      body: batch.body
    )
    sender?.send(request) { response in
      ownShard.post { webhooks in
        let gateway = webhooks.gateway
        let (now, random) = (gateway.context.expiry.now(gateway.now), gateway.context.drawNumber(UInt64.self))
        webhooks.driver?.step(target.id) { $0.answered(response, at: now, random: random) }
      }
    }
  }

  private func callDue() {
    let now = gateway.core.now
    for id in entries.keys.sorted() {
      guard let due = entries[id]?.due, due <= now else { continue }
      entries[id]?.due = nil
      if let last = entries[id]?.unnoted {
        entries[id]?.unnoted = nil
        noteDelivery(to: id, through: last)
      } else {
        step(id) { $0.timerFired() }
      }
    }
  }
}
