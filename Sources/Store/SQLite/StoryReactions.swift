// Likes, views and comments, inside a commit. Part of `StoryWriting`.
// Decisions: 115 (docs/decisions).
import GRDB
import Game

extension StoryWriting {
  func like(_ id: PostID, by player: PlayerID, _ at: Instant) throws -> StoryOutcome {
    guard try db.knows(player), let post = try db.postRow(id, seenBy: player) else { return .notFound }
    guard post.author != player else { return .ownPost }
    guard try !isBlocked(player, by: post.author) else { return .blocked }
    let isNew =
      try db.run(
        "INSERT INTO post_likes (post, player, liked_at) VALUES (?, ?, ?) ON CONFLICT (post, player) DO NOTHING",
        post.number,
        player,
        at
      ) > 0
    let counts = try db.count(post, likes: isNew ? 1 : 0)
    if isNew { try progress.liked(postOf: post.author, by: player, likes: counts.likes) }
    return .counted(counts, isChanged: isNew)
  }

  func unlike(_ id: PostID, by player: PlayerID) throws -> StoryOutcome {
    guard try db.knows(player), let post = try db.postRow(id, seenBy: player) else { return .notFound }
    let wasLiked = try db.run("DELETE FROM post_likes WHERE post = ? AND player = ?", post.number, player) > 0
    if wasLiked {
      try StoryRemoval(db: db).lookAgain(at: player)
      try progress.unliked(by: player)
    }
    return .counted(try db.count(post, likes: wasLiked ? -1 : 0), isChanged: wasLiked)
  }

  func view(_ id: PostID, by player: PlayerID, _ at: Instant) throws -> StoryOutcome {
    guard try db.knows(player), let post = try db.postRow(id, seenBy: player) else { return .notFound }
    let isNew =
      try db.run(
        """
        INSERT INTO post_views (player, post, viewed_at) VALUES (?, ?, ?)
        ON CONFLICT (player, post) DO UPDATE SET viewed_at = excluded.viewed_at WHERE post_views.viewed_at <= ?
        """,
        player,
        post.number,
        at,
        at - StoryRules.viewInterval
      ) > 0
    return .counted(try db.count(post, views: isNew ? 1 : 0), isChanged: isNew)
  }

  func add(_ new: PostComment) throws -> StoryOutcome {
    guard try db.knows(new.author) else { return .notFound }
    if try db.finds("SELECT 1 FROM comments WHERE id = ?", new.id) {
      guard let known = try stored(new.id), known.comment.author == new.author, known.comment.post == new.post,
        let post = try db.postRow(new.post)
      else { return .notFound }
      return .commented(known.comment, post.counts, isHidden: known.isHidden)
    }
    guard var post = try db.postRow(new.post, seenBy: new.author) else { return .notFound }
    guard try !isBlocked(new.author, by: post.author) else { return .blocked }
    post.newestComment += 1
    var comment = new
    (comment.number, comment.editedAt) = (post.newestComment, nil)
    try db.run(
      """
      INSERT INTO comments (post, number, id, author, text, written_at, is_hidden) VALUES (?, ?, ?, ?, ?, ?, 0)
      """,
      post.number,
      comment.number,
      comment.id,
      comment.author,
      comment.text,
      comment.writtenAt
    )
    return .commented(comment, try db.count(post, comments: 1))
  }

  func edit(_ id: CommentID, of author: PlayerID, _ text: String, _ at: Instant) throws -> StoryOutcome {
    guard let known = try stored(id, of: author), let post = try db.postRow(known.comment.post) else {
      return .notFound
    }
    var comment = known.comment
    if !comment.text.utf8.elementsEqual(text.utf8) {
      (comment.text, comment.editedAt) = (text, at)
      try db.run("UPDATE comments SET text = ?, edited_at = ? WHERE id = ?", text, at, id)
    }
    return .commented(comment, post.counts, isHidden: known.isHidden)
  }

  func delete(_ id: CommentID, of author: PlayerID) throws -> StoryOutcome {
    guard let known = try stored(id, of: author) else { return .notFound }
    return .deletedComment(known.comment, try StoryRemoval(db: db).remove(known))
  }

  func hide(_ id: CommentID, isHidden: Bool) throws -> StoryOutcome {
    guard let known = try stored(id), let post = try db.postRow(known.comment.post) else { return .notFound }
    guard known.isHidden != isHidden else { return .hidden }
    try db.run("UPDATE comments SET is_hidden = ? WHERE id = ?", isHidden ? 1 : 0, id)
    _ = try db.count(post, comments: isHidden ? -1 : 1)
    return .hidden
  }

  private func stored(_ id: CommentID) throws -> StoredComment? {
    try db.row("\(PostComment.query) WHERE comments.id = ?", id).map(StoredComment.init(row:))
  }

  /// A comment of this author; nil for another one, and once the author's deletion has begun.
  private func stored(_ id: CommentID, of author: PlayerID) throws -> StoredComment? {
    guard try db.knows(author), let known = try stored(id), known.comment.author == author else { return nil }
    return known
  }

  private func isBlocked(_ player: PlayerID, by author: PlayerID) throws -> Bool {
    try db.finds("SELECT 1 FROM blocks WHERE player = ? AND blocked = ?", author, player)
  }
}

extension Database {
  /// Changes the counts of a post, and its place in the orders of its lists; returns the new counts.
  func count(_ post: PostRow, likes: Int64 = 0, views: Int64 = 0, comments: Int64 = 0) throws -> PostCounts {
    guard (likes, views, comments) != (0, 0, 0) else { return post.counts }
    var counts = post.counts
    counts.likes += likes
    counts.views += views
    counts.comments += comments
    try run(
      "UPDATE posts SET likes_count = ?, views_count = ?, comments_count = ?, newest_comment = ? WHERE number = ?",
      counts.likes,
      counts.views,
      counts.comments,
      post.newestComment,
      post.number
    )
    try PostLists(db: self).move(post.number, in: post.lists, from: post.counts, to: counts)
    try addStoryTotals(PostCounts(likes: likes, views: views, comments: comments))
    return counts
  }

  func addStoryTotals(posts: Int64 = 0, _ counts: PostCounts) throws {
    try run(
      """
      UPDATE story_totals
      SET posts_count = posts_count + ?, likes_count = likes_count + ?, views_count = views_count + ?,
        comments_count = comments_count + ?
      WHERE number = 0
      """,
      posts,
      counts.likes,
      counts.views,
      counts.comments
    )
  }
}
