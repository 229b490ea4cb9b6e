// Players' earnings by changes, inside their commit: experience, and collectibles.
//
// One for each change, on the writer's queue. The changes of stories and capsules call it where something has counted
// that had not before, so a repeat earns nothing. A like costs a read and a write of its giver's row.
// Decisions: 120 (docs/decisions).
import GRDB
import Game

final class ProgressWriting {
  private let db: Database
  /// The time when the batch was made.
  private let at: Instant
  /// What the players are to be told behind the commit, in order.
  private(set) var news: [ProgressNews] = []

  init(db: Database, at: Instant) {
    self.db = db
    self.at = at
  }

  /// A post was written; its author has so many with it.
  func wrote(_ post: Post, posts: Int64) throws {
    try gain(ExperienceRules.post, post.author)
    try award(post, posts: posts)
  }

  /// A post was edited, and is so now.
  func edited(_ post: Post) throws {
    try award(post, posts: 0)
  }

  func deletedPost(of author: PlayerID) throws {
    try gain(-ExperienceRules.post, author)
  }

  /// A player likes a post, which has so many likes with that.
  func liked(postOf author: PlayerID, by player: PlayerID, likes: Int64) throws {
    try gain(ExperienceRules.like, player)
    if likes == CollectibleRules.likesMin { try award(.likedPost, to: author) }
  }

  func unliked(by player: PlayerID) throws {
    try gain(-ExperienceRules.like, player)
  }

  /// A like has gone with its post, which is no act of its giver's: they are told nothing.
  static func lost(likeOf player: PlayerID, on db: Database) throws {
    let points = ExperienceRules.like
    try db.run(
      "UPDATE progress SET experience = experience - ? WHERE player = ? AND experience >= ?",
      points,
      player,
      points
    )
  }

  /// A player has opened a capsule of another player's for the first time.
  func opened(by player: PlayerID) throws {
    let before = try db.row("SELECT openings_count FROM progress WHERE player = ?", player)?.number(0)
    if before == nil {
      try db.run("INSERT INTO progress (player, experience, openings_count) VALUES (?, 0, 1)", player)
    } else {
      try db.run("UPDATE progress SET openings_count = openings_count + 1 WHERE player = ?", player)
    }
    if (before ?? 0) + 1 == CollectibleRules.openingsMin { try award(.tenCapsules, to: player) }
  }

  /// So many players, the author apart, have taken a plan over by now.
  func tookOver(planOf author: PlayerID, players: Int64) throws {
    if players >= CollectibleRules.takersMin { try award(.takenOverPlan, to: author) }
  }

  private func gain(_ points: Int64, _ player: PlayerID) throws {
    let before = try db.row("SELECT experience FROM progress WHERE player = ?", player)?.number(0)
    let after = ExperienceRules.sum(before ?? 0, points)
    if before == nil {
      try db.run("INSERT INTO progress (player, experience, openings_count) VALUES (?, ?, 0)", player, after)
    } else {
      try db.run("UPDATE progress SET experience = ? WHERE player = ?", after, player)
    }
    let grade = Grade(experience: after)
    if grade != Grade(experience: before ?? 0) { news.append(.grade(player, grade, experience: after)) }
  }

  private func award(_ post: Post, posts: Int64) throws {
    let known = Set(try db.collectibles(of: post.author).map(\.collectible))
    let earned = CollectibleRules.earned(byPostAbout: post.countries, post.soundtrack, posts: posts, known: known)
    for collectible in earned { try award(collectible, to: post.author) }
  }

  /// Awards a collectible, once; nothing to a player whose deletion has begun.
  private func award(_ collectible: Collectible, to player: PlayerID) throws {
    guard try db.knows(player) else { return }
    let isNew =
      try db.run(
        "INSERT INTO collectibles (player, kind, awarded_at) VALUES (?, ?, ?) ON CONFLICT (player, kind) DO NOTHING",
        player,
        collectible.rawValue,
        at
      ) > 0
    if isNew { news.append(.collectible(player, AwardedCollectible(collectible, awardedAt: at))) }
  }
}
