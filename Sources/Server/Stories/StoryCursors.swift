// The texts of cursors, which are opaque to clients. Each belongs to one list, and is refused with any other. Values.
import Game
import Store

/// A list of posts.
enum PostList {
  case feed(FeedKey)
  case search(SearchText)

  /// A few digits that other lists don't have, unless somebody makes them on purpose: then the page is a wrong one.
  fileprivate var mark: String {
    let name =
      switch self {
      case .feed(let feed): "\(feed.scope.name) \(feed.sort)"
      case .search(let query): "search \(query.joined)"
      }
    return Self.mark(of: name)
  }

  /// FNV-1a: the same in every process.
  fileprivate static func mark(of name: String) -> String {
    let hash = name.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}

extension FeedScope {
  fileprivate var name: String {
    switch self {
    case .everyone: "everyone"
    case .author(let player): "author \(player)"
    case .country(let country): "country \(country)"
    case .hashtag(let hashtag): "hashtag \(hashtag)"
    }
  }
}

extension PostCursor {
  func text(in list: PostList) -> String { "\(list.mark).\(key).\(number)" }

  /// Reads what `text` writes for the same list; nil for any other text.
  init?(_ text: String, in list: PostList) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == list.mark, let key = Int64(parts[1]), let number = Int64(parts[2]) else {
      return nil
    }
    self.init(key: key, number: number)
  }
}

/// A place among the comments of a post.
struct CommentCursor {
  let post: PostID
  let order: CommentOrder
  let number: Int64

  private static func mark(_ post: PostID, _ order: CommentOrder) -> String {
    PostList.mark(of: "comments \(post) \(order)")
  }

  var text: String { "\(Self.mark(post, order)).\(number)" }

  init(post: PostID, order: CommentOrder, number: Int64) {
    self.post = post
    self.order = order
    self.number = number
  }

  /// Reads what `text` writes for the same post and order; nil for any other text.
  init?(_ text: String, post: PostID, order: CommentOrder) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == Self.mark(post, order), let number = Int64(parts[1]) else { return nil }
    self.init(post: post, order: order, number: number)
  }
}
