// The stored rows of posts and of their comments. Plain values, the same for every back end. The bounds on titles and
// texts are the rules' of `Game`; those here bound what one player can make the store keep.
import Game

/// The numbers that others give to a post.
package struct PostCounts: Hashable, Sendable {
  /// The players who like it.
  package var likes: Int64
  /// The counted views; those of deleted players stay.
  package var views: Int64
  /// The comments that are there and not hidden.
  package var comments: Int64

  package init(likes: Int64 = 0, views: Int64 = 0, comments: Int64 = 0) {
    self.likes = likes
    self.views = views
    self.comments = comments
  }
}

/// A post with everything that its author has written in it.
package struct Post: Hashable, Sendable {
  package let id: PostID
  package let author: PlayerID
  package var title: String
  package var text: String
  /// Up to three, each once.
  package var countries: [CountryCode]
  package var soundtrack: Soundtrack
  /// In the author's order.
  package var pictures: [MediaID]
  package var place: Coordinate?
  package var capsule: CapsuleID?
  /// A plan of the author's; nil also once it is deleted.
  package var plan: PlanID?
  package let writtenAt: Instant
  /// The moment of the last edit; nil for a post that is as it was written.
  package var editedAt: Instant?
  /// 1 for a post that is as it was written; each edit that changes something adds 1.
  package var version: Int64
  package var counts: PostCounts

  package init(
    id: PostID,
    author: PlayerID,
    title: String,
    text: String,
    countries: [CountryCode] = [],
    soundtrack: Soundtrack = .silent,
    pictures: [MediaID] = [],
    place: Coordinate? = nil,
    capsule: CapsuleID? = nil,
    plan: PlanID? = nil,
    writtenAt: Instant,
    editedAt: Instant? = nil,
    version: Int64 = 1,
    counts: PostCounts = PostCounts()
  ) {
    self.id = id
    self.author = author
    self.title = title
    self.text = text
    self.countries = countries
    self.soundtrack = soundtrack
    self.pictures = pictures
    self.place = place
    self.capsule = capsule
    self.plan = plan
    self.writtenAt = writtenAt
    self.editedAt = editedAt
    self.version = version
    self.counts = counts
  }

  /// The hashtags of the text, each once, in its order.
  package var hashtags: [Hashtag] { Hashtag.all(in: text) }

  /// The words by which a search finds it.
  package var searchText: SearchText { SearchText(title + "\n" + text) }

  /// The most posts of one author.
  package static let authoredMax = 10_000
}

/// A comment on a post.
package struct PostComment: Hashable, Sendable {
  package let id: CommentID
  package let post: PostID
  package let author: PlayerID
  package var text: String
  package let writtenAt: Instant
  /// The moment of the last edit; nil for a comment that is as it was written.
  package var editedAt: Instant?
  /// Its place among the comments of the post: the store gives 1 to the first one, then 2, and none twice. 0 before.
  package var number: Int64

  package init(
    id: CommentID,
    post: PostID,
    author: PlayerID,
    text: String,
    writtenAt: Instant,
    editedAt: Instant? = nil,
    number: Int64 = 0
  ) {
    self.id = id
    self.post = post
    self.author = author
    self.text = text
    self.writtenAt = writtenAt
    self.editedAt = editedAt
    self.number = number
  }
}

/// The totals of all posts, for metrics.
package struct StoryCounts: Hashable, Sendable {
  package var posts: Int64
  /// The sum of the counts of the posts that are there.
  package var counts: PostCounts

  package init(posts: Int64 = 0, counts: PostCounts = PostCounts()) {
    self.posts = posts
    self.counts = counts
  }
}
