// A player's request about stories. A value.

/// A request, with the data needed for its answer.
enum StoryRequest {
  case write(title: String)
  /// `isNew`: the request alone may have given it this text.
  case edit(String, text: String, isNew: Bool)
  /// Whether it was surely there.
  case delete(String, wasSure: Bool)
  case comment(String, text: String)
  case deleteComment(String, of: String, wasSure: Bool)
  /// `isNew`: the request alone may have changed it.
  case like(String, isNew: Bool)
  case unlike(String, isNew: Bool)
  /// Likes one's own post.
  case likeOwn(String)
  /// Changes somebody else's post.
  case trespass(String)
  case read(String)
  case list
  case watchPost(String)
  case unwatchPost
  case watchFeed
  case unwatchFeed

  /// Whether it changes something; one change at a time is under way, or the same one twice.
  var isChange: Bool {
    switch self {
    case .write, .edit, .delete, .comment, .deleteComment, .like, .unlike: true
    case .likeOwn, .trespass, .read, .list, .watchPost, .unwatchPost, .watchFeed, .unwatchFeed: false
    }
  }

  var isWatch: Bool {
    switch self {
    case .watchPost, .unwatchPost, .watchFeed, .unwatchFeed: true
    default: false
    }
  }

  /// The post that must be there.
  var post: String? {
    switch self {
    case .edit(let id, _, _), .delete(let id, _), .comment(let id, _), .like(let id, _), .unlike(let id, _),
      .likeOwn(let id), .trespass(let id), .read(let id), .watchPost(let id), .deleteComment(_, let id, _):
      id
    case .write, .list, .unwatchPost, .watchFeed, .unwatchFeed: nil
    }
  }
}
