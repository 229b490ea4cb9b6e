// The rules of stories that look at the store: behind each acknowledgement, when the server has begun anew, and at the
// end; and the rule for players who watch something at the end.
import Game
import MadangProtocol
import Net
import Store
import Synchronization

extension World: StoryWorld {
  /// A player whom nobody has blocked and who has blocked nobody.
  private static let anybody = PlayerID(0)

  // The store.

  /// Checks that the store's posts are the acknowledged ones, as last edited, with the likes and comments that there
  /// must be, and none that nobody has written.
  func checkStories() throws(BrokenRule) {
    guard plan.writes else { return }
    for post in storedPosts() {
      let id = post.id.description
      let record = stories.recognize(id, title: post.title)
      try BrokenRule.unless(record != nil, .postsKept, "nobody has written \(post)")
    }
    for record in stories.records {
      guard let id = record.id else {
        try BrokenRule.unless(!record.presence.isSure, .postsKept, "\(record) has no identifier")
        continue
      }
      try checkStored(post: id)
    }
    report.storyChecks += 1
  }

  func checkStored(post id: String) throws(BrokenRule) {
    guard let record = stories[id], let postID = PostID(id) else { return }
    guard let opened = storedPost(postID) else {
      return try BrokenRule.unless(!record.presence.isSure, .writtenFirst, "the store does not have \(record)")
    }
    let (post, likes, comments) = (
      opened.seen.post, record.likeRange(sinceMs: .max), record.commentRange(sinceMs: .max)
    )
    let isRight =
      record.presence.mayBeThere(sinceMs: .max) && record.author == post.author.description
      && record.text.current.contains(post.text)
    try BrokenRule.unless(isRight, .postsKept, "the store has \(post), of \(record)")
    let isCounted =
      likes.contains(Int(post.counts.likes)) && Int(post.counts.views) <= record.readers.count
      && comments.contains(Int(post.counts.comments))
    try BrokenRule.unless(
      isCounted,
      .countedOnce,
      "the store has \(post), of \(likes) likes, \(record.readers.count) readers and \(comments) comments"
    )
    let stored = opened.comments.comments.map(\.comment)
    for comment in record.comments where comment.presence.isSure && opened.comments.next == nil {
      let isThere = stored.contains { $0.text == comment.text && $0.author.description == comment.author }
      try BrokenRule.unless(isThere, .postsKept, "the store has lost \(comment)")
    }
    for comment in stored {
      let isKnown = record.comments.contains { $0.text == comment.text && $0.presence.mayBeThere(sinceMs: .max) }
      try BrokenRule.unless(isKnown, .postsKept, "nobody has written \(comment), or it is deleted")
    }
  }

  private func storedPost(_ id: PostID) -> OpenedPost? {
    let found = Mutex<OpenedPost?>(nil)
    store.inner.post(id, for: Self.anybody, comments: .newest, limit: Self.commentsMax) { result in
      if case .success(let opened) = result { found.withLock { $0 = opened } }
    }
    return found.withLock { $0 }
  }

  private static let commentsMax = 1_000
  private static let postsMax = 1_000

  private func storedPosts() -> [Post] {
    let found = Mutex<[Post]>([])
    store.inner.feed(.everyone, by: .latest, after: nil, for: Self.anybody, limit: Self.postsMax) { result in
      if case .success(let page) = result { found.withLock { $0 = page.posts.map(\.post) } }
    }
    return found.withLock { $0 }
  }

  // The end.

  /// The time in which news of the last changes have arrived.
  private static let newsMs: Int64 = 3_000
  /// The newest comments that news have.
  private static let newsCommentsMax = 50

  /// Checks that watchers know what the store has, when nothing changes any more.
  func checkNews() throws(BrokenRule) {
    guard plan.writes else { return }
    try checkStories()
    try pass(until: now.advanced(milliseconds: Self.newsMs)) { () throws(BrokenRule) in false }
    let order = storedPosts().prefix(WatchedFeed.postsMax).map(\.id.description)
    for player in players where player.state == .ready && !stories.mayHaveBlocked(player.playerID ?? "") {
      let client = player.storyClient
      if let feed = client.watchedFeed {
        try BrokenRule.unless(feed.order == order, .newsConverge, "player \(player.number): \(feed), not \(order)")
        for id in order {
          let likes = PostID(id).flatMap(storedPost)?.seen.post.counts.likes
          let isRight = feed.likes[id].map(Int64.init) == likes
          try BrokenRule.unless(isRight, .newsConverge, "player \(player.number): \(feed), \(id) has \(likes as Any)")
        }
        report.newsChecks += 1
      }
      guard let watched = client.watchedPost else { continue }
      guard let opened = PostID(watched.id).flatMap(storedPost) else {
        throw BrokenRule(rule: .newsConverge, detail: "player \(player.number) watches \(watched), which is gone")
      }
      let counts = opened.seen.post.counts
      let isRight =
        Int64(watched.likes) == counts.likes && Int64(watched.views) == counts.views
        && Int64(watched.commentCount) == counts.comments && watched.text == opened.seen.post.text
      try BrokenRule.unless(isRight, .newsConverge, "player \(player.number): \(watched), not \(opened.seen.post)")
      let comments = Set(opened.comments.comments.prefix(Self.newsCommentsMax).map(\.comment.id.description))
      let isWhole = comments.count == Self.newsCommentsMax || watched.comments == comments
      try BrokenRule.unless(isWhole, .newsConverge, "player \(player.number): \(watched), not \(comments)")
      report.newsChecks += 1
    }
  }
}
