// The removal of posts, comments and likes, by players and with them. Inside a commit, or a piece of maintenance.
// Comments and likes of a removed post are deleted by maintenance, because there may be any number of them.
import GRDB
import Game

struct StoryRemoval {
  private static let postsAtOnce = 10
  private static let likesAtOnce = 50

  let db: Database

  /// Removes a post; nothing refers to its pictures any more from `moment` on.
  func remove(_ stored: StoredPost, at moment: Instant) throws {
    let post = stored.post
    try MediaUses(db: db).removeAll(of: .post, post.id.value, at: moment)
    try ReportRemoval(db: db).remove(.post(post.id))
    let names = PostListName.all(of: post, isHidden: stored.isHidden)
    _ = try PostLists(db: db).remove(stored.number, post.counts, from: names)
    if !stored.isHidden { try PostSearch(db: db).remove(stored.searchText, post: stored.number) }
    let hasOthers = try db.finds(
      "SELECT 1 FROM comments WHERE post = ? UNION ALL SELECT 1 FROM post_likes WHERE post = ? LIMIT 1",
      stored.number,
      stored.number
    )
    if hasOthers { try db.run("INSERT INTO deleted_posts (number) VALUES (?)", stored.number) }
    try db.run("DELETE FROM posts WHERE number = ?", stored.number)
    let counts = post.counts
    try db.addStoryTotals(
      posts: -1,
      PostCounts(likes: -counts.likes, views: -counts.views, comments: -counts.comments)
    )
    try lookAgain(at: post.author)
  }

  /// Removes a comment of a post that is there; returns the post's counts.
  func remove(_ known: StoredComment) throws -> PostCounts {
    guard let post = try db.postRow(known.comment.post) else { throw StoreFailure.corrupt("the post of a comment") }
    try db.run("DELETE FROM comments WHERE post = ? AND number = ?", known.post, known.comment.number)
    try ReportRemoval(db: db).remove(.comment(known.comment.id))
    try lookAgain(at: known.comment.author)
    return try db.count(post, comments: known.isHidden ? 0 : -1)
  }

  /// It may have been all that kept the guest.
  func lookAgain(at player: PlayerID) throws {
    try db.run("UPDATE players SET look_at = 0 WHERE id = ? AND email IS NULL AND look_at IS NULL", player)
  }

  /// Removes a player's posts, comments, likes and views; returns the number of rows, at most one piece.
  func forgetStories(of player: PlayerID, rowsAtOnce: Int) throws -> Int {
    let posts = try db.rows("\(StoredPost.query) WHERE author = ? LIMIT ?", player, Self.postsAtOnce)
    // Their pictures are removed next.
    for row in posts { try remove(StoredPost(row: row), at: Instant(milliseconds: 0)) }
    guard posts.isEmpty else { return posts.count }
    let comments = try db.rows("\(PostComment.query) WHERE comments.author = ? LIMIT ?", player, rowsAtOnce)
    for row in comments { _ = try remove(StoredComment(row: row)) }
    guard comments.isEmpty else { return comments.count }
    let likes = try db.rows(
      "\(PostRow.query) JOIN post_likes ON post_likes.post = posts.number WHERE player = ? LIMIT ?",
      player,
      Self.likesAtOnce
    )
    for row in likes {
      let post = try PostRow(row: row)
      try db.run("DELETE FROM post_likes WHERE post = ? AND player = ?", post.number, player)
      _ = try db.count(post, likes: -1)
    }
    guard likes.isEmpty else { return likes.count }
    return try forgetLeftovers(of: player, rowsAtOnce: rowsAtOnce)
  }

  /// Deletes views, and comments on and likes of posts that are no longer there.
  private func forgetLeftovers(of player: PlayerID, rowsAtOnce: Int) throws -> Int {
    let views = try db.run(
      "DELETE FROM post_views WHERE player = ? AND post IN (SELECT post FROM post_views WHERE player = ? LIMIT ?)",
      player,
      player,
      rowsAtOnce
    )
    let comments = try db.rows("SELECT id FROM comments WHERE author = ? LIMIT ?", player, rowsAtOnce)
    for row in comments {
      let id: CommentID = try row.id(0)
      try db.run("DELETE FROM comments WHERE id = ?", id)
      try ReportRemoval(db: db).remove(.comment(id))
    }
    let likes = try db.run(
      "DELETE FROM post_likes WHERE player = ? AND post IN (SELECT post FROM post_likes WHERE player = ? LIMIT ?)",
      player,
      player,
      rowsAtOnce
    )
    return views + comments.count + likes
  }
}

extension Forgetting {
  /// Longer than a view counts for, because a batch that was made before may be written behind the deletion.
  static let viewRetention = StoryRules.viewInterval + .seconds(3_600)

  /// Deletes comments and likes of deleted posts, with what the likes have earned; returns the number of rows, at most
  /// one piece.
  func dropPostRows() throws -> Int {
    guard let post = try db.row("SELECT number FROM deleted_posts LIMIT 1")?.number(0) else { return 0 }
    let comments = try db.rows("SELECT number, author, id FROM comments WHERE post = ? LIMIT ?", post, Self.rowsAtOnce)
    for row in comments {
      try ReportRemoval(db: db).remove(.comment(row.id(2)))
      try db.run("DELETE FROM comments WHERE post = ? AND number = ?", post, try row.number(0))
      try StoryRemoval(db: db).lookAgain(at: row.id(1))
    }
    let likes = try db.rows("SELECT player FROM post_likes WHERE post = ? LIMIT ?", post, Self.rowsAtOnce)
    for row in likes {
      let player: PlayerID = try row.id(0)
      try db.run("DELETE FROM post_likes WHERE post = ? AND player = ?", post, player)
      try ProgressWriting.lost(likeOf: player, on: db)
      try StoryRemoval(db: db).lookAgain(at: player)
    }
    if comments.count < Self.rowsAtOnce && likes.count < Self.rowsAtOnce {
      try db.run("DELETE FROM deleted_posts WHERE number = ?", post)
    }
    return comments.count + likes.count + 1
  }

  /// Deletes views that no longer keep others from counting; returns the number of rows, at most one piece.
  func dropViews(countedBefore moment: Instant) throws -> Int {
    let old = try db.rows(
      "SELECT player, post FROM post_views WHERE viewed_at < ? ORDER BY viewed_at LIMIT ?",
      moment,
      Self.rowsAtOnce
    )
    for row in old {
      let player: PlayerID = try row.id(0)
      try db.run("DELETE FROM post_views WHERE player = ? AND post = ?", player, try row.number(1))
    }
    return old.count
  }

  /// Deletes the lists of days before that of a moment; returns the number of rows, at most one piece.
  func dropDays(before moment: Instant) throws -> Int {
    let first = PostListName.day(of: moment)
    let days = try db.rows("SELECT number, name FROM post_lists WHERE kind = ?", PostListName.dayKind)
    guard let old = try days.first(where: { try Int64($0.value(1, String.self)) ?? 0 < first }) else { return 0 }
    let list = try old.number(0)
    let rows = try db.rows(
      "SELECT likes_count, post FROM listed_likes WHERE list = ? LIMIT ?",
      list,
      Self.rowsAtOnce
    )
    for row in rows {
      try db.run(
        "DELETE FROM listed_likes WHERE list = ? AND likes_count = ? AND post = ?",
        list,
        try row.number(0),
        try row.number(1)
      )
    }
    try db.run("UPDATE post_lists SET posts_count = posts_count - ? WHERE number = ?", rows.count, list)
    try db.run("DELETE FROM post_lists WHERE number = ? AND posts_count = 0", list)
    return rows.count + 1
  }
}
