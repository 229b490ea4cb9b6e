// Posts, comments, likes and views of the double, by looking at each of them. A value, part of the tables.
// `MemoryStoryReading.swift` has the reads.
import Game
import Store

struct MemoryStories: Sendable {
  struct PostEntry: Sendable {
    var post: Post
    let number: Int64
    var isHidden = false
    var likes: [PlayerID: Instant] = [:]
    /// The newest counted view of each player.
    var views: [PlayerID: Instant] = [:]
    var comments: [CommentEntry] = []
    var newestComment: Int64 = 0
  }

  struct CommentEntry: Sendable {
    var comment: PostComment
    var isHidden = false
  }

  /// A player as far as stories need them.
  struct Reader: Sendable {
    let nickname: String
    let blocked: Set<PlayerID>
    let reported: Set<ReportSubject>
    /// Since when it is an account; nil for a guest.
    let registeredAt: Instant?
  }

  /// The players who are known.
  typealias Players = [PlayerID: Reader]

  private(set) var posts: [PostID: PostEntry] = [:]
  /// The givers of likes that have vanished with their posts, until the next maintenance.
  private var vanishedLikes: [PlayerID] = []
  private var newestPost: Int64 = 0

  mutating func write(
    _ change: StoryChange,
    _ players: Players,
    _ plans: MemoryPlans,
    _ media: inout MemoryMedia,
    at now: Instant
  ) -> StoryOutcome {
    guard let player = change.player else { return hide(change) }
    guard players[player] != nil else { return .notFound }
    switch change {
    case .write(let post): return write(post, plans, &media, at: now)
    case .edit(let edit): return self.edit(edit, plans, &media, at: now)
    case .delete(let id, let author):
      guard let entry = posts[id], entry.post.author == author else { return .notFound }
      posts[id] = nil
      vanishedLikes += entry.likes.keys
      _ = media.use([], by: id.subject, of: author, at: now)
      return .deleted(entry.post)
    case .comment(let comment): return add(comment, players)
    case .editComment(let id, let author, let text, let at): return edit(id, of: author, text, at)
    case .deleteComment(let id, let author):
      guard let (post, index) = place(of: id, author: author), let known = posts[post]?.comments.remove(at: index)
      else { return .notFound }
      if !known.isHidden { posts[post]?.post.counts.comments -= 1 }
      return .deletedComment(known.comment, posts[post]?.post.counts ?? PostCounts())
    case .like, .unlike, .view: return count(change, players)
    case .hide: return .notFound
    }
  }

  private mutating func hide(_ change: StoryChange) -> StoryOutcome {
    switch change {
    case .hide(.post(let id), let isHidden):
      guard posts[id] != nil else { return .notFound }
      posts[id]?.isHidden = isHidden
    case .hide(.comment(let id), let isHidden):
      guard let (post, index) = place(of: id, author: nil), let known = posts[post]?.comments[index] else {
        return .notFound
      }
      posts[post]?.comments[index].isHidden = isHidden
      if known.isHidden != isHidden { posts[post]?.post.counts.comments += isHidden ? -1 : 1 }
    default: return .notFound
    }
    return .hidden
  }

  private mutating func write(
    _ new: Post,
    _ plans: MemoryPlans,
    _ media: inout MemoryMedia,
    at now: Instant
  ) -> StoryOutcome {
    if let known = posts[new.id] { return known.post.author == new.author ? .written(known.post) : .notFound }
    guard posts.values.count(where: { $0.post.author == new.author }) < Post.authoredMax else { return .tooMany }
    guard new.plan.map({ plans.has($0, of: new.author) }) ?? true else { return .planNotFound }
    guard media.use(new.pictures, by: new.id.subject, of: new.author, at: now) else { return .mediaNotFound }
    var post = new
    (post.editedAt, post.version, post.counts) = (nil, 1, PostCounts())
    newestPost += 1
    posts[post.id] = PostEntry(post: post, number: newestPost)
    return .written(post)
  }

  private mutating func edit(
    _ edit: PostEdit,
    _ plans: MemoryPlans,
    _ media: inout MemoryMedia,
    at now: Instant
  ) -> StoryOutcome {
    guard let entry = posts[edit.id], entry.post.author == edit.author else { return .notFound }
    let post = entry.post
    if let version = edit.version, version != post.version { return .staleVersion(post) }
    let edited = edit.applied(to: post)
    if edited.plan != post.plan, let plan = edited.plan, !plans.has(plan, of: post.author) { return .planNotFound }
    if edited.pictures != post.pictures {
      guard media.use(edited.pictures, by: post.id.subject, of: post.author, at: now) else { return .mediaNotFound }
    }
    posts[edit.id]?.post = edited
    return .edited(edited, before: post, isHidden: entry.isHidden)
  }

  private mutating func add(_ new: PostComment, _ players: Players) -> StoryOutcome {
    if let (post, index) = place(of: new.id, author: nil), let entry = posts[post] {
      let known = entry.comments[index].comment
      guard known.author == new.author, known.post == new.post else { return .notFound }
      return .commented(known, entry.post.counts, isHidden: entry.comments[index].isHidden)
    }
    guard let entry = seen(new.post, by: new.author, players) else { return .notFound }
    guard !isBlocked(new.author, by: entry.post.author, players) else { return .blocked }
    var comment = new
    (comment.number, comment.editedAt) = (entry.newestComment + 1, nil)
    posts[new.post]?.newestComment += 1
    posts[new.post]?.comments.append(CommentEntry(comment: comment))
    posts[new.post]?.post.counts.comments += 1
    return .commented(comment, posts[new.post]?.post.counts ?? PostCounts())
  }

