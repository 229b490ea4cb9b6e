// Reads of stories. On readers' queues.
import GRDB
import Game

/// A store whose stories are read from an SQLite database.
package protocol StoryReading: StoryStore {
  /// Runs `body` on one snapshot of the committed data.
  func read<Value>(_ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Database) throws -> Value)
}

extension SQLiteStore: StoryReading {}

extension StoryReading {
  package func post(
    _ id: PostID,
    for player: PlayerID,
    comments order: CommentOrder,
    limit: Int,
    _ completion: @escaping Completion<OpenedPost?>
  ) {
    read(completion) { db in
      let reading = try FeedReading(for: player, on: db)
      guard let seen = try reading.post(id), let row = try db.postRow(id) else { return nil }
      let comments = try reading.comments(of: row.number, order, after: nil, limit: limit)
      return OpenedPost(seen: seen, comments: comments, newestComment: row.newestComment)
    }
  }

  package func comments(
    of post: PostID,
    for player: PlayerID,
    _ order: CommentOrder,
    after number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<CommentPage?>
  ) {
    read(completion) { db in
      guard let row = try db.postRow(post, seenBy: player) else { return nil }
      return try FeedReading(for: player, on: db).comments(of: row.number, order, after: number, limit: limit)
    }
  }

  package func feed(
    _ scope: FeedScope,
    by sort: FeedSort,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  ) {
    read(completion) { db in
      try FeedReading(for: player, on: db).feed(scope, by: sort, after: cursor, limit: limit)
    }
  }

  package func topPosts(
    about country: CountryCode?,
    writtenSince since: Instant,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[SeenPost]>
  ) {
    read(completion) { db in
      let reading = try FeedReading(for: player, on: db)
      var top = try TopPosts(writtenSince: since, about: country, on: db)
      var found: [SeenPost] = []
      var lookedAt = 0
      while found.count < limit, lookedAt < FeedReading.lookedAtMax, let place = try top.next() {
        lookedAt += 1
        if let post = try reading.post(place.number), post.post.writtenAt >= since { found.append(post) }
      }
      return found
    }
  }

  package func countries(
    mostLikedSince since: Instant,
    among countries: Set<CountryCode>,
    limit: Int,
    _ completion: @escaping Completion<[CountryCode]>
  ) {
    read(completion) { try TopCountries(writtenSince: since, among: countries, on: $0).codes(limit: limit) }
  }

  package func searchPosts(
    _ query: SearchText,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  ) {
    read(completion) { db in
      try FeedReading(for: player, on: db).search(query, after: cursor, limit: limit)
    }
  }

  package func hashtags(limit: Int, _ completion: @escaping Completion<[HashtagCount]>) {
    read(completion) { db in
      try db.rows(
        "SELECT name, posts_count FROM post_lists WHERE kind = 3 ORDER BY posts_count DESC, name LIMIT ?",
        limit
      ).map { row in
        guard let hashtag = Hashtag(try row.value(0, String.self)) else { throw StoreFailure.corrupt("a hashtag") }
        return HashtagCount(hashtag: hashtag, posts: try row.number(1))
      }
    }
  }

  package func storyCounts(_ completion: @escaping Completion<StoryCounts>) {
    read(completion) { db in
      guard
        let row = try db.row(
          "SELECT posts_count, likes_count, views_count, comments_count FROM story_totals WHERE number = 0"
        )
      else { throw StoreFailure.corrupt("the totals of posts") }
      return StoryCounts(
        posts: try row.number(0),
        counts: PostCounts(likes: try row.number(1), views: try row.number(2), comments: try row.number(3))
      )
    }
  }
}
