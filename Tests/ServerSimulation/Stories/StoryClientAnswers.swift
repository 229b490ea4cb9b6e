// The answers to a player's requests about stories, and the news of watched ones, checked against PROTOCOL.md, the
// store and the referee.
import MadangProtocol
import Net

extension StoryClient {
  func answered(
    _ request: StoryRequest,
    _ body: WireServerMessage.OneOf_Body,
    at now: Timestamp
  ) throws(BrokenRule) {
    let (nowMs, askedMs) = (now.milliseconds, player.answeredAskedAt.milliseconds)
    switch (request, body) {
    case (.write(let title), .post(let post)):
      try BrokenRule.unless(post.title == title, .postsKept, "\(title) was written as \(post)")
      try takeOwn(post, askedMs, nowMs)
      world.report.postsWritten += 1
    case (.edit(let id, let text, _), .post(let post)):
      try BrokenRule.unless(post.postID == id && post.text == text, .postsKept, "\(post), not as edited: \(text)")
      try takeOwn(post, askedMs, nowMs)
      world.report.postsChanged += 1
    case (.delete(let id, _), .ok):
      _ = world.stories.change(id) { $0.presence.delete(atMs: nowMs) }
      world.report.postsChanged += 1
      try world.checkStored(post: id)
    case (.comment(let id, let text), .comment(let comment)):
      let isIt = comment.text == text && comment.postID == id
      try BrokenRule.unless(isIt, .postsKept, "\(text) on \(id) was written as \(comment)")
      try world.stories.check(comment, of: id, sinceMs: askedMs)
      world.stories.settleComment(text, of: id, mayBeDeleted: player.mayBeDeleted, atMs: nowMs)
      world.report.comments += 1
      try world.checkStored(post: id)
    case (.deleteComment(let id, let post, _), .ok):
      world.stories.changeComment(of: post) {
        $0.id == id
      } _: {
        $0.presence.delete(atMs: nowMs)
      }
      try world.checkStored(post: post)
    case (.like(let id, _), .postCounts(let counts)): try takeLike(id, true, counts, askedMs, nowMs)
    case (.unlike(let id, _), .postCounts(let counts)): try takeLike(id, false, counts, askedMs, nowMs)
    case (.read(let id), .post(let post)): try takePost(id, post, askedMs)
    case (.watchPost(let id), .post(let post)):
      try takePost(id, post, askedMs)
      watchedPost = WatchedPost(post, sinceMs: askedMs)
      world.report.storyWatches += 1
    case (.list, .posts(let page)):
      try takePage(page, askedMs)
      world.report.storyLists += 1
    case (.watchFeed, .posts(let page)):
      try takePage(page, askedMs)
      watchedFeed = WatchedFeed(page, sinceMs: askedMs)
      world.report.storyWatches += 1
    case (.unwatchPost, .ok): watchedPost = nil
    case (.unwatchFeed, .ok): watchedFeed = nil
    case (.likeOwn, .postCounts), (.trespass, .post):
      throw BrokenRule(rule: .authorsAlone, detail: "player \(player.number)'s \(request): \(body)")
    case (_, .error(let error)): try refused(request, error, at: now)
    default:
      throw BrokenRule(rule: .oneAnswer, detail: "player \(player.number)'s \(request) was answered with \(body)")
    }
  }

  private func takeOwn(_ post: WirePost, _ askedMs: Int64, _ nowMs: Int64) throws(BrokenRule) {
    try world.stories.check(post, to: playerID, sinceMs: askedMs)
    world.stories.settle(post, mayBeDeleted: player.mayBeDeleted, atMs: nowMs)
    try world.checkStored(post: post.postID)
  }

  private func takeLike(
    _ id: String,
    _ isLiked: Bool,
    _ answer: WirePostCounts,
    _ askedMs: Int64,
    _ nowMs: Int64
  ) throws(BrokenRule) {
    var counts = answer
    if world.brokenOnPurpose == .likesTwice, isLiked { counts.likes += 1 }
    try BrokenRule.unless(counts.postID == id, .oneAnswer, "\(counts) for \(id)")
    let playerID = playerID
    let mayBeDeleted = player.mayBeDeleted
    _ = world.stories.change(id) { record in
      if mayBeDeleted {
        _ = record.mayLike(playerID, isLiked)
      } else {
        _ = record.likes[playerID]?.settle(isLiked, atMs: nowMs)
      }
    }
    try world.stories.check(counts, to: playerID, sinceMs: askedMs)
    world.report.likes += 1
    try world.checkStored(post: id)
  }

  private func takePost(_ id: String, _ post: WirePost, _ askedMs: Int64) throws(BrokenRule) {
    try BrokenRule.unless(post.postID == id, .oneAnswer, "\(post) for \(id)")
    try world.stories.check(post, to: playerID, sinceMs: askedMs)
    try world.stories.checkLiked(post, by: playerID, sinceMs: askedMs)
  }

  /// Takes a first page of the newest posts.
  private func takePage(_ page: WirePosts, _ askedMs: Int64) throws(BrokenRule) {
    for post in page.posts {
      try world.stories.check(post, to: playerID, sinceMs: askedMs)
      try world.stories.checkLiked(post, by: playerID, sinceMs: askedMs)
    }
    guard page.nextCursor.isEmpty else { return }
    let listed = Set(page.posts.map(\.postID))
    for record in world.stories.records where record.presence.isSure(sinceMs: askedMs) {
      let isThere = record.id.map(listed.contains) ?? false
      let isOut = isThere || world.stories.mayHaveBlocked(playerID, record.author)
      try BrokenRule.unless(isOut, .postsKept, "player \(player.number)'s list lacks \(record)")
    }
  }

