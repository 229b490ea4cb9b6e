// Travel plans. Part of the contract. They are written by `PlanChange`.
//
// A player sees their own plans, and those that a post has which is not hidden. The latter not where one of the plan's
// author and the player has blocked the other, nor where the plan is hidden.
import Game

/// Travel plans. The calls return at once, on any thread.
package protocol PlanStore: Sendable {
  /// A plan with its stops; nil for one that is unknown or that the player does not see.
  func plan(_ id: PlanID, for player: PlayerID, _ completion: @escaping Completion<OpenedPlan?>)

  /// Up to `limit` of a player's own plans, the newest first, behind the one with this number, which may be there no
  /// more.
  func plans(
    of author: PlayerID,
    before number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<PlanPage>
  )
}
