// The outboxes of webhooks' targets: events that come, are delivered, are dropped and are erased. Runs on the writer's
// queue, inside a transaction. Each step keeps the totals in the target's row.
// Decisions: 113 (docs/decisions).
import GRDB
import Game

struct WebhookOutbox {
  private static let dropsAtOnce = 64

  let db: Database

  /// Adds an event that names these players. Returns the number of old events that went because there was no room.
  func add(
    _ event: WebhookEvent,
    _ number: Int64,
    _ players: Set<PlayerID>,
    to target: WebhookID,
    bytesMax: Int64
  ) throws -> Int {
    try db.run(
      "INSERT INTO webhook_events (target, number, at, bytes) VALUES (?, ?, ?, ?)",
      target,
      number,
      event.at,
      Blob(event.bytes)
    )
    for player in players {
      let part = event.parts[player]
      try db.run(
        "INSERT INTO webhook_names (target, number, player, first_byte, byte_count) VALUES (?, ?, ?, ?, ?)",
        target,
        number,
        player,
        part?.lowerBound,
        part?.count
      )
    }
    try change(target, count: 1, bytes: Int64(event.bytes.count))
    return try dropOldest(of: target, before: number, bytesMax: bytesMax)
  }

  /// Deletes the oldest events until the others have no more bytes than the bound, or until the newest one.
  private func dropOldest(of target: WebhookID, before newest: Int64, bytesMax: Int64) throws -> Int {
    let pending = try db.row("SELECT pending_bytes FROM webhook_targets WHERE id = ?", target)
    var excess = try (pending?.value(0, Int64.self) ?? 0) - bytesMax
    var dropped = 0
    while excess > 0 {
      let oldest = try db.rows(
        "SELECT number, length(bytes) FROM webhook_events WHERE target = ? AND number < ? ORDER BY number LIMIT ?",
        target,
        newest,
        Self.dropsAtOnce
      )
      guard !oldest.isEmpty else { break }
      var last: Int64 = 0
      for row in oldest where excess > 0 {
        last = try row.value(0)
        excess -= try row.value(1, Int64.self)
      }
      dropped += try delete(of: target, through: last)
    }
    if dropped > 0 {
      try db.run("UPDATE webhook_targets SET dropped_count = dropped_count + ? WHERE id = ?", dropped, target)
    }
    return dropped
  }

  /// Deletes events up to a number that have been delivered; returns how many there were.
  func noteDelivery(to target: WebhookID, through last: Int64) throws -> Int {
    let count = try delete(of: target, through: last)
    try db.run(
      "UPDATE webhook_targets SET delivered_count = delivered_count + ?, failing_since = NULL WHERE id = ?",
      count,
      target
    )
    return count
  }

  private func delete(of target: WebhookID, through last: Int64) throws -> Int {
    let sum = try db.rows(
      "SELECT length(bytes) FROM webhook_events WHERE target = ? AND number <= ?",
      target,
      last
    )
    let bytes = try sum.reduce(0) { try $0 + $1.value(0, Int64.self) }
    try db.run("DELETE FROM webhook_events WHERE target = ? AND number <= ?", target, last)
    try change(target, count: -Int64(sum.count), bytes: -bytes)
    return sum.count
  }

  private func change(_ target: WebhookID, count: Int64, bytes: Int64) throws {
    try db.run(
      "UPDATE webhook_targets SET pending_count = pending_count + ?, pending_bytes = pending_bytes + ? WHERE id = ?",
      count,
      bytes,
      target
    )
  }

  /// Erases a player from events: overwrites the parts that name them, and deletes the events that are theirs as a
  /// whole. Returns the number of events, at most one piece.
  func forget(_ player: PlayerID, rowsAtOnce: Int) throws -> Int {
    let named = try db.rows(
      """
      SELECT webhook_events.target, webhook_events.number, bytes, first_byte, byte_count FROM webhook_names
      JOIN webhook_events ON webhook_events.target = webhook_names.target
        AND webhook_events.number = webhook_names.number
      WHERE webhook_names.player = ? LIMIT ?
      """,
      player,
      rowsAtOnce
    )
    for row in named {
      let (target, number): (WebhookID, Int64) = (try row.value(0), try row.value(1))
      var bytes = try row.value(2, Blob.self).bytes
      if let first: Int = try row.value(3, Int?.self), let count: Int = try row.value(4, Int?.self),
        WebhookEvent.erase(first..<first + count, in: &bytes)
      {
        try db.run(
          "UPDATE webhook_events SET bytes = ? WHERE target = ? AND number = ?",
          Blob(bytes),
          target,
          number
        )
        try db.run(
          "DELETE FROM webhook_names WHERE target = ? AND number = ? AND player = ?",
          target,
          number,
          player
        )
      } else {
        try db.run("DELETE FROM webhook_events WHERE target = ? AND number = ?", target, number)
        try change(target, count: -1, bytes: -Int64(bytes.count))
      }
    }
    return named.count
  }
}

extension Forgetting {
  /// Deletes pending events of removed targets; returns the number of rows, at most one piece.
  func dropWebhookEvents() throws -> Int {
    guard let id: WebhookID = try db.row("SELECT id FROM removed_webhook_targets LIMIT 1")?.value(0) else { return 0 }
    let events = try db.run(
      """
      DELETE FROM webhook_events WHERE target = ?
        AND number IN (SELECT number FROM webhook_events WHERE target = ? ORDER BY number LIMIT ?)
      """,
      id,
      id,
      Self.rowsAtOnce
    )
    if events < Self.rowsAtOnce { try db.run("DELETE FROM removed_webhook_targets WHERE id = ?", id) }
    return events + 1
  }
}
