// Proposals of lands and their decisions. Part of `BatchWriting`. Decided ones are deleted by maintenance.
import GRDB
import Game

extension BatchWriting {
  func write(_ change: ProposalChange) throws -> ProposalOutcome {
    switch change {
    case .propose(let proposal): try propose(proposal)
    case .accept(let id, let land, let entry): try accept(id, land, entry)
    case .decline(let id, let reason, let entry): try decline(id, reason: reason, entry)
    }
  }

  private func propose(_ proposal: LandProposal) throws -> ProposalOutcome {
    guard try exists(proposal.player) else { return .notFound }
    let known = try db.row(
      "\(LandProposal.query) WHERE player = ? AND room = ? AND number = ? AND reason IS NULL",
      proposal.player,
      proposal.game.room,
      Int64(proposal.game.number)
    )
    if let known { return .proposed(try LandProposal(row: known)) }
    let ofPlayer: Int = try db.rows(
      "SELECT COUNT(*) FROM land_proposals WHERE player = ? AND decided_at IS NULL",
      proposal.player
    )[0].value(0)
    let all: Int = try db.rows("SELECT COUNT(*) FROM land_proposals WHERE decided_at IS NULL")[0].value(0)
    guard ofPlayer < LandProposal.waitingMaxOfPlayer, all < LandProposal.waitingMax else { return .tooMany }
    try db.run(
      """
      INSERT INTO land_proposals (id, player, room, number, name, ring, length_mm, proposed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      proposal.id,
      proposal.player,
      proposal.game.room,
      Int64(proposal.game.number),
      proposal.name,
      Blob(proposal.ring.bytes),
      proposal.lengthMm,
      proposal.proposedAt
    )
    return .proposed(proposal)
  }

  private func accept(_ id: ProposalID, _ land: Land, _ entry: AuditEntry) throws -> ProposalOutcome {
    guard let player = try player(ofWaiting: id) else { return .notFound }
    let isNew = try SQLiteStore.add(land, on: db)
    try db.run("UPDATE land_proposals SET decided_at = ?, land = ? WHERE id = ?", entry.at, land.id, id)
    try write(entry.with(player, of: land, isNew: isNew))
    return .accepted(isNew: isNew)
  }

  private func decline(_ id: ProposalID, reason: String, _ entry: AuditEntry) throws -> ProposalOutcome {
    guard let player = try player(ofWaiting: id) else { return .notFound }
    try db.run("UPDATE land_proposals SET decided_at = ?, reason = ? WHERE id = ?", entry.at, reason, id)
    try write(entry.with(player))
    return .declined
  }

  private func player(ofWaiting id: ProposalID) throws -> PlayerID? {
    try db.row("SELECT player FROM land_proposals WHERE id = ? AND decided_at IS NULL", id)?.value(0)
  }
}

extension Forgetting {
  /// Deletes proposals that were decided before a moment; returns their number, at most one piece.
  func dropProposals(decidedBefore moment: Instant) throws -> Int {
    try db.run(
      """
      DELETE FROM land_proposals WHERE id IN (
        SELECT id FROM land_proposals WHERE decided_at < ? ORDER BY decided_at LIMIT ?)
      """,
      moment,
      Self.rowsAtOnce
    )
  }
}
