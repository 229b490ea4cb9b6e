// Reads of the targets of webhooks and of their outboxes. Each is a snapshot.
import GRDB
import Game

/// A store whose webhooks are read from an SQLite database.
package protocol WebhookReading: WebhookStore {
  /// Runs `body` on one snapshot of the committed data, and waits for it.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreFailure) -> Value

  /// Runs `body` on a reader's queue, on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension WebhookReading {
  package func webhooks() throws(StoreFailure) -> [WebhookRow] {
    try read { try $0.webhookRows() }
  }

  package func webhooks(_ completion: @escaping Completion<[WebhookRow]>) {
    read(completion) { try $0.webhookRows() }
  }

  package func pendingWebhookEvents(
    of target: WebhookID,
    through last: Int64?,
    limit: Int,
    bytesMax: Int,
    _ completion: @escaping Completion<[PendingWebhookEvent]>
  ) {
    read(completion) { db in
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT webhook_events.number, bytes FROM webhook_events
            WHERE target = ? AND webhook_events.number <= ? AND EXISTS (SELECT 1 FROM webhook_targets WHERE id = target)
            ORDER BY webhook_events.number LIMIT ?
            """
        ),
        arguments: [target, last ?? .max, limit]
      )
      var events: [PendingWebhookEvent] = []
      var byteCount = 0
      while let row = try rows.next() {
        let event = PendingWebhookEvent(number: try row.value(0), bytes: try row.value(1, Blob.self).bytes)
        byteCount += event.bytes.count
        guard events.isEmpty || byteCount <= bytesMax else { break }
        events.append(event)
      }
      return events
    }
  }
}

extension Database {
  func webhookRows() throws -> [WebhookRow] {
    try rows(
      """
      SELECT id, name, url, secret, types, created_at, pending_count, pending_bytes, delivered_count, dropped_count,
        failing_since, failed_at, failure, switched_off_at, switched_off_for,
        (SELECT at FROM webhook_events WHERE target = id ORDER BY number LIMIT 1)
      FROM webhook_targets ORDER BY created_at, id
      """
    ).map { row in
      let target = WebhookTarget(
        id: try row.value(0),
        name: try row.value(1),
        url: try row.value(2),
        secret: try row.value(3),
        types: Set(bits: try row.value(4)),
        createdAt: try row.value(5)
      )
      var status = WebhookRow(target: target)
      status.pendingCount = try row.value(6)
      status.pendingBytes = try row.value(7)
      status.deliveredCount = try row.value(8)
      status.droppedCount = try row.value(9)
      status.failingSince = try row.value(10)
      status.lastFailure = try row.failure(at: 11)
      status.switchedOff = try row.failure(at: 13)
      status.oldestAt = try row.value(15)
      return status
    }
  }
}

extension Row {
  /// A failure in two columns, the time and the reason; nil without one.
  fileprivate func failure(at index: Int) throws -> WebhookFailure? {
    guard let at: Instant = try value(index, Instant?.self) else { return nil }
    return WebhookFailure(at: at, text: try value(index + 1))
  }
}
