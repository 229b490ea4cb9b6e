// Profiles, and what players have earned. Plain values, the same for every back end.
import Game

/// A collectible and the moment when it was won.
package struct AwardedCollectible: Hashable, Sendable {
  package var collectible: Collectible
  package var awardedAt: Instant

  package init(_ collectible: Collectible, awardedAt: Instant) {
    self.collectible = collectible
    self.awardedAt = awardedAt
  }
}

/// A player as others see them.
package struct Profile: Hashable, Sendable {
  package var player: PlayerID
  package var nickname: String
  /// Empty for none.
  package var introduction: String
  package var picture: MediaID?
  /// At least 0.
  package var experience: Int64
  /// The earliest first, of equal moments the lower one.
  package var collectibles: [AwardedCollectible]
  /// The number of the player's posts: for others without the hidden ones.
  package var posts: Int64

  package init(
    player: PlayerID,
    nickname: String,
    introduction: String = "",
    picture: MediaID? = nil,
    experience: Int64 = 0,
    collectibles: [AwardedCollectible] = [],
    posts: Int64 = 0
  ) {
    self.player = player
    self.nickname = nickname
    self.introduction = introduction
    self.picture = picture
    self.experience = experience
    self.collectibles = collectibles
    self.posts = posts
  }
}

/// News of what a player has earned by a committed change.
package enum ProgressNews: Hashable, Sendable {
  case collectible(PlayerID, AwardedCollectible)
  /// Another grade than before, with the experience that gives it.
  case grade(PlayerID, Grade, experience: Int64)
}
