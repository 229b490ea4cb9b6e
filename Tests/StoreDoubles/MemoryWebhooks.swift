// Webhooks of the double: their targets and outboxes. A value, part of the tables.
import Game
import Store

struct MemoryWebhooks: Sendable {
  private struct Entry {
    var row: WebhookRow
    /// In the order of their numbers.
    var events: [(number: Int64, players: Set<PlayerID>, event: WebhookEvent)] = []

    mutating func removeEvents(through last: Int64) -> Int {
      let count = events.prefix { $0.number <= last }.count
      events.removeFirst(count)
      return count
    }

    var bytes: Int64 { events.reduce(0) { $0 + Int64($1.event.bytes.count) } }
  }

  /// The bytes of pending events that a target may have.
  var bytesMax = Int64(WebhookTarget.pendingBytesMax)
  private var entries: [WebhookID: Entry] = [:]
  private var newest: Int64 = 0

  var rows: [WebhookRow] {
    entries.values.map { entry in
      var row = entry.row
      row.pendingCount = Int64(entry.events.count)
      row.pendingBytes = entry.bytes
      row.oldestAt = entry.events.first?.event.at
      return row
    }.sorted { ($0.target.createdAt, $0.target.id) < ($1.target.createdAt, $1.target.id) }
  }

  func knows(_ id: WebhookID) -> Bool { entries[id] != nil }

  mutating func add(_ target: WebhookTarget) -> WebhookOutcome {
    guard entries.count < WebhookTarget.countMax else { return .tooMany }
    entries[target.id] = Entry(row: WebhookRow(target: target))
    return .ok
  }

  mutating func remove(_ id: WebhookID) { entries[id] = nil }

  mutating func enable(_ id: WebhookID) {
    entries[id]?.row.failingSince = nil
    entries[id]?.row.switchedOff = nil
  }

  /// Adds an event that names these players to the outboxes of some targets.
  mutating func add(
    _ event: WebhookEvent,
    naming players: Set<PlayerID>,
    where isMeant: (WebhookTarget) -> Bool
  ) -> WebhookOutcome {
    let targets = entries.keys.filter { entries[$0].map { isMeant($0.row.target) } ?? false }
    guard !targets.isEmpty else { return .added(dropped: 0, targets: 0) }
    newest += 1
    var dropped = 0
    for id in targets {
      guard var entry = entries[id] else { continue }
      entry.events.append((newest, players, event.erasing(event.players.filter { !players.contains($0) })))
      while entry.bytes > bytesMax, entry.events.count > 1 {
        entry.events.removeFirst()
        entry.row.droppedCount += 1
        dropped += 1
      }
      entries[id] = entry
    }
    return .added(dropped: dropped, targets: targets.count)
  }

  mutating func noteDelivery(to id: WebhookID, through last: Int64) -> WebhookOutcome {
    guard let count = entries[id]?.removeEvents(through: last) else { return .notFound }
    entries[id]?.row.deliveredCount += Int64(count)
    entries[id]?.row.failingSince = nil
    return .delivered(count)
  }

  mutating func note(_ failure: WebhookFailure, of id: WebhookID, switchesOff: Bool) -> WebhookOutcome {
    guard var row = entries[id]?.row else { return .notFound }
    row.failingSince = row.failingSince ?? failure.at
    row.lastFailure = failure
    if switchesOff { row.switchedOff = failure }
    entries[id]?.row = row
    return .ok
  }

  mutating func forget(_ player: PlayerID) {
    for id in entries.keys {
      entries[id]?.events.removeAll { $0.players.contains(player) && $0.event.parts[player] == nil }
      guard var events = entries[id]?.events else { continue }
      for index in events.indices where events[index].players.remove(player) != nil {
        events[index].event = events[index].event.erasing([player])
      }
      entries[id]?.events = events
    }
  }

  func pending(of id: WebhookID, through last: Int64, limit: Int, bytesMax: Int) -> [PendingWebhookEvent] {
    var (pending, byteCount): ([PendingWebhookEvent], Int) = ([], 0)
    for event in (entries[id]?.events ?? []).prefix(limit) where event.number <= last {
      byteCount += event.event.bytes.count
      guard pending.isEmpty || byteCount <= bytesMax else { break }
      pending.append(PendingWebhookEvent(number: event.number, bytes: event.event.bytes))
    }
    return pending
  }
}

extension MemoryWebhooks {
  /// Writes a change; `audit` gets the entry of an operator's action.
  mutating func write(
    _ change: WebhookChange,
    _ players: [PlayerID: MemoryTables.PlayerEntry],
    _ erasures: [PlayerID: MemoryTables.ErasureEntry],
    _ audit: inout [AuditEntry]
  ) -> WebhookOutcome {
    switch change {
    case .add(let target, let entry):
      guard !knows(target.id) else { return .ok }
      let outcome = add(target)
      if outcome == .ok { audit.append(entry) }
      return outcome
    case .remove(let id, let entry): return changeTarget(id, entry, &audit) { $0.remove(id) }
    case .enable(let id, let entry): return changeTarget(id, entry, &audit) { $0.enable(id) }
    case .test(let id, let event, let entry):
      return changeTarget(id, entry, &audit) { _ = $0.add(event, naming: []) { $0.id == id } }
    case .event(let event):
      // It may name players who are known, and not marked for erasure.
      let named = Set(event.players).filter { players[$0] != nil || erasures[$0].map { $0.ended == nil } ?? false }
      guard !named.isEmpty || event.players.isEmpty else { return .added(dropped: 0, targets: 0) }
      return add(event, naming: named) { $0.types.contains(event.type) }
    case .delivered(let id, let last): return noteDelivery(to: id, through: last)
    case .failed(let id, let failure, let switchesOff): return note(failure, of: id, switchesOff: switchesOff)
    }
  }

  private mutating func changeTarget(
    _ id: WebhookID,
    _ entry: AuditEntry,
    _ audit: inout [AuditEntry],
    _ body: (inout MemoryWebhooks) -> Void
  ) -> WebhookOutcome {
    guard knows(id) else { return .notFound }
    body(&self)
    audit.append(entry)
    return .ok
  }
}
