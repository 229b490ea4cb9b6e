// Reads of proposals of lands. On readers' queues.
import GRDB
import Game

extension SQLiteStore {
  package func landProposals(
    of player: PlayerID,
    before cursor: ProposalCursor?,
    limit: Int,
    _ completion: @escaping Completion<[LandProposal]>
  ) {
    read(completion) { db in
      try db.rows(
        """
        \(LandProposal.query) WHERE player = ? AND (proposed_at, id) < (?, ?)
        ORDER BY proposed_at DESC, id DESC LIMIT ?
        """,
        player,
        cursor?.proposedAt ?? Instant(milliseconds: .max),
        cursor?.id ?? ProposalID(.max),
        max(0, limit)
      ).map(LandProposal.init(row:))
    }
  }

  package func waitingProposals(limit: Int, _ completion: @escaping Completion<[ProposalRow]>) {
    read(completion) { db in
      try db.rows(
        """
        SELECT land_proposals.id, player, room, number, name, ring, length_mm, proposed_at, decided_at, land, reason,
          nickname
        FROM land_proposals JOIN players ON players.id = land_proposals.player
        WHERE decided_at IS NULL ORDER BY proposed_at, land_proposals.id LIMIT ?
        """,
        max(0, limit)
      ).map { ProposalRow(try LandProposal(row: $0), nickname: try $0.value(11)) }
    }
  }

  package func landProposal(_ id: ProposalID, _ completion: @escaping Completion<LandProposal?>) {
    read(completion) { db in
      try db.row("\(LandProposal.query) WHERE id = ?", id).map(LandProposal.init(row:))
    }
  }
}

extension LandProposal {
  static let query = """
    SELECT id, player, room, number, name, ring, length_mm, proposed_at, decided_at, land, reason FROM land_proposals
    """

  init(row: Row) throws {
    self.init(
      id: try row.value(0),
      player: try row.value(1),
      game: GameID(room: try row.value(2), number: try row.value(3)),
      name: try row.value(4),
      ring: try [Coordinate](bytes: row.value(5, Blob.self).bytes),
      lengthMm: try row.value(6),
      proposedAt: try row.value(7)
    )
    guard let decidedAt = try row.value(8, Instant?.self) else { return }
    if let land = try row.value(9, LandID?.self) {
      state = .accepted(land, at: decidedAt)
    } else {
      state = .declined(reason: try row.value(10), at: decidedAt)
    }
  }
}
