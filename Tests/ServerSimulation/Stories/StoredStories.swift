// The posts of the store, read at once, and their comparison with what the referee and watchers know.
import Game
import Store
import Synchronization

struct StoredStories {
  /// A player whom nobody has blocked and who has blocked nobody.
  private static let anybody = PlayerID(0)
  private static let commentsMax = 1_000
  private static let postsMax = 1_000

  let store: any Store

  func post(_ id: String) -> OpenedPost? {
    guard let id = PostID(id) else { return nil }
    let found = Mutex<OpenedPost?>(nil)
    store.post(id, for: Self.anybody, comments: .newest, limit: Self.commentsMax) { result in
      if case .success(let opened) = result { found.withLock { $0 = opened } }
    }
    return found.withLock { $0 }
  }

  /// The newest first.
  func posts() -> [Post] {
    let found = Mutex<[Post]>([])
    store.feed(.everyone, by: .latest, after: nil, for: Self.anybody, limit: Self.postsMax) { result in
      if case .success(let page) = result { found.withLock { $0 = page.posts.map(\.post) } }
    }
    return found.withLock { $0 }
  }
}

extension StoryReferee {
  /// Checks that the store's posts are the acknowledged ones, and none that nobody has written.
  mutating func checkAll(in stored: StoredStories) throws(BrokenRule) {
    for post in stored.posts() {
      let record = recognize(post.id.description, title: post.title)
      try BrokenRule.unless(record != nil, .postsKept, "nobody has written \(post)")
    }
    for record in records {
      guard let id = record.id else {
        try BrokenRule.unless(!record.presence.isSure, .postsKept, "\(record) has no identifier")
        continue
      }
      try check(id, in: stored)
    }
  }

  /// Checks that a post is stored as last edited, with the likes and comments that there must be.
  func check(_ id: String, in store: StoredStories) throws(BrokenRule) {
    guard let record = self[id] else { return }
    guard let opened = store.post(id) else {
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
}

extension StoryClient {
  /// The newest comments that news have.
  private static let newsCommentsMax = 50

  /// Checks that a watcher knows what the store has, when nothing has changed for a while.
  func checkNews(_ stored: StoredStories) throws(BrokenRule) {
    let who = "player \(player.number)"
    if let feed = watchedFeed {
      let order = stored.posts().prefix(WatchedFeed.postsMax).map(\.id.description)
      try BrokenRule.unless(feed.order == order, .newsConverge, "\(who): \(feed), not \(order)")
      for id in order {
        let likes = stored.post(id)?.seen.post.counts.likes
        let isRight = feed.likes[id].map(Int64.init) == likes
        try BrokenRule.unless(isRight, .newsConverge, "\(who): \(feed), \(id) has \(likes as Any)")
      }
      world.report.newsChecks += 1
    }
    guard let watched = watchedPost else { return }
    guard let opened = stored.post(watched.id) else {
      throw BrokenRule(rule: .newsConverge, detail: "\(who) watches \(watched), which is gone")
    }
    let counts = opened.seen.post.counts
    let isRight =
      Int64(watched.likes) == counts.likes && Int64(watched.views) == counts.views
      && Int64(watched.commentCount) == counts.comments && watched.text == opened.seen.post.text
    try BrokenRule.unless(isRight, .newsConverge, "\(who): \(watched), not \(opened.seen.post)")
    let comments = Set(opened.comments.comments.prefix(Self.newsCommentsMax).map(\.comment.id.description))
    let isWhole = comments.count == Self.newsCommentsMax || watched.comments == comments
    try BrokenRule.unless(isWhole, .newsConverge, "\(who): \(watched), not \(comments)")
    world.report.newsChecks += 1
  }
}
