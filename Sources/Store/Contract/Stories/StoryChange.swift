// Changes of posts by their authors and by the players who read them. Plain values. A change that names a post or a
// comment which the player may not see, or may not change, has the same outcome as one that names none.
import Game

/// A post or a comment.
package enum StorySubject: Hashable, Sendable {
  case post(PostID)
  case comment(CommentID)
}

/// A change of posts, comments, likes or views. Each is refused with `.notFound` for a player who is unknown, or whose
/// deletion has begun.
package enum StoryChange: Hashable, Sendable {
  /// Writes a post, which nobody has liked or edited yet. A known post of the same author stays as it is. Outcome
  /// `.written`; `.tooMany` where the author has `Post.authoredMax` already; `.mediaNotFound` where a picture is not
  /// there or not the author's; `.planNotFound` likewise; `.notFound` for another author's identifier.
  case write(Post)
  /// Replaces fields of a post; counts and the moment of the writing stay. Outcome `.edited`; `.staleVersion`;
  /// `.mediaNotFound` or `.planNotFound` as above; or `.notFound` where the author has no such post.
  case edit(PostEdit)
  /// Deletes a post with its comments, likes and views. Outcome `.deleted`, or `.notFound` as above.
  case delete(PostID, author: PlayerID)
  /// Comments on a post. A known comment of the same author stays as it is. Outcome `.commented`; `.blocked`; or
  /// `.notFound`, also for another author's identifier.
  case comment(PostComment)
  /// Replaces a comment's text. Outcome `.commented`, or `.notFound` where the author has no such comment.
  case editComment(CommentID, author: PlayerID, text: String, at: Instant)
  /// Outcome `.deletedComment`, or `.notFound` where the author has no such comment.
  case deleteComment(CommentID, author: PlayerID)
  /// A player likes a post, which counts once. Outcome `.counted`; `.ownPost`; `.blocked`; or `.notFound`.
  case like(PostID, PlayerID, at: Instant)
  /// A player likes a post no more. Outcome `.counted`, or `.notFound` for a post that the player may not see.
  case unlike(PostID, PlayerID)
  /// A player has looked at a post. It counts unless a view of theirs has counted within `StoryRules.viewInterval`
  /// before. Outcome `.counted`, or `.notFound`.
  case view(PostID, PlayerID, at: Instant)
  /// Hides something from everybody but its author, or shows it again. Outcome `.hidden`, or `.notFound`.
  case hide(StorySubject, isHidden: Bool)
}

/// The outcome of a change of stories. Counts are those after the change.
package enum StoryOutcome: Hashable, Sendable {
  case written(Post)
  /// The post with the edit, and as it was before. Both are the same where the edit has changed nothing. `isHidden`
  /// says that nobody but its author sees it; likewise of a comment.
  indirect case edited(Post, before: Post, isHidden: Bool = false)
  /// The post as it was.
  case deleted(Post)
  /// The comment as it is kept.
  case commented(PostComment, PostCounts, isHidden: Bool = false)
  /// The comment as it was.
  case deletedComment(PostComment, PostCounts)
  /// `isChanged` is false for a repeat, which has counted nothing.
  case counted(PostCounts, isChanged: Bool)
  case hidden
  /// The post by now; it has another version than the edit names.
  case staleVersion(Post)
  case tooMany
  case mediaNotFound
  case planNotFound
  case ownPost
  /// The post's author has blocked the player.
  case blocked
  case notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}

/// The new content of a field that a post may lack.
package enum FieldEdit<Value: Hashable & Sendable>: Hashable, Sendable {
  case stays
  case removed
  case replaced(Value)

  package func applied(to value: Value?) -> Value? {
    switch self {
    case .stays: value
    case .removed: nil
    case .replaced(let new): new
    }
  }
}

/// The new contents of a post.
package struct PostEdit: Hashable, Sendable {
  package var id: PostID
  package var author: PlayerID
  /// The version that the author has seen; nil to edit whatever is there.
  package var version: Int64?
  // Each is nil for a field that stays.
  package var title: String?
  package var text: String?
  package var countries: [CountryCode]?
  package var soundtrack: Soundtrack?
  package var pictures: [MediaID]?
  package var place: FieldEdit<Coordinate>
  package var capsule: FieldEdit<CapsuleID>
  package var plan: FieldEdit<PlanID>
  package var at: Instant

  package init(
    id: PostID,
    author: PlayerID,
    version: Int64? = nil,
    title: String? = nil,
    text: String? = nil,
    countries: [CountryCode]? = nil,
    soundtrack: Soundtrack? = nil,
    pictures: [MediaID]? = nil,
    place: FieldEdit<Coordinate> = .stays,
    capsule: FieldEdit<CapsuleID> = .stays,
    plan: FieldEdit<PlanID> = .stays,
    at: Instant
  ) {
    self.id = id
    self.author = author
    self.version = version
    self.title = title
    self.text = text
    self.countries = countries
    self.soundtrack = soundtrack
    self.pictures = pictures
    self.place = place
    self.capsule = capsule
    self.plan = plan
    self.at = at
  }

  /// The post with this edit; the same post where the edit changes nothing.
  package func applied(to post: Post) -> Post {
    var edited = post
    edited.title = title ?? post.title
    edited.text = text ?? post.text
    edited.countries = countries ?? post.countries
    edited.soundtrack = soundtrack ?? post.soundtrack
    edited.pictures = pictures ?? post.pictures
    edited.place = place.applied(to: post.place)
    edited.capsule = capsule.applied(to: post.capsule)
    edited.plan = plan.applied(to: post.plan)
    guard !edited.isSame(as: post) else { return post }
    edited.editedAt = at
    edited.version += 1
    return edited
  }
}

extension Post {
  /// Compares texts by bytes, as the store does; Swift treats composed and decomposed letters as equal.
  fileprivate func isSame(as other: Post) -> Bool {
    self == other && title.utf8.elementsEqual(other.title.utf8) && text.utf8.elementsEqual(other.text.utf8)
  }
}
