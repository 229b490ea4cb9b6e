// Sanctions and the audit log of the double. Part of `MemoryTables`.
import Game
import Store

extension MemoryTables {
  mutating func put(_ sanction: Sanction, _ entry: AuditEntry) -> SanctionOutcome {
    guard players[sanction.player] != nil else { return .notFound }
    players[sanction.player]?.sanctions[sanction.kind] = sanction
    audit.append(entry)
    return .ok
  }

  mutating func lift(
    _ kind: SanctionKind,
    from player: PlayerID,
    at moment: Instant,
    _ entry: AuditEntry
  ) -> SanctionOutcome {
    guard players[player]?.sanction(kind, at: moment) != nil else { return .notFound }
    players[player]?.sanctions[kind]?.until = moment
    players[player]?.sanctions[kind]?.addressBan = nil
    audit.append(entry)
    return .ok
  }

  mutating func forgetSanctions(overAt now: Instant) {
    for (id, player) in players {
      for (kind, sanction) in player.sanctions where !sanction.isInForce(at: now) {
        players[id]?.sanctions[kind] = nil
        forgetGuest(id)
      }
    }
  }

  func sanctions(at now: Instant, limit: Int) -> [SanctionRow] {
    let rows = players.values.flatMap { player in
      player.sanctions.values.filter { $0.isInForce(at: now) }.map { sanction in
        var row = SanctionRow(sanction, nickname: player.nickname)
        if let ban = row.addressBan, ban.until <= now { row.addressBan = nil }
        return row
      }
    }
    func isEarlier(_ left: SanctionRow, _ right: SanctionRow) -> Bool {
      (right.since, left.player, left.kind.rawValue) < (left.since, right.player, right.kind.rawValue)
    }
    return Array(rows.sorted(by: isEarlier).prefix(max(0, limit)))
  }

  func audit(before number: Int64?, limit: Int) -> [AuditRow] {
    let rows = audit.enumerated().map { index, entry in
      AuditRow(entry, number: Int64(index) + 1, nickname: entry.player.flatMap { players[$0]?.nickname })
    }
    return Array(rows.reversed().drop { $0.number >= number ?? .max }.prefix(max(0, limit)))
  }
}

extension MemoryTables.PlayerEntry {
  /// The sanction of a kind that is in force.
  func sanction(_ kind: SanctionKind, at now: Instant) -> Sanction? {
    sanctions[kind].flatMap { $0.isInForce(at: now) ? $0 : nil }
  }
}

extension Sanction {
  fileprivate func isInForce(at now: Instant) -> Bool { until.map { now < $0 } ?? true }
}
