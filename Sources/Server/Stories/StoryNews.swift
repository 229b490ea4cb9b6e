// The news of one watched post or feed at one tick: what has changed, and the whole for who lacks something. Each is
// encoded once for all watchers of a shard and encoding, and once more for all who have blocked or reported the same of
// it (`NewsForm`).
//
// Owned by the shard's `Stories`, for one delivery.
// Decisions: 116 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

final class StoryNews {
  /// Nil where nothing has changed.
  private var changes: NewsForm?
  private let whole: NewsForm
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
    whole = NewsForm(.postNews(news), of: [:])
    changes = whole
    (postAuthor, isEnd, type) = (nil, true, .postNews)
  }

  /// The changes that a post's watchers lack; afterwards they know them.
  init(_ opened: OpenedPost, to audience: WatchAudience) {
    let (post, comments) = (opened.seen.post, opened.comments.comments)
    var all = WirePostNews(post)
    all.anew = true
    all.post = WirePost(opened.seen)
    all.comments = comments.reversed().map { WireComment($0) }
    whole = NewsForm(.postNews(all), of: Dictionary(authors: comments))
    let now = ToldPost(opened)
    if case .post(let told)? = audience.told {
      let fresh = comments.prefix { $0.comment.number > told.commentNumber }
      var news = WirePostNews(post)
      news.comments = fresh.reversed().map { WireComment($0) }
      news.gap = fresh.count == comments.count && opened.comments.next != nil
      let edited = comments.dropFirst(fresh.count).filter { audience.readEdits.contains($0.comment.id) }
      news.editedComments = edited.reversed().map { WireComment($0) }
      news.deletedComments = audience.deletedComments.map(\.id.description)
      if told.version != now.version { news.post = WirePost(opened.seen) }
      let isSame = told == now && news.editedComments.isEmpty && news.deletedComments.isEmpty
      // Comments that went with a deleted player have no act: then everybody gets the whole.
      let deletedCount = Int64(audience.deletedComments.count)
      let isExplained =
        news.gap || told.counts.comments + Int64(fresh.count) - deletedCount == now.counts.comments
      if !isSame && isExplained {
        var authors = Dictionary(authors: fresh + edited)
        for deleted in audience.deletedComments { authors[.comment(deleted.id)] = deleted.author }
        changes = NewsForm(.postNews(news), of: authors, saysMore: told.counts != now.counts)
      } else if !isSame {
        changes = whole
      }
    }
    audience.told = .post(now)
    audience.readEdits = []
    audience.deletedComments = []
    (postAuthor, isEnd, type) = (post.author, false, .postNews)
  }

  /// The changes that a feed's watchers lack; afterwards they know them.
  init(_ page: FeedPage, to audience: WatchAudience) {
    var all = WireFeedNews()
    all.anew = true
    all.order = page.posts.map(\.post.id.description)
    all.posts = page.posts.map { WirePost($0) }
    let now = page.posts.map { ToldPost($0.post) }
    whole = NewsForm(.feedNews(all), of: Dictionary(authors: now))
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
      // An order also says what was in it, and is no more.
      let named = news.order.isEmpty ? now.filter { $0 != known[$0.id] } : told + now
      changes = NewsForm(.feedNews(news), of: Dictionary(authors: named), orderBefore: told.map(\.id.description))
    }
    audience.told = .feed(now, isAll: page.next == nil)
    (postAuthor, isEnd, type) = (nil, false, .feedNews)
  }

  /// Sends what a watcher lacks, or the whole, without what is hidden from them.
  ///
  /// - Returns: whether it was sent; also false where all that is new is hidden.
  func send(to session: Session, isWhole: Bool) -> Bool {
    if let postAuthor, session.blocked.contains(postAuthor) { return false }
    guard let form = (isWhole ? whole : changes)?.form(for: session) else { return false }
    guard let (byteCount, encodings) = form.send(to: session) else { return false }
    self.encodings += encodings
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

extension [ReportSubject: PlayerID] {
  fileprivate init(authors comments: some Sequence<SeenComment>) {
    self.init(comments.map { (.comment($0.comment.id), $0.comment.author) }) { first, _ in first }
  }
}
