// Reads of operators: sanctions in force, the audit log. Runs on readers' queues, beside the writer.
import GRDB
import Game

/// A store whose sanctions and audit log are read from an SQLite database.
package protocol OperatorReading: OperatorStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension SQLiteStore: OperatorReading {}

extension OperatorReading {
  package func sanctions(at now: Instant, limit: Int, _ completion: @escaping Completion<[SanctionRow]>) {
    read(completion) { db in
      try db.rows(
        """
        SELECT sanctions.player, sanctions.kind, sanctions.since, sanctions.until, sanctions.reason, players.nickname,
          address_bans.network, address_bans.room, address_bans.until
        FROM sanctions LEFT JOIN players ON players.id = sanctions.player
          LEFT JOIN address_bans ON address_bans.player = sanctions.player AND sanctions.kind = 'ban'
            AND address_bans.until > ?
        WHERE sanctions.until IS NULL OR sanctions.until > ?
        ORDER BY sanctions.since DESC, sanctions.player, sanctions.kind LIMIT ?
        """,
        now,
        now,
        max(0, limit)
      ).map(SanctionRow.init(row:))
    }
  }

  package func audit(before number: Int64?, limit: Int, _ completion: @escaping Completion<[AuditRow]>) {
    read(completion) { db in
      try db.rows(
        "\(AuditRow.query) WHERE audit.number < ? ORDER BY audit.number DESC LIMIT ?",
        number ?? .max,
        max(0, limit)
      ).map(AuditRow.init(row:))
    }
  }
}

extension Database {
  /// The sanctions of a player by kind: those in force at a moment, or with nil all that are stored.
  func sanctions(of player: PlayerID, at now: Instant?) throws -> [Sanction] {
    func isShown(until end: Instant?) -> Bool {
      guard let now, let end else { return true }
      return now < end
    }
    let stored = try row("SELECT network, room, until FROM address_bans WHERE player = ?", player).map {
      AddressBan(
        network: try $0.value(0, Blob.self).bytes,
        room: try $0.value(1, RoomID?.self),
        until: try $0.value(2)
      )
    }
    let addressBan = stored.flatMap { isShown(until: $0.until) ? $0 : nil }
    return try rows(
      "SELECT kind, since, until, reason FROM sanctions WHERE player = ? ORDER BY kind",
      player
    ).map { row in
      let kind: SanctionKind = try row.value(0)
      return Sanction(
        player: player,
        kind: kind,
        since: try row.value(1),
        until: try row.value(2, Instant?.self),
        reason: try row.value(3),
        addressBan: kind == .ban ? addressBan : nil
      )
    }.filter { isShown(until: $0.until) }
  }
}

extension StoreCheck {
  /// The faults of the audit log; rows of it are never deleted.
  func brokenAudit() throws -> [String] {
    let row = try db.rows("SELECT COUNT(*), COALESCE(MAX(number), 0) FROM audit")[0]
    let missing = try row.value(1, Int64.self) - row.value(0, Int64.self)
    return missing == 0 ? [] : ["the audit log lacks \(missing) of its rows"]
  }
}

extension SanctionRow {
  fileprivate init(row: Row) throws {
    let sanction = Sanction(
      player: try row.value(0),
      kind: try row.value(1),
      since: try row.value(2),
      until: try row.value(3, Instant?.self),
      reason: try row.value(4),
      addressBan: try row.value(6, Blob?.self).map {
        AddressBan(network: $0.bytes, room: try row.value(7, RoomID?.self), until: try row.value(8))
      }
    )
    self.init(sanction, nickname: try row.value(5, String?.self))
  }
}

extension AuditRow {
  static let query = """
    SELECT audit.number, audit.at, audit.address, audit.action, audit.player, audit.room, audit.detail, players.nickname,
      audit.operator, audit.code, audit.reason
    FROM audit LEFT JOIN players ON players.id = audit.player
      AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
    """

  init(row: Row) throws {
    let entry = AuditEntry(
      at: try row.value(1),
      address: try row.value(2),
      operator: try row.value(8),
      action: try row.value(3),
      player: try row.value(4, PlayerID?.self),
      room: try row.value(5, RoomID?.self),
      code: try row.value(9, String?.self),
      detail: try row.value(6),
      reason: try row.value(10)
    )
    self.init(entry, number: try row.value(0), nickname: try row.value(7, String?.self))
  }
}
