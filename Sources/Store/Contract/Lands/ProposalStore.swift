// Proposals of lands. Part of the contract. They are written by `ProposalChange`.
import Game

/// Proposals. The calls return at once, on any thread.
package protocol ProposalStore: Sendable {
  /// Up to `limit` of a player's proposals behind the cursor: the newest first, at the same moment the greater
  /// identifier first. Empty for an unknown player.
  func landProposals(
    of player: PlayerID,
    before cursor: ProposalCursor?,
    limit: Int,
    _ completion: @escaping Completion<[LandProposal]>
  )

  /// Up to `limit` of the proposals that wait, the oldest first, at the same moment the lower identifier first.
  func waitingProposals(limit: Int, _ completion: @escaping Completion<[ProposalRow]>)

  /// A proposal in any state; nil for an unknown one.
  func landProposal(_ id: ProposalID, _ completion: @escaping Completion<LandProposal?>)
}
