// Changes of proposals of lands: a player's proposal, and an operator's decision. Plain values. A decision comes with
// its row of the audit log, to which the store adds the proposal's player.
import Game

/// A change of a proposal.
package enum ProposalChange: Hashable, Sendable {
  /// Keeps a proposal that waits. Where one of the player's from the same game waits or is accepted, that one stays as
  /// it is and is the outcome. Outcome `.proposed`, `.tooMany`, or `.notFound` for an unknown player.
  case propose(LandProposal)
  /// Adds a proposal's land, as `LandStore.addLands` does, and tells its player so. The land has the proposal's ring.
  /// Outcome `.accepted`, or `.notFound` where no such proposal waits; nothing is written then.
  case accept(ProposalID, Land, AuditEntry)
  /// Declines a proposal with a reason for its player. Outcome `.declined`, or `.notFound` as above.
  case decline(ProposalID, reason: String, AuditEntry)
}

/// The outcome of a proposal's change.
package enum ProposalOutcome: Hashable, Sendable {
  /// The proposal as it is kept.
  case proposed(LandProposal)
  /// `LandProposal.waitingMaxOfPlayer` of the player wait, or `LandProposal.waitingMax` of all.
  case tooMany
  /// The land is there; it may have been there before.
  case accepted(isNew: Bool)
  case declined
  case notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