  private mutating func edit(_ id: CommentID, of author: PlayerID, _ text: String, _ at: Instant) -> StoryOutcome {
    guard let (post, index) = place(of: id, author: author), let entry = posts[post] else { return .notFound }
    var comment = entry.comments[index].comment
    if !comment.text.utf8.elementsEqual(text.utf8) {
      (comment.text, comment.editedAt) = (text, at)
      posts[post]?.comments[index].comment = comment
    }
    return .commented(comment, entry.post.counts, isHidden: entry.comments[index].isHidden)
  }

  /// Likes, takes back a like, or looks.
  private mutating func count(_ change: StoryChange, _ players: Players) -> StoryOutcome {
    guard let player = change.player, let id = change.post, var entry = seen(id, by: player, players) else {
      return .notFound
    }
    let isChanged: Bool
    switch change {
    case .like(_, _, let at):
      guard player != entry.post.author else { return .ownPost }
      guard !isBlocked(player, by: entry.post.author, players) else { return .blocked }
      isChanged = entry.likes[player] == nil
      entry.likes[player] = entry.likes[player] ?? at
      entry.post.counts.likes += isChanged ? 1 : 0
    case .unlike:
      isChanged = entry.likes.removeValue(forKey: player) != nil
      entry.post.counts.likes -= isChanged ? 1 : 0
    case .view(_, _, let at):
      isChanged = entry.views[player].map { at - $0 >= StoryRules.viewInterval } ?? true
      if isChanged { entry.views[player] = at }
      entry.post.counts.views += isChanged ? 1 : 0
    default: return .notFound
    }
    posts[id] = entry
    return .counted(entry.post.counts, isChanged: isChanged)
  }

  /// A post that a player sees.
  func seen(_ id: PostID, by player: PlayerID, _ players: Players) -> PostEntry? {
    posts[id].flatMap { sees(player, .post(id), of: $0.post.author, isHidden: $0.isHidden, players) ? $0 : nil }
  }

  func sees(
    _ player: PlayerID,
    _ subject: ReportSubject,
    of author: PlayerID,
    isHidden: Bool,
    _ players: Players
  ) -> Bool {
    player == author
      || (!isHidden && !isBlocked(author, by: player, players) && players[player]?.reported.contains(subject) != true)
  }

  func comment(_ id: CommentID) -> CommentEntry? {
    place(of: id, author: nil).flatMap { post, index in posts[post]?.comments[index] }
  }

  private func isBlocked(_ player: PlayerID, by other: PlayerID, _ players: Players) -> Bool {
    players[other]?.blocked.contains(player) ?? false
  }

  /// The post of a comment, and its index there.
  private func place(of id: CommentID, author: PlayerID?) -> (PostID, Int)? {
    for (post, entry) in posts {
      guard let index = entry.comments.firstIndex(where: { $0.comment.id == id }) else { continue }
      return author.map { $0 == entry.comments[index].comment.author } ?? true ? (post, index) : nil
    }
    return nil
  }

  /// Whether a post has the plan that is neither hidden nor one of those that were reported.
  func shows(_ plan: PlanID, besides reported: Set<ReportSubject> = []) -> Bool {
    posts.values.contains { $0.post.plan == plan && !$0.isHidden && !reported.contains(.post($0.post.id)) }
  }

  /// No post has the plan any more.
  mutating func dropPlan(_ plan: PlanID) {
    for (id, entry) in posts where entry.post.plan == plan { posts[id]?.post.plan = nil }
  }

  /// Whether a player has written or liked anything.
  func keeps(_ player: PlayerID) -> Bool {
    posts.values.contains { entry in
      entry.post.author == player || entry.likes[player] != nil
        || entry.comments.contains { $0.comment.author == player }
    }
  }

  mutating func takeVanishedLikes() -> [PlayerID] {
    defer { vanishedLikes = [] }
    return vanishedLikes
  }

  /// Deletes a player's posts, comments, likes and views.
  mutating func forget(_ player: PlayerID) {
    for entry in posts.values where entry.post.author == player { vanishedLikes += entry.likes.keys }
    posts = posts.filter { $0.value.post.author != player }
    for (id, var entry) in posts {
      entry.views[player] = nil
      if entry.likes.removeValue(forKey: player) != nil { entry.post.counts.likes -= 1 }
      let gone = entry.comments.filter { $0.comment.author == player }
      entry.comments.removeAll { $0.comment.author == player }
      entry.post.counts.comments -= Int64(gone.count { !$0.isHidden })
      posts[id] = entry
    }
  }
}

extension StoryChange {
  /// The player who makes the change; nil where nobody does.
  fileprivate var player: PlayerID? {
    switch self {
    case .write(let post): post.author
    case .edit(let edit): edit.author
    case .comment(let comment): comment.author
    case .delete(_, let player), .editComment(_, let player, _, _), .deleteComment(_, let player),
      .like(_, let player, _),
      .unlike(_, let player), .view(_, let player, _):
      player
    case .hide: nil
    }
  }

  /// The post that is liked or looked at.
  fileprivate var post: PostID? {
    switch self {
    case .like(let id, _, _), .unlike(let id, _), .view(let id, _, _): id
    default: nil
    }
  }
}

extension PostID {
  fileprivate var subject: MemoryMedia.Subject { MemoryMedia.Subject(kind: .post, id: value) }
}
