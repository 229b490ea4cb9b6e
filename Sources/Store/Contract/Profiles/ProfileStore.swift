// Profiles and progression. Part of the contract. Profiles are written by `ProfileChange`.
//
// Experience and collectibles are written by the changes that earn them, in their commit: `StoryChange` and
// `CapsuleChange`. The outcome of such a change has what the player is to be told of it (`Outcome.news`). A repeat
// earns nothing.
// - A post that is written earns `ExperienceRules.post`, and its deletion takes as much. A like that is given earns
//   `ExperienceRules.like`, and taking it back takes as much. A like that vanishes with its post, or with the post's
//   deleted author, takes as much from its giver too, by a later maintenance; nobody is told.
// - A collectible (`CollectibleRules`) is won at the batch's time, by writing or editing a post, by another player's
//   like of it, or by opening a capsule. It stays whatever becomes of what has earned it.
import Game

/// Profiles. The call returns at once, on any thread.
package protocol ProfileStore: Sendable {
  /// A player's profile as another player sees it; nil for a player who is unknown, or whom the other one has blocked.
  func profile(of player: PlayerID, for viewer: PlayerID, _ completion: @escaping Completion<Profile?>)
}
