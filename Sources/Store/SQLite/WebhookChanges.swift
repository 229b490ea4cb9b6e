// Changes of the targets of webhooks, in a batch. Inside its transaction.
import GRDB
import Game

struct WebhookWriting {
  let batch: BatchWriting

  private var db: Database { batch.db }

  func write(_ change: WebhookChange) throws -> WebhookOutcome {
    switch change {
    case .add(let target, let entry): return try add(target, entry)
    case .remove(let id, let entry):
      return try changeTarget(id, entry) {
        try db.run("DELETE FROM webhook_targets WHERE id = ?", id)
        try db.run("INSERT INTO removed_webhook_targets (id) VALUES (?)", id)
      }
    case .enable(let id, let entry):
      return try changeTarget(id, entry) {
        try db.run(
          """
          UPDATE webhook_targets SET failing_since = NULL, switched_off_at = NULL, switched_off_for = NULL WHERE id = ?
          """,
          id
        )
      }
    case .test(let id, let event, let entry):
      return try changeTarget(id, entry) {
        let number = try db.nextWebhookNumber()
        _ = try WebhookOutbox(db: db).add(event, number, [], to: id, bytesMax: batch.webhookBytesMax)
      }
    case .event(let event): return try add(event)
    case .delivered(let id, let last):
      guard try knowsTarget(id) else { return .notFound }
      return .delivered(try WebhookOutbox(db: db).noteDelivery(to: id, through: last))
    case .failed(let id, let failure, let switchesOff): return try note(failure, of: id, switchesOff: switchesOff)
    }
  }

  private func knowsTarget(_ id: WebhookID) throws -> Bool {
    try db.finds("SELECT 1 FROM webhook_targets WHERE id = ?", id)
  }

  /// Does something with a known target, and writes that into the audit log.
  private func changeTarget(_ id: WebhookID, _ entry: AuditEntry, _ body: () throws -> Void) throws -> WebhookOutcome {
    guard try knowsTarget(id) else { return .notFound }
    try body()
    try batch.write(entry)
    return .ok
  }

  private func add(_ target: WebhookTarget, _ entry: AuditEntry) throws -> WebhookOutcome {
    guard try !knowsTarget(target.id) else { return .ok }
    let count: Int = try db.rows("SELECT COUNT(*) FROM webhook_targets")[0].value(0)
    guard count < WebhookTarget.countMax else { return .tooMany }
    try db.run(
      "INSERT INTO webhook_targets (id, name, url, secret, types, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      target.id,
      target.name,
      target.url,
      target.secret,
      target.types.bits,
      target.createdAt
    )
    try batch.write(entry)
    return .ok
  }

  private func add(_ event: WebhookEvent) throws -> WebhookOutcome {
    let targets = try db.rows("SELECT id FROM webhook_targets WHERE types & ? <> 0 ORDER BY id", Set([event.type]).bits)
    guard !targets.isEmpty else { return .added(dropped: 0, targets: 0) }
    let players = try Set(event.players).filter { try db.mayBeNamed($0) }
    guard !players.isEmpty || event.players.isEmpty else { return .added(dropped: 0, targets: 0) }
    let event = event.erasing(event.players.filter { !players.contains($0) })
    let number = try db.nextWebhookNumber()
    let outbox = WebhookOutbox(db: db)
    let dropped = try targets.reduce(0) { count, row in
      count + (try outbox.add(event, number, players, to: row.value(0), bytesMax: batch.webhookBytesMax))
    }
    return .added(dropped: dropped, targets: targets.count)
  }

  private func note(_ failure: WebhookFailure, of id: WebhookID, switchesOff: Bool) throws -> WebhookOutcome {
    let changed = try db.run(
      """
      UPDATE webhook_targets SET failing_since = COALESCE(failing_since, ?), failed_at = ?, failure = ? WHERE id = ?
      """,
      failure.at,
      failure.at,
      failure.text,
      id
    )
    guard changed > 0 else { return .notFound }
    if switchesOff {
      try db.run(
        "UPDATE webhook_targets SET switched_off_at = ?, switched_off_for = ? WHERE id = ?",
        failure.at,
        failure.text,
        id
      )
    }
    return .ok
  }
}

extension Database {
  fileprivate func nextWebhookNumber() throws -> Int64 {
    try run("UPDATE webhook_numbers SET newest = newest + 1")
    return try rows("SELECT newest FROM webhook_numbers")[0].value(0)
  }

  /// Whether an event may name a player: one who is known, and not marked for erasure.
  fileprivate func mayBeNamed(_ player: PlayerID) throws -> Bool {
    try finds(
      """
      SELECT 1 FROM players WHERE id = ? AND NOT EXISTS (
        SELECT 1 FROM erasures WHERE erasures.player = players.id AND last_segment IS NOT NULL)
      """,
      player
    )
  }
}
