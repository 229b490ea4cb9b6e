// Stories: posts, their comments, likes and views. Part of the contract. They are written by `StoryChange`.
//
// A player sees all posts and comments but those of players whom they have blocked, those that they have reported, and
// those that are hidden, of which they see their own. Hidden posts are in no list but in that of their author, and
// there only for the author.
import Game

/// Stories. The calls return at once, on any thread.
package protocol StoryStore: Sendable {
  /// A post with the first page of its comments; nil for one that is unknown or that the player does not see.
  func post(
    _ id: PostID,
    for player: PlayerID,
    comments order: CommentOrder,
    limit: Int,
    _ completion: @escaping Completion<OpenedPost?>
  )

  /// Up to `limit` comments of a post behind the one with this number, which may be there no more; nil for a post that
  /// is unknown or that the player does not see.
  func comments(
    of post: PostID,
    for player: PlayerID,
    _ order: CommentOrder,
    after number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<CommentPage?>
  )

  /// Up to `limit` of a scope's posts behind the cursor. The cursor is a place and no post: a page goes on there,
  /// whatever has become of the posts. A post whose likes or views change while a player turns pages may be met twice
  /// or not at all.
  func feed(
    _ scope: FeedScope,
    by sort: FeedSort,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  )

  /// The up to `limit` posts with the most likes among those written at `since` or later, of equal ones the later
  /// one first; with a country those about it. `since` lies at most `topPostsSpan` before the newest post. Of a country
  /// with more than 1,000 of them, they are the most liked of its newest 1,000 and of its most liked 1,000 of all time.
  func topPosts(
    about country: CountryCode?,
    writtenSince since: Instant,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[SeenPost]>
  )

  /// The up to `limit` of some countries that have the posts with the most likes, one at least, among those written at
  /// `since` or later; the country of the first post first. Hidden posts don't count. `since` is as for `topPosts`, and
  /// so is the bound of a country whose posts are not among the 1,000 most liked ones of all countries.
  func countries(
    mostLikedSince since: Instant,
    among countries: Set<CountryCode>,
    limit: Int,
    _ completion: @escaping Completion<[CountryCode]>
  )

  /// Up to `limit` posts that have all words of a query in their titles and texts, also as parts of longer words; the
  /// newest first, behind the cursor. Words are compared as `SearchText` has them. A query without words finds nothing.
  func searchPosts(
    _ query: SearchText,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  )

  /// The up to `limit` hashtags that the most posts have, of equal ones the lower one first. Hidden posts don't count.
  func hashtags(limit: Int, _ completion: @escaping Completion<[HashtagCount]>)

  func storyCounts(_ completion: @escaping Completion<StoryCounts>)
}

/// The time before the newest post that the questions for the most liked posts reach.
package let topPostsSpan = Duration.seconds(31 * 86_400)
