// The news of one watched post or feed at one tick: what has changed, and the whole for who lacks something. Each is
// encoded once for all watchers of a shard and encoding, and anew only for who has blocked an author in it.
//
// Owned by the shard's `Stories`, for one delivery.
// Decisions: 116 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

final class StoryNews {
  /// One message, in the encodings and compressions that its receivers need.
  private final class Form {
    let body: WireServerMessage.OneOf_Body
    var json = SharedFrames(.text)
    var proto = SharedFrames(.binary)

    init(_ body: WireServerMessage.OneOf_Body) {
      self.body = body
    }
  }

  /// Nil where nothing has changed.
  private var changes: Form?
  private let whole: Form
  /// The authors of what is in them, and what it is.
  private let authors: Set<PlayerID>
  private let subjects: Set<ReportSubject>
  /// The author of the post that they are of; nil for a feed, and for the end of a post.
  private let postAuthor: PlayerID?
  /// The watches end with it.
  let isEnd: Bool
  let type: SentType
  private(set) var encodings = 0
  /// A watcher has missed it.
  var hasLaggards = false

  var hasNews: Bool { changes != nil }

  /// The end of a post.
  init(endOf audience: WatchAudience) {
    guard case .post(let id) = audience.subject else { preconditionFailure("a feed has no end") }
    var news = WirePostNews()
    news.postID = id.description
    news.deleted = true
    whole = Form(.postNews(news))
    changes = whole
    (authors, subjects, postAuthor, isEnd, type) = ([], [], nil, true, .postNews)
  }

  /// The changes that a post's watchers lack; afterwards they know them.
  init(_ opened: OpenedPost, to audience: WatchAudience) {
    let (post, comments) = (opened.seen.post, opened.comments.comments)
    var all = WirePostNews(post)
    all.anew = true
    all.post = WirePost(opened.seen)
    all.comments = comments.reversed().map { WireComment($0) }
    whole = Form(.postNews(all))
    let now = ToldPost(opened)
    if case .post(let told)? = audience.told {
      let fresh = comments.prefix { $0.comment.number > told.commentNumber }
      var news = WirePostNews(post)
      news.comments = fresh.reversed().map { WireComment($0) }
      news.gap = fresh.count == comments.count && opened.comments.next != nil
      news.editedComments = comments.dropFirst(fresh.count).reversed().compactMap { comment in
        audience.readEdits.contains(comment.comment.id) ? WireComment(comment) : nil
      }
      news.deletedComments = audience.deletedComments.map(\.description)
      if told.version != now.version { news.post = WirePost(opened.seen) }
      let isSame = told == now && news.editedComments.isEmpty && news.deletedComments.isEmpty
      // Comments that went with a deleted player have no act: then everybody gets the whole.
      let deletedCount = Int64(audience.deletedComments.count)
      let isExplained =
        news.gap || told.counts.comments + Int64(fresh.count) - deletedCount == now.counts.comments
      if !isSame { changes = isExplained ? Form(.postNews(news)) : whole }
    }
    audience.told = .post(now)
    audience.readEdits = []
    audience.deletedComments = []
    (authors, postAuthor) = (Set(comments.map(\.comment.author)), post.author)
    subjects = Set(comments.map { .comment($0.comment.id) })
    (isEnd, type) = (false, .postNews)
  }

  /// The changes that a feed's watchers lack; afterwards they know them.
  init(_ page: FeedPage, to audience: WatchAudience) {
    var all = WireFeedNews()
    all.anew = true
    all.order = page.posts.map(\.post.id.description)
    all.posts = page.posts.map { WirePost($0) }
    whole = Form(.feedNews(all))
    let now = page.posts.map { ToldPost($0.post) }
    if case .feed(let told, isAll: _)? = audience.told, told != now {
      let known = Dictionary(uniqueKeysWithValues: told.map { ($0.id, $0) })
      var news = WireFeedNews()
      if told.map(\.id) != now.map(\.id) { news.order = all.order }
      // An empty order says nothing.
      news.anew = now.isEmpty
      for seen in page.posts {
        let (post, before) = (seen.post, known[seen.post.id])
        if before?.version != post.version {
          news.posts.append(WirePost(seen))
        } else if before?.counts != post.counts {
          news.counts.append(WirePostCounts(post.id, post.counts))
        }
      }
      changes = Form(.feedNews(news))
    }
    audience.told = .feed(now, isAll: page.next == nil)
    (authors, postAuthor, isEnd, type) = (Set(page.posts.map(\.post.author)), nil, false, .feedNews)
    subjects = Set(page.posts.map { .post($0.post.id) })
  }

  /// Sends what a watcher lacks, or the whole.
  ///
  /// - Returns: whether it was sent.
  func send(to session: Session, isWhole: Bool, on core: ShardCore) -> Bool {
    let blocked = session.blocked
    if let postAuthor, blocked.contains(postAuthor) { return false }
    let reported = session.part(StoryWatcher.self)?.reported ?? []
    guard blocked.isDisjoint(with: authors), reported.isDisjoint(with: subjects) else {
      guard let body = (isWhole ? whole : changes)?.body else { return false }
      encodings += 1
      session.send(body.without(blocked, reported))
      return true
    }
    guard let form = isWhole ? whole : changes else { return false }
    return send(form, to: session, on: core)
  }

  private func send(_ form: Form, to session: Session, on core: ShardCore) -> Bool {
    let (body, subprotocol) = (form.body, session.subprotocol)
    let write: (inout [UInt8]) -> Void = { [self] bytes in
      encodings += 1
      var message = WireServerMessage()
      message.body = body
      subprotocol.append(message, to: &bytes)
    }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let byteCount: Int?
    switch subprotocol {
    case .json:
      form.json.fill(on: core, write)
      byteCount = form.json.send(to: session.connection, nothing, on: core)
    case .proto:
      form.proto.fill(on: core, write)
      byteCount = form.proto.send(to: session.connection, nothing, on: core)
    }
    guard let byteCount else { return false }
    session.traffic.note(sent: type, bytes: byteCount)
    return true
  }
}

extension WirePostNews {
  fileprivate init(_ post: Post) {
    self.init()
    postID = post.id.description
    likes = UInt32(clamping: post.counts.likes)
    views = UInt32(clamping: post.counts.views)
    commentCount = UInt32(clamping: post.counts.comments)
  }
}

extension WireServerMessage.OneOf_Body {
  /// The news without what some players have written, and without some posts and comments.
  fileprivate func without(_ blocked: Set<PlayerID>, _ reported: Set<ReportSubject>) -> Self {
    let ids = Set(blocked.map(\.description))
    let subjects = Set(reported.map { PlayerID($0.id).description })
    switch self {
    case .postNews(var news):
      news.comments.removeAll { ids.contains($0.authorID) || subjects.contains($0.commentID) }
      news.editedComments.removeAll { ids.contains($0.authorID) || subjects.contains($0.commentID) }
      return .postNews(news)
    case .feedNews(var news):
      news.posts.removeAll { ids.contains($0.authorID) || subjects.contains($0.postID) }
      return .feedNews(news)
    default: return self
    }
  }
}
