// The check of stories: part of the check of a store.
import GRDB
import Game

extension StoreCheck {
  func brokenStories() throws -> [String] {
    var complaints: [String] = []
    var total = StoryCounts()
    let rows = try Row.fetchCursor(db.cachedStatement(sql: "\(StoredPost.query) ORDER BY posts.number"))
    while let row = try rows.next() {
      guard let stored = try? StoredPost(row: row) else {
        complaints.append("post \(try row.value(1, PostID.self)) can't be read")
        continue
      }
      total.posts += 1
      total.counts.likes += stored.post.counts.likes
      total.counts.views += stored.post.counts.views
      total.counts.comments += stored.post.counts.comments
      complaints += try brokenLists(of: stored) + brokenSearch(of: stored)
    }
    let totals = try db.rows("SELECT posts_count, likes_count, views_count, comments_count FROM story_totals").map {
      StoryCounts(
        posts: try $0.value(0),
        counts: PostCounts(likes: try $0.value(1), views: try $0.value(2), comments: try $0.value(3))
      )
    }
    if complaints.isEmpty && totals != [total] { complaints.append("the totals of posts are others than theirs") }
    return try complaints + brokenPosts() + brokenReactions() + brokenOrders()
  }

  private func brokenPosts() throws -> [String] {
    let wordless = try db.rows(
      "SELECT id FROM posts WHERE NOT EXISTS (SELECT 1 FROM post_texts WHERE post_texts.post = posts.number)"
    )
    let future = try db.rows(
      "SELECT id FROM posts WHERE posts.number > (SELECT newest_post FROM story_totals WHERE story_totals.number = 0)"
    )
    let comments = try db.rows(
      """
      SELECT id FROM posts
      WHERE comments_count <> (
          SELECT COUNT(*) FROM comments WHERE comments.post = posts.number AND comments.is_hidden = 0)
        OR newest_comment < (SELECT COALESCE(MAX(comments.number), 0) FROM comments WHERE comments.post = posts.number)
      """
    )
    let likes = try db.rows(
      """
      SELECT id FROM posts WHERE likes_count <> (SELECT COUNT(*) FROM post_likes WHERE post_likes.post = posts.number)
        OR EXISTS (SELECT 1 FROM post_likes WHERE post_likes.post = posts.number AND player = author)
      """
    )
    func named(_ rows: [Row], _ complaint: String) throws -> [String] {
      try rows.map { "post \(try $0.value(0, PostID.self)) \(complaint)" }
    }
    return try named(wordless, "has no text") + named(future, "has a number that none has yet")
      + named(comments, "counts other comments than it has")
      + named(likes, "counts other likes than it has, or its author's")
  }

  private func brokenReactions() throws -> [String] {
    let strays = try db.rows(
      """
      SELECT post FROM comments
      WHERE NOT EXISTS (SELECT 1 FROM posts WHERE posts.number = comments.post)
        AND NOT EXISTS (SELECT 1 FROM deleted_posts WHERE deleted_posts.number = comments.post)
      UNION SELECT post FROM post_likes
      WHERE NOT EXISTS (SELECT 1 FROM posts WHERE posts.number = post_likes.post)
        AND NOT EXISTS (SELECT 1 FROM deleted_posts WHERE deleted_posts.number = post_likes.post)
      """
    )
    let kept = try db.rows(
      """
      SELECT deleted_posts.number FROM deleted_posts
      WHERE EXISTS (SELECT 1 FROM posts WHERE posts.number = deleted_posts.number)
      """
    )
    return try strays.map { "comments on or likes of post number \(try $0.number(0)), which is not there" }
      + kept.map { "post number \(try $0.number(0)) is there and deleted" }
  }

  /// Holds a post to the lists that it belongs to. Its day's is dropped once it is old.
  private func brokenLists(of stored: StoredPost) throws -> [String] {
    let counts = stored.post.counts
    let names = PostListName.all(of: stored.post, isHidden: stored.isHidden)
    for name in names where name.kind != PostListName.dayKind {
      guard let list = try PostLists(db: db).number(of: name) else {
        return ["post \(stored.post.id) is not in a list of its own"]
      }
      let isListed = try db.finds(
        "SELECT 1 FROM listed_likes WHERE list = ? AND likes_count = ? AND post = ?",
        list,
        counts.likes,
        stored.number
      )
      let isListedElsewhere = try db.finds(
        """
        SELECT 1 FROM listed_latest JOIN listed_views
          ON listed_views.list = listed_latest.list AND listed_views.post = listed_latest.post
        WHERE listed_latest.list = ? AND listed_latest.post = ? AND views_count = ?
        """,
        list,
        stored.number,
        counts.views
      )
      guard isListed, isListedElsewhere, stored.lists.contains(list), Set(stored.lists).count == stored.lists.count
      else { return ["post \(stored.post.id) has another place in a list than its counts have"] }
    }
    return []
  }

  /// Holds the orders of lists to each other, and to posts.
  private func brokenOrders() throws -> [String] {
    let counts = try db.rows(
      """
      SELECT kind, name FROM post_lists
      WHERE posts_count <> (SELECT COUNT(*) FROM listed_likes WHERE list = post_lists.number) OR posts_count = 0
        OR kind <> 4 AND (posts_count <> (SELECT COUNT(*) FROM listed_latest WHERE list = post_lists.number)
          OR posts_count <> (SELECT COUNT(*) FROM listed_views WHERE list = post_lists.number))
      """
    )
    let strays = try db.rows(
      """
      SELECT list, post FROM listed_likes
      WHERE NOT EXISTS (
          SELECT 1 FROM posts WHERE posts.number = listed_likes.post AND posts.likes_count = listed_likes.likes_count)
        OR NOT EXISTS (SELECT 1 FROM post_lists WHERE post_lists.number = listed_likes.list)
      """
    )
    return try counts.map { "list \(try $0.value(1, String.self)) counts other posts than it has" }
      + strays.map { "list number \(try $0.number(0)) has post number \(try $0.number(1)), which is not there so" }
  }

  /// Has the search find a post by its first words and its last ones.
  private func brokenSearch(of stored: StoredPost) throws -> [String] {
    let words = stored.searchText.words
    let probes = [words.prefix(3), words.suffix(3)].map { SearchText(joined: $0.joined(separator: " ")) }
    let isFound = try probes.allSatisfy { probe in
      guard let cursor = try PostSearch(db: db).candidates(probe, below: stored.number + 1), let row = try cursor.next()
      else { return probe.words.isEmpty }
      return try row.number(1) == stored.number
    }
    let isExpected = !stored.isHidden || words.isEmpty
    return isFound == isExpected ? [] : ["the search does not know post \(stored.post.id) as it is"]
  }
}