  // News.

  func take(_ news: WirePostNews) throws(BrokenRule) {
    guard world.brokenOnPurpose != .missesNews else { return }
    guard var watched = watchedPost, watched.id == news.postID else {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(player.number) watches no such post: \(news)")
    }
    world.report.storyNews += 1
    if news.deleted {
      let isSure = world.stories[watched.id]?.presence.isSure ?? false
      try BrokenRule.unless(!isSure, .postsKept, "player \(player.number) was told that \(watched.id) is gone")
      watchedPost = nil
      return
    }
    var counts = WirePostCounts()
    counts.postID = news.postID
    (counts.likes, counts.views, counts.commentCount) = (news.likes, news.views, news.commentCount)
    try world.stories.check(counts, to: playerID, sinceMs: watched.sinceMs)
    for comment in news.comments + news.editedComments {
      try world.stories.check(comment, of: watched.id, sinceMs: watched.sinceMs)
    }
    if news.hasPost { try world.stories.check(news.post, to: playerID, sinceMs: watched.sinceMs) }
    watched.take(news)
    watchedPost = watched
  }

  func take(_ news: WireFeedNews) throws(BrokenRule) {
    guard var feed = watchedFeed else {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(player.number) watches no posts: \(news)")
    }
    world.report.storyNews += 1
    for post in news.posts { try world.stories.check(post, to: playerID, sinceMs: feed.sinceMs) }
    for counts in news.counts { try world.stories.check(counts, to: playerID, sinceMs: feed.sinceMs) }
    let unknown = feed.take(news)
    try BrokenRule.unless(unknown.isEmpty, .newsConverge, "player \(player.number) lacks \(unknown): \(news)")
    watchedFeed = feed
  }

  // Refusals.

  private func refused(_ request: StoryRequest, _ error: WireError, at now: Timestamp) throws(BrokenRule) {
    var mayBe: [WireErrorCode] = [.rateLimited]
    switch request {
    case .unwatchPost, .unwatchFeed: mayBe = []
    case .write, .edit: if player.mayBeMuted { mayBe.append(.muted) }
    case .comment(let id, _):
      if player.mayBeMuted { mayBe.append(.muted) }
      if isMaybeBlocked(byAuthorOf: id) { mayBe.append(.blocked) }
    case .like(let id, _): if isMaybeBlocked(byAuthorOf: id) { mayBe.append(.blocked) }
    case .likeOwn: mayBe.append(.ownPost)
    case .trespass: mayBe += [.notAuthor, .muted]
    case .deleteComment(_, _, let wasSure):
      if !wasSure || mayMiss(request) { mayBe.append(.commentNotFound) }
    case .delete, .unlike, .read, .list, .watchPost, .watchFeed: break
    }
    if mayMiss(request) { mayBe.append(.postNotFound) }
    if world.hasStoreFailed { mayBe.append(.storeUnavailable) }
    try BrokenRule.unless(
      mayBe.contains(error.code),
      .oneAnswer,
      "player \(player.number)'s \(request) was refused: \(error.message)"
    )
    if error.code == .storeUnavailable { world.report.unavailable += 1 }
    world.report.storyRefusals += 1
    undo(request, error, at: now)
  }

  private func isMaybeBlocked(byAuthorOf id: String) -> Bool {
    world.stories[id].map { world.stories.mayHaveBlocked($0.author, playerID) } ?? false
  }

  /// Whether the request's post may be missing, or not to be seen by the player.
  private func mayMiss(_ request: StoryRequest) -> Bool {
    guard let id = request.post, let record = world.stories[id] else { return false }
    if player.mayBeDeleted { return true }
    if case .delete(_, let wasSure) = request { return !wasSure }
    return !record.presence.isSure(sinceMs: player.answeredAskedAt.milliseconds)
      || world.stories.mayHaveBlocked(playerID, record.author)
  }

  /// A request had no effect.
  private func undo(_ request: StoryRequest, _ error: WireError, at now: Timestamp) {
    let (nowMs, playerID) = (now.milliseconds, playerID)
    switch request {
    case .write(let title): world.stories.dropWriting(title)
    case .edit(let id, let text, let isNew):
      if isNew { _ = world.stories.change(id) { $0.text.drop(text) } }
    case .delete(let id, let wasSure):
      _ = world.stories.change(id) { record in
        if error.code == .postNotFound {
          record.presence.delete(atMs: nowMs)
        } else if wasSure {
          record.presence.keep()
        }
      }
    case .comment(let id, let text): world.stories.dropComment(text, of: id)
    case .deleteComment(let id, let post, let wasSure):
      world.stories.changeComment(of: post) {
        $0.id == id
      } _: { comment in
        if error.code == .commentNotFound {
          comment.presence.delete(atMs: nowMs)
        } else if wasSure {
          comment.presence.keep()
        }
      }
    case .like(let id, let isNew):
      // The same request, sent twice, may still be done, or may be done already.
      let isDone = world.stories[id]?.likes[playerID]?.sure == true
      if isNew, !isDone, !player.isChangingStories { _ = world.stories.change(id) { $0.likes[playerID]?.drop(true) } }
    case .unlike(let id, let isNew):
      if isNew { _ = world.stories.change(id) { $0.likes[playerID]?.drop(false) } }
    // The earlier watch has ended, unless there were too many requests.
    case .watchPost: if error.code != .rateLimited { watchedPost = nil }
    case .watchFeed: if error.code != .rateLimited { watchedFeed = nil }
    case .likeOwn, .trespass, .read, .list, .unwatchPost, .unwatchFeed: break
    }
  }
}
