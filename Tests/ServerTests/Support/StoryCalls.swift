// Requests about posts and comments, each in one call.
import MadangProtocol
import TestSupport

extension TestPlayer {
  static func post(_ title: String, _ text: String = "글") -> WireWritePost {
    var write = WireWritePost()
    write.title = title
    write.text = text
    return write
  }

  func write(
    _ title: String,
    _ text: String = "글",
    _ configure: (inout WireWritePost) -> Void = { _ in }
  ) throws -> WirePost {
    var write = Self.post(title, text)
    configure(&write)
    let answer = try request(.writePost(write))
    guard case .post(let post) = answer else { throw TestFailure("no post: \(answer)") }
    return post
  }

  func writeRefusal(_ configure: (inout WireWritePost) -> Void) throws -> WireErrorCode {
    var write = Self.post("제목")
    configure(&write)
    return try refusal(of: .writePost(write)).code
  }

  func edit(_ post: WirePost, _ configure: (inout WireEditPost) -> Void) throws -> WirePost {
    let answer = try request(.editPost(Self.edit(post, configure)))
    guard case .post(let post) = answer else { throw TestFailure("no post: \(answer)") }
    return post
  }

  static func edit(_ post: WirePost, _ configure: (inout WireEditPost) -> Void) -> WireEditPost {
    var edit = WireEditPost()
    edit.postID = post.postID
    configure(&edit)
    return edit
  }

  static func delete(_ post: WirePost) -> WireClientMessage.OneOf_Body {
    var delete = WireDeletePost()
    delete.postID = post.postID
    return .deletePost(delete)
  }

  static func read(_ post: WirePost, limit: UInt32? = nil) -> WireClientMessage.OneOf_Body {
    var read = WireReadPost()
    read.postID = post.postID
    if let limit { read.limit = limit }
    return .readPost(read)
  }

  func read(_ post: WirePost, limit: UInt32? = nil) throws -> WirePost {
    let answer = try request(Self.read(post, limit: limit))
    guard case .post(let post) = answer else { throw TestFailure("no post: \(answer)") }
    return post
  }

  static func comment(_ post: WirePost, _ text: String) -> WireClientMessage.OneOf_Body {
    var comment = WireCommentRequest()
    comment.postID = post.postID
    comment.text = text
    return .comment(comment)
  }

  @discardableResult
  func comment(_ post: WirePost, _ text: String) throws -> WireComment {
    let answer = try request(Self.comment(post, text))
    guard case .comment(let comment) = answer else { throw TestFailure("no comment: \(answer)") }
    return comment
  }

  static func editComment(_ comment: WireComment, _ text: String) -> WireClientMessage.OneOf_Body {
    var edit = WireEditComment()
    edit.commentID = comment.commentID
    edit.text = text
    return .editComment(edit)
  }

  static func delete(_ comment: WireComment) -> WireClientMessage.OneOf_Body {
    var delete = WireDeleteComment()
    delete.commentID = comment.commentID
    return .deleteComment(delete)
  }

  /// All comments of a post, over pages of two.
  func comments(of post: WirePost, oldestFirst: Bool = false) throws -> [String] {
    var list = WireListComments()
    list.postID = post.postID
    list.oldestFirst = oldestFirst
    list.limit = 2
    var texts: [String] = []
    repeat {
      let answer = try request(.listComments(list))
      guard case .comments(let page) = answer else { throw TestFailure("no comments: \(answer)") }
      texts += page.comments.map(\.text)
      list.cursor = page.nextCursor
    } while !list.cursor.isEmpty
    return texts
  }

  static func like(_ post: WirePost) -> WireClientMessage.OneOf_Body {
    var like = WireLike()
    like.postID = post.postID
    return .like(like)
  }

  static func unlike(_ post: WirePost) -> WireClientMessage.OneOf_Body {
    var unlike = WireUnlike()
    unlike.postID = post.postID
    return .unlike(unlike)
  }

  @discardableResult
  func like(_ post: WirePost) throws -> WirePostCounts { try counts(Self.like(post)) }

  @discardableResult
  func unlike(_ post: WirePost) throws -> WirePostCounts { try counts(Self.unlike(post)) }

  private func counts(_ body: WireClientMessage.OneOf_Body) throws -> WirePostCounts {
    let answer = try request(body)
    guard case .postCounts(let counts) = answer else { throw TestFailure("no counts: \(answer)") }
    return counts
  }

  /// The titles of a list of posts, over all its pages of three.
  func posts(_ configure: (inout WireListPosts) -> Void = { _ in }) throws -> [String] {
    var list = WireListPosts()
    list.limit = 3
    configure(&list)
    var titles: [String] = []
    repeat {
      let page = try page(.listPosts(list))
      titles += page.posts.map(\.title)
      list.cursor = page.nextCursor
    } while !list.cursor.isEmpty
    return titles
  }

  func page(_ body: WireClientMessage.OneOf_Body) throws -> WirePosts {
    let answer = try request(body)
    guard case .posts(let page) = answer else { throw TestFailure("no posts: \(answer)") }
    return page
  }

  static func search(_ query: String, limit: UInt32? = nil, after cursor: String = "") -> WireClientMessage.OneOf_Body {
    var search = WireSearchPosts()
    search.query = query
    if let limit { search.limit = limit }
    search.cursor = cursor
    return .searchPosts(search)
  }

  func found(_ query: String) throws -> [String] { try page(Self.search(query)).posts.map(\.title) }

  // Watching.

  @discardableResult
  func watch(_ post: WirePost) throws -> WirePost {
    var watch = WireWatchPost()
    watch.postID = post.postID
    let answer = try request(.watchPost(watch))
    guard case .post(let post) = answer else { throw TestFailure("no post: \(answer)") }
    return post
  }

  @discardableResult
  func watchFeed(_ configure: (inout WireWatchFeed) -> Void = { _ in }) throws -> WirePosts {
    var watch = WireWatchFeed()
    configure(&watch)
    return try page(.watchFeed(watch))
  }

  /// The next news of a post.
  func postNews() throws -> WirePostNews {
    try first { if case .postNews = $0.body { true } else { false } }.postNews
  }

  /// The next news of a feed.
  func feedNews() throws -> WireFeedNews {
    try first { if case .feedNews = $0.body { true } else { false } }.feedNews
  }

  /// Takes the news that have come.
  func takeNews() throws -> [WireServerMessage.OneOf_Body] {
    _ = try request(.time(WireTimeRequest()))
    return takeAll { message in
      switch message.body {
      case .postNews?, .feedNews?: message.body
      default: nil
      }
    }
  }
}
