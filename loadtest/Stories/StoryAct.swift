// One act of a bot in posts, and the request that it is. A value.
import MadangProtocol

struct StoryAct: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case write, edit, delete, comment, like, unlike, read, list, search, watch, upload, audit
  }

  let kind: Kind
  /// The post that it is about; empty for none.
  let post: String
  /// The pictures of a new post.
  var media: [String] = []
  let body: WireClientMessage.OneOf_Body

  /// Whether a second one right behind it changes nothing.
  var mayRepeat: Bool { [.like, .unlike, .read].contains(kind) }

  static func write(_ title: String, _ text: String, _ media: [String]) -> StoryAct {
    var wire = WireWritePost()
    (wire.title, wire.text, wire.media, wire.countries) = (title, text, media, ["KR"])
    return StoryAct(kind: .write, post: "", media: media, body: .writePost(wire))
  }

  static func edit(_ post: String, _ text: String) -> StoryAct {
    var wire = WireEditPost()
    (wire.postID, wire.text) = (post, text)
    return StoryAct(kind: .edit, post: post, body: .editPost(wire))
  }

  static func delete(_ post: String) -> StoryAct {
    var wire = WireDeletePost()
    wire.postID = post
    return StoryAct(kind: .delete, post: post, body: .deletePost(wire))
  }

  static func comment(_ post: String, _ text: String) -> StoryAct {
    var wire = WireCommentRequest()
    (wire.postID, wire.text) = (post, text)
    return StoryAct(kind: .comment, post: post, body: .comment(wire))
  }

  static func like(_ post: String) -> StoryAct {
    var wire = WireLike()
    wire.postID = post
    return StoryAct(kind: .like, post: post, body: .like(wire))
  }

  static func unlike(_ post: String) -> StoryAct {
    var wire = WireUnlike()
    wire.postID = post
    return StoryAct(kind: .unlike, post: post, body: .unlike(wire))
  }

  static func read(_ post: String, kind: Kind = .read) -> StoryAct {
    var wire = WireReadPost()
    (wire.postID, wire.limit) = (post, 50)
    return StoryAct(kind: kind, post: post, body: .readPost(wire))
  }

  static func watch(_ post: String) -> StoryAct {
    var wire = WireWatchPost()
    wire.postID = post
    return StoryAct(kind: .watch, post: post, body: .watchPost(wire))
  }

  /// A page of all posts, or of an author's.
  static func list(author: String = "", cursor: String = "", limit: UInt32 = 50, kind: Kind = .list) -> StoryAct {
    var wire = WireListPosts()
    (wire.sort, wire.authorID, wire.cursor, wire.limit) = (.newest, author, cursor, limit)
    return StoryAct(kind: kind, post: "", body: .listPosts(wire))
  }

  static func search(_ word: String) -> StoryAct {
    var wire = WireSearchPosts()
    (wire.query, wire.limit) = (word, 50)
    return StoryAct(kind: .search, post: "", body: .searchPosts(wire))
  }

  static func askUpload(_ bytes: Int) -> StoryAct {
    var wire = WireAskUpload()
    (wire.bytes, wire.type) = (UInt32(clamping: bytes), "image/png")
    return StoryAct(kind: .upload, post: "", body: .askUpload(wire))
  }
}
