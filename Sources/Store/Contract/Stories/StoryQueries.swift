// The questions about posts and their answers. Plain values, the same for every back end.
import Game

/// A set of posts.
package enum FeedScope: Hashable, Sendable {
  case everyone
  case author(PlayerID)
  case country(CountryCode)
  case hashtag(Hashtag)
}

/// An order of posts. Of equal ones the one that was written later comes first.
package enum FeedSort: Hashable, Sendable, CaseIterable {
  /// In the order of their commits, the newest first.
  case latest
  /// The most likes first.
  case likes
  /// The most views first.
  case views
}

/// A place in the list of posts of one sort.
package struct PostCursor: Hashable, Comparable, Sendable {
  /// The likes or the views; 0 for the latest.
  package var key: Int64
  /// The number of the post: each has a higher one than those before it.
  package var number: Int64

  package init(key: Int64, number: Int64) {
    self.key = key
    self.number = number
  }

  package static func < (left: PostCursor, right: PostCursor) -> Bool {
    (left.key, left.number) < (right.key, right.number)
  }
}

/// A post as one player sees it.
package struct SeenPost: Hashable, Sendable {
  package var post: Post
  /// The author's present nickname; `ErasedText.text` while the author is being deleted.
  package var authorNickname: String
  package var isLiked: Bool
  /// Only its author sees a hidden post.
  package var isHidden: Bool

  package init(post: Post, authorNickname: String, isLiked: Bool, isHidden: Bool = false) {
    self.post = post
    self.authorNickname = authorNickname
    self.isLiked = isLiked
    self.isHidden = isHidden
  }
}

/// A page of posts.
package struct FeedPage: Hashable, Sendable {
  package var posts: [SeenPost]
  /// The place behind the page; nil on the last one. A page may be short, even empty, and have one: then much was
  /// passed over that the player does not see.
  package var next: PostCursor?

  package init(posts: [SeenPost] = [], next: PostCursor? = nil) {
    self.posts = posts
    self.next = next
  }
}

/// An order of a post's comments.
package enum CommentOrder: Hashable, Sendable, CaseIterable {
  case oldest
  case newest
}

/// A comment as one player sees it.
package struct SeenComment: Hashable, Sendable {
  package var comment: PostComment
  /// The author's present nickname; `ErasedText.text` while the author is being deleted.
  package var authorNickname: String
  /// Only its author sees a hidden comment.
  package var isHidden: Bool

  package init(comment: PostComment, authorNickname: String, isHidden: Bool = false) {
    self.comment = comment
    self.authorNickname = authorNickname
    self.isHidden = isHidden
  }
}

/// A page of comments.
package struct CommentPage: Hashable, Sendable {
  package var comments: [SeenComment]
  /// The number of the comment behind which the next page begins; nil on the last one. A page may be short, as a
  /// `FeedPage` may.
  package var next: Int64?

  package init(comments: [SeenComment] = [], next: Int64? = nil) {
    self.comments = comments
    self.next = next
  }
}

/// A post with a page of its comments.
package struct OpenedPost: Hashable, Sendable {
  package var seen: SeenPost
  package var comments: CommentPage
  /// The highest number that a comment of the post has had, whoever sees it; 0 before the first.
  package var newestComment: Int64

  package init(seen: SeenPost, comments: CommentPage, newestComment: Int64 = 0) {
    self.seen = seen
    self.comments = comments
    self.newestComment = newestComment
  }
}

/// A hashtag and the number of posts that have it.
package struct HashtagCount: Hashable, Sendable {
  package var hashtag: Hashtag
  package var posts: Int64

  package init(hashtag: Hashtag, posts: Int64) {
    self.hashtag = hashtag
    self.posts = posts
  }
}
