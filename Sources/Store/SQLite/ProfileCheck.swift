// The check of profiles and of what players have earned: part of the check of a store.
//
// Experience has a least value only: in files of earlier programs, likes that have vanished with their posts have left
// their points.
import GRDB
import Game

extension StoreCheck {
  func brokenProfiles() throws -> [String] {
    let pictures = try db.rows(
      """
      SELECT player FROM profiles
      WHERE picture IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM media_uses
        WHERE media_uses.kind = 3 AND media_uses.subject = profiles.player AND media_uses.media = profiles.picture)
      UNION SELECT subject FROM media_uses
      WHERE kind = 3 AND NOT EXISTS (
        SELECT 1 FROM profiles WHERE profiles.player = media_uses.subject AND profiles.picture = media_uses.media)
      """
    )
    return try named(pictures, "has another picture than it refers to") + brokenProgress() + brokenCollectibles()
  }

  private func brokenProgress() throws -> [String] {
    let experience = try db.rows(
      """
      SELECT id FROM players
      WHERE COALESCE((SELECT experience FROM progress WHERE progress.player = players.id), 0)
          < 5 * (SELECT COUNT(*) FROM posts WHERE author = players.id)
            + (SELECT COUNT(*) FROM post_likes WHERE post_likes.player = players.id)
        AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
      """
    )
    let openings = try db.rows(
      """
      SELECT id FROM players
      WHERE COALESCE((SELECT openings_count FROM progress WHERE progress.player = players.id), 0)
          < (SELECT COUNT(*) FROM capsule_openings WHERE capsule_openings.player = players.id)
        AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = players.id)
      """
    )
    return try named(experience, "has less experience than their posts and likes have earned")
      + named(openings, "counts fewer opened capsules than there are")
  }

  private func brokenCollectibles() throws -> [String] {
    let continents = try db.rows(
      """
      SELECT id FROM players
      WHERE (EXISTS (SELECT 1 FROM collectibles WHERE player = players.id AND kind = 7))
        <> ((SELECT COUNT(*) FROM collectibles WHERE player = players.id AND kind <= 6) = 6)
      """
    )
    let missing = try db.rows(
      """
      SELECT author FROM posts
      WHERE likes_count >= ? AND NOT EXISTS (SELECT 1 FROM collectibles WHERE player = author AND kind = 9)
        AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = author)
      UNION SELECT player FROM progress
      WHERE openings_count >= ?
        AND NOT EXISTS (SELECT 1 FROM collectibles WHERE collectibles.player = progress.player AND kind = 12)
      UNION SELECT author FROM posts
      WHERE NOT EXISTS (SELECT 1 FROM collectibles WHERE player = author AND kind = 8)
        AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.player = author)
      GROUP BY author HAVING COUNT(*) >= ?
      """,
      CollectibleRules.likesMin,
      CollectibleRules.openingsMin,
      CollectibleRules.postsMin
    )
    return try named(continents, "has all continents and not each, or each and not all")
      + named(missing, "lacks a collectible that they have earned")
  }

  private func named(_ rows: [Row], _ complaint: String) throws -> [String] {
    try rows.map { "player \(try $0.value(0, PlayerID.self)) \(complaint)" }
  }
}
