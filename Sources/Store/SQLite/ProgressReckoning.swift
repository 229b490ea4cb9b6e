// The collectibles that posts, likes and opened capsules have earned before there were any. Runs once, in the
// transaction that upgrades a file to the schema of profiles.
//
// It reads the columns of that schema, and must not use what a later one changes.
import GRDB
import Game

struct ProgressReckoning {
  let db: Database

  func run() throws {
    try reckonPosts()
    let liked = try db.rows(
      """
      SELECT author, (
          SELECT liked_at FROM post_likes WHERE post_likes.post = posts.number ORDER BY liked_at LIMIT 1 OFFSET ?)
      FROM posts WHERE likes_count >= ? ORDER BY 2
      """,
      CollectibleRules.likesMin - 1,
      CollectibleRules.likesMin
    )
    for row in liked { try add(.likedPost, to: row.id(0), at: row.value(1, Instant?.self)) }
    let openings = try db.rows(
      """
      SELECT player, (
          SELECT opened_at FROM capsule_openings WHERE capsule_openings.player = progress.player
          ORDER BY opened_at LIMIT 1 OFFSET ?)
      FROM progress WHERE openings_count >= ?
      """,
      CollectibleRules.openingsMin - 1,
      CollectibleRules.openingsMin
    )
    for row in openings { try add(.tenCapsules, to: row.id(0), at: row.value(1, Instant?.self)) }
  }

  /// Goes through all posts in the order of their writing.
  private func reckonPosts() throws {
    var posts: [PlayerID: Int64] = [:]
    var known: [PlayerID: Set<Collectible>] = [:]
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT author, written_at, countries, soundtrack
          FROM posts JOIN post_texts ON post_texts.post = posts.number ORDER BY posts.number
          """
      )
    )
    while let row = try rows.next() {
      let author: PlayerID = try row.id(0)
      posts[author, default: 0] += 1
      // A post that can't be read is the check's to report, and no reason to keep the file closed.
      guard let countries = try? [CountryCode](stored: row.value(2)),
        let soundtrack = try? Soundtrack(bytes: row.value(3, Blob.self).bytes)
      else { continue }
      let earned = CollectibleRules.earned(
        byPostAbout: countries,
        soundtrack,
        posts: posts[author, default: 0],
        known: known[author, default: []]
      )
      known[author, default: []].formUnion(earned)
      for collectible in earned { try add(collectible, to: author, at: row.value(1)) }
    }
  }

  /// Adds a collectible; none without a moment, which a count has that is not of its rows.
  private func add(_ collectible: Collectible, to player: PlayerID, at moment: Instant?) throws {
    guard let moment else { return }
    try db.run(
      "INSERT INTO collectibles (player, kind, awarded_at) VALUES (?, ?, ?) ON CONFLICT (player, kind) DO NOTHING",
      player,
      collectible.rawValue,
      moment
    )
  }
}
