// The view of webhooks: targets, what waits for them, and the state of their deliveries. Pure; the store's rows become
// messages on the operators' shard. It has no secret.
import ConsoleProtocol
import Game
import Store

extension WebhookRow {
  private func message(withPath: Bool) -> FeedWebhookList.Row {
    .with {
      $0.webhook = target.id.description
      $0.url = withPath ? target.url : target.origin
      if !target.name.isEmpty { $0.name = target.name }
      $0.events = target.types.sorted().map(\.name)
      $0.createdAtMs = target.createdAt.milliseconds
      $0.pending = pendingCount
      $0.pendingBytes = pendingBytes
      if let oldestAt { $0.oldestAtMs = oldestAt.milliseconds }
      $0.delivered = deliveredCount
      $0.dropped = droppedCount
      if let failingSince { $0.failingSinceMs = failingSince.milliseconds }
      if let lastFailure {
        $0.failedAtMs = lastFailure.at.milliseconds
        $0.failure = lastFailure.text
      }
      if let switchedOff {
        $0.switchedOffAtMs = switchedOff.at.milliseconds
        $0.switchedOff = switchedOff.text
      }
    }
  }

  /// The list, or the store's failure. A path may be a secret, so only those who can set one see it.
  static func list(_ rows: Result<[WebhookRow], StoreFailure>, for identity: OperatorIdentity) -> FeedWebhookList {
    let withPath = identity.may(.addWebhook)
    return .with {
      switch rows {
      case .success(let rows): $0.rows = rows.map { $0.message(withPath: withPath) }
      case .failure(let failure): $0.error = "\(failure)"
      }
    }
  }
}
