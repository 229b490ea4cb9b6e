// Additions and removals of targets of webhooks in the running server, and tries of them.
//
// The commit is the first shard's, like other actions', and the deliveries are there too: the operator is answered when
// they know of it.
import Game
import Gateway
import HTTPClient
import Store

extension GameServer {
  func addWebhook(_ offered: OfferedWebhook, _ task: OperatorTask) {
    if let fault = context.configuration.webhookSender?.fault(ofURL: offered.url) {
      return services[0].post { _ in task.refuse(fault.text, code: fault.code) }
    }
    begin(task) { service in
      let now = service.gateway.now
      let target = WebhookTarget(
        id: WebhookID(service.gateway.context.drawNumber()),
        name: offered.name,
        url: offered.url,
        secret: WebhookSecret.make().text,
        types: offered.types,
        createdAt: now
      )
      let entry = task.entry(at: now, detail: target.auditText)
      service.gateway.journal.add(WebhookChange.add(target, entry)) { outcome in
        switch outcome {
        case .ok:
          self.context.notify(.operatorActed(.addedWebhook(target.id)))
          service.webhooks.reload { _ in task.added(target) }
        case .tooMany:
          let why = "there are \(WebhookTarget.countMax) webhooks already: remove one first"
          task.refuse(why, code: "TOO_MANY_WEBHOOKS")
        default: task.refuseForDamage()
        }
      }
    }
  }

  func removeWebhook(_ id: WebhookID, _ task: OperatorTask) {
    change(id, { .remove(id, $0) }, .removedWebhook(id), task) { webhooks in
      webhooks.reload { _ in task.done("webhook \(id) is removed, and all that waited for it") }
    }
  }

  func enableWebhook(_ id: WebhookID, _ task: OperatorTask) {
    begin(task) { service in
      let webhooks = service.webhooks
      let change = WebhookChange.enable(id, task.entry(at: webhooks.gateway.now))
      self.commit(change, id, .enabledWebhook(id), task, webhooks) { webhooks in
        webhooks.reload { _ in task.done("webhook \(id) is enabled") }
      }
      // Together with the change, so that the store and the deliveries have enabling and switching off in one order.
      webhooks.driver?.enable(id)
    }
  }

  func testWebhook(_ id: WebhookID, _ task: OperatorTask) {
    let test: @Sendable (Webhooks, AuditEntry) -> WebhookChange = { webhooks, entry in
      .test(id, .test(webhooks.eventNumber, at: entry.at), entry)
    }
    begin(task) { service in
      let webhooks = service.webhooks
      self.commit(test(webhooks, task.entry(at: webhooks.gateway.now)), id, .testedWebhook(id), task, webhooks) {
        $0.tellDeliveries()
        task.done("a test event waits for webhook \(id)")
      }
    }
  }

  /// Changes a known target, then calls `body` on the first shard.
  private func change(
    _ id: WebhookID,
    _ change: @escaping @Sendable (AuditEntry) -> WebhookChange,
    _ performed: PerformedAction,
    _ task: OperatorTask,
    then body: @escaping @Sendable (Webhooks) -> Void
  ) {
    begin(task) { service in
      let webhooks = service.webhooks
      self.commit(change(task.entry(at: webhooks.gateway.now)), id, performed, task, webhooks, then: body)
    }
  }

  private func commit(
    _ change: WebhookChange,
    _ id: WebhookID,
    _ performed: PerformedAction,
    _ task: OperatorTask,
    _ webhooks: Webhooks,
    then body: @escaping (Webhooks) -> Void
  ) {
    webhooks.gateway.journal.add(change) { outcome in
      switch outcome {
      case .ok:
        self.context.notify(.operatorActed(performed))
        body(webhooks)
      case .notFound: task.refuse("there is no webhook \(id)", code: "WEBHOOK_NOT_FOUND")
      default: task.refuseForDamage()
      }
    }
  }
}
