// Proposals of lands of the double. Part of `MemoryTables`.
import Game
import Store

extension MemoryTables {
  mutating func write(_ change: ProposalChange) -> ProposalOutcome {
    switch change {
    case .propose(let proposal): return propose(proposal)
    case .accept(let id, let land, let entry):
      guard let player = player(ofWaiting: id) else { return .notFound }
      let isNew = add(land)
      proposals[id]?.state = .accepted(land.id, at: entry.at)
      audit.append(entry.with(player, of: land, isNew: isNew))
      return .accepted(isNew: isNew)
    case .decline(let id, let reason, let entry):
      guard let player = player(ofWaiting: id) else { return .notFound }
      proposals[id]?.state = .declined(reason: reason, at: entry.at)
      audit.append(entry.with(player))
      return .declined
    }
  }

  private mutating func propose(_ proposal: LandProposal) -> ProposalOutcome {
    guard players[proposal.player] != nil else { return .notFound }
    let own = proposals.values.filter { $0.player == proposal.player }
    if let known = own.first(where: { $0.game == proposal.game && !$0.isDeclined }) { return .proposed(known) }
    guard own.count(where: { $0.state == .waiting }) < LandProposal.waitingMaxOfPlayer,
      proposals.values.count(where: { $0.state == .waiting }) < LandProposal.waitingMax
    else { return .tooMany }
    proposals[proposal.id] = proposal
    return .proposed(proposal)
  }

  private func player(ofWaiting id: ProposalID) -> PlayerID? {
    proposals[id].flatMap { $0.state == .waiting ? $0.player : nil }
  }

  mutating func forgetProposals(decidedBefore moment: Instant) {
    proposals = proposals.filter { $0.value.decidedAt.map { $0 >= moment } ?? true }
  }

  func landProposals(of player: PlayerID, before cursor: ProposalCursor?, limit: Int) -> [LandProposal] {
    let newestFirst = proposals.values.filter { $0.player == player }.sorted {
      ($0.proposedAt, $0.id) > ($1.proposedAt, $1.id)
    }
    let behind = newestFirst.drop { row in cursor.map { (row.proposedAt, row.id) >= ($0.proposedAt, $0.id) } ?? false }
    return Array(behind.prefix(max(0, limit)))
  }

  func waitingProposals(limit: Int) -> [ProposalRow] {
    let oldestFirst = proposals.values.filter { $0.state == .waiting }.sorted {
      ($0.proposedAt, $0.id) < ($1.proposedAt, $1.id)
    }
    return oldestFirst.prefix(max(0, limit)).map { ProposalRow($0, nickname: players[$0.player]?.nickname ?? "") }
  }
}

extension MemoryStore {
  package func landProposals(
    of player: PlayerID,
    before cursor: ProposalCursor?,
    limit: Int,
    _ completion: @escaping Completion<[LandProposal]>
  ) {
    respond(completion) { .success($0.landProposals(of: player, before: cursor, limit: limit)) }
  }

  package func waitingProposals(limit: Int, _ completion: @escaping Completion<[ProposalRow]>) {
    respond(completion) { .success($0.waitingProposals(limit: limit)) }
  }

  package func landProposal(_ id: ProposalID, _ completion: @escaping Completion<LandProposal?>) {
    respond(completion) { .success($0.proposals[id]) }
  }
}

extension LandProposal {
  fileprivate var isDeclined: Bool { if case .declined = state { true } else { false } }

  fileprivate var decidedAt: Instant? {
    switch state {
    case .waiting: nil
    case .accepted(_, let at), .declined(_, let at): at
    }
  }
}
