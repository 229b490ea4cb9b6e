// What has been done to posts, for those who watch: from the shard where it was committed to all others. Values.
import Game
import Store

struct StoryAct: Sendable {
  enum Kind: Sendable {
    /// The post was written or edited, and belongs to these feeds, or did before.
    case scopes(Set<FeedScope>)
    case deleted
    case commented
    case commentEdited(CommentID)
    case commentDeleted(DeletedComment)
    /// Its likes have changed.
    case liked
    case viewed
  }

  let post: PostID
  let kind: Kind

  init(_ post: PostID, _ kind: Kind) {
    self.post = post
    self.kind = kind
  }
}

/// A comment that is gone, or hidden.
struct DeletedComment: Sendable {
  let id: CommentID
  let author: PlayerID
}

/// The acts of one turn, as they concern feeds, until the next tick of feeds.
struct FeedActs {
  private var posts: Set<PostID> = []
  private var scopes: Set<FeedScope> = []
  private var areLiked = false
  private var areViewed = false

  var isEmpty: Bool { posts.isEmpty }

  mutating func note(_ act: StoryAct) {
    posts.insert(act.post)
    switch act.kind {
    case .scopes(let changed): scopes.formUnion(changed)
    case .liked: areLiked = true
    case .viewed: areViewed = true
    case .deleted, .commented, .commentEdited, .commentDeleted: break
    }
  }

  /// Whether a feed's first page, which shows these posts, may be another one now.
  func concern(_ feed: FeedKey, showing shown: some Sequence<PostID>) -> Bool {
    switch feed.sort {
    case .likes where areLiked, .views where areViewed: return true
    default: return scopes.contains(feed.scope) || shown.contains(where: posts.contains)
    }
  }
}

/// A feed by its set of posts and its order.
struct FeedKey: Hashable, Sendable {
  let scope: FeedScope
  let sort: FeedSort
  /// Only posts of these last days; nil for all.
  var topDays: Int?

  var country: CountryCode? {
    if case .country(let country) = scope { country } else { nil }
  }
}

extension Post {
  /// The sets of posts that it belongs to.
  var scopes: Set<FeedScope> {
    var scopes: Set<FeedScope> = [.everyone, .author(author)]
    for country in countries { scopes.insert(.country(country)) }
    for hashtag in hashtags { scopes.insert(.hashtag(hashtag)) }
    return scopes
  }
}
