// A watcher's copy of a post and of the newest posts, kept by their news. Values of one player's connection.
import MadangProtocol

/// A watched post as its watcher knows it.
struct WatchedPost {
  let id: String
  /// The time of the request: everything that is told was true then or later.
  let sinceMs: Int64
  private(set) var likes: UInt32
  private(set) var views: UInt32
  private(set) var commentCount: UInt32
  private(set) var text: String
  private(set) var comments: Set<String>

  init(_ post: WirePost, sinceMs: Int64) {
    id = post.postID
    self.sinceMs = sinceMs
    (likes, views, commentCount, text) = (post.likes, post.views, post.commentCount, post.text)
    comments = Set(post.comments.map(\.commentID))
  }

  mutating func take(_ news: WirePostNews) {
    (likes, views, commentCount) = (news.likes, news.views, news.commentCount)
    if news.hasPost { text = news.post.text }
    if news.anew { comments = [] }
    comments.formUnion(news.comments.map(\.commentID))
    comments.subtract(news.deletedComments)
  }
}

/// The watched list of the newest posts.
struct WatchedFeed {
  /// The posts that news are of: the protocol's own bound.
  static let postsMax = 20

  let sinceMs: Int64
  private(set) var order: [String]
  private(set) var likes: [String: UInt32]

  init(_ page: WirePosts, sinceMs: Int64) {
    self.sinceMs = sinceMs
    order = page.posts.map(\.postID)
    likes = Dictionary(uniqueKeysWithValues: page.posts.map { ($0.postID, $0.likes) })
  }

  /// Takes news; returns the identifiers in the order of which nothing was told.
  mutating func take(_ news: WireFeedNews) -> [String] {
    if news.anew { likes = [:] }
    if news.anew || !news.order.isEmpty { order = news.order }
    for post in news.posts { likes[post.postID] = post.likes }
    for counts in news.counts { likes[counts.postID] = counts.likes }
    return order.filter { likes[$0] == nil }
  }
}
