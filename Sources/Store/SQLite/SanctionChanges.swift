// Sanctions and the audit log. Part of `BatchWriting`. The batch's expiry time decides which sanctions are in force for
// all of its changes.
// Decisions: 071, 073 (docs/decisions).
import GRDB
import Game

extension BatchWriting {
  func write(_ change: SanctionChange) throws -> SanctionOutcome {
    switch change {
    case .put(let sanction, let entry): try put(sanction, entry)
    case .lift(let player, let kind, let at, let entry): try lift(kind, from: player, at: at, entry)
    }
  }

  private func put(_ sanction: Sanction, _ entry: AuditEntry) throws -> SanctionOutcome {
    guard try exists(sanction.player) else { return .notFound }
    try db.run("DELETE FROM sanctions WHERE player = ? AND kind = ?", sanction.player, sanction.kind)
    try db.run(
      "INSERT INTO sanctions (player, kind, since, until, reason) VALUES (?, ?, ?, ?, ?)",
      sanction.player,
      sanction.kind,
      sanction.since,
      sanction.until,
      sanction.reason
    )
    if sanction.kind == .ban { try bans.put(sanction.addressBan, of: sanction) }
    try write(entry)
    return .ok
  }

  /// Ends the sanction now; the next maintenance deletes it.
  private func lift(
    _ kind: SanctionKind,
    from player: PlayerID,
    at moment: Instant,
    _ entry: AuditEntry
  ) throws -> SanctionOutcome {
    let lifted = try db.run(
      "UPDATE sanctions SET until = ? WHERE player = ? AND kind = ? AND (until IS NULL OR until > ?)",
      moment,
      player,
      kind,
      moment
    )
    guard lifted > 0 else { return .notFound }
    if kind == .ban { try bans.liftAddressBan(of: player) }
    try write(entry)
    return .ok
  }

  func write(_ entry: AuditEntry) throws {
    try db.run(
      """
      INSERT INTO audit (number, at, address, operator, action, player, room, code, detail, reason)
      VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM audit), ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      entry.at,
      entry.address,
      entry.operator,
      entry.action,
      entry.player,
      entry.room,
      entry.code,
      entry.detail,
      entry.reason
    )
  }

  func mute(of player: PlayerID) throws -> Mute? {
    try bans.end(of: .mute, for: player).map { Mute(until: $0) }
  }
}
