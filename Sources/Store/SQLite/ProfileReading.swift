// Reads of profiles. On readers' queues, and inside commits.
import GRDB
import Game

/// A store whose profiles are read from an SQLite database.
package protocol ProfileReading: ProfileStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension SQLiteStore: ProfileReading {}

extension ProfileReading {
  package func profile(of player: PlayerID, for viewer: PlayerID, _ completion: @escaping Completion<Profile?>) {
    read(completion) { db in
      guard try db.knows(player), try db.sees(viewer, author: player, isHidden: false) else { return nil }
      return try db.profile(of: player, for: viewer)
    }
  }
}

extension Database {
  /// A player's profile with the number of posts that another player sees; nil for an unknown player. Others see no
  /// introduction and no picture of a hidden profile, nor of one that they have reported.
  func profile(of player: PlayerID, for viewer: PlayerID) throws -> Profile? {
    let list = PostListName.author(player)
    let row = try row(
      """
      SELECT nickname, introduction, picture, experience, posts_count
      FROM players LEFT JOIN profiles ON profiles.player = players.id LEFT JOIN progress ON progress.player = players.id
        LEFT JOIN post_lists ON post_lists.kind = ? AND post_lists.name = ?
      WHERE players.id = ?
      """,
      list.kind,
      list.name,
      player
    )
    guard let row else { return nil }
    let isHidden = try player != viewer && (isProfileHidden(of: player) || hasReported(.profile(player), viewer))
    let hidden: Int64 =
      player == viewer
      ? 0 : try rows("SELECT COUNT(*) FROM posts WHERE author = ? AND is_hidden = 1", player)[0].value(0)
    return Profile(
      player: player,
      nickname: try row.value(0),
      introduction: isHidden ? "" : try row.value(1, String?.self) ?? "",
      picture: isHidden ? nil : try row.value(2, MediaID?.self),
      experience: try row.value(3, Int64?.self) ?? 0,
      collectibles: try collectibles(of: player),
      posts: (try row.value(4, Int64?.self) ?? 0) - hidden
    )
  }

  /// A player's collectibles, the earliest first, of equal moments the lower one.
  func collectibles(of player: PlayerID) throws -> [AwardedCollectible] {
    let won = try rows("SELECT kind, awarded_at FROM collectibles WHERE player = ? ORDER BY awarded_at, kind", player)
    return try won.map { row in
      guard let collectible = Collectible(rawValue: try row.value(0)) else {
        throw StoreFailure.corrupt("a collectible")
      }
      return AwardedCollectible(collectible, awardedAt: try row.value(1))
    }
  }
}
