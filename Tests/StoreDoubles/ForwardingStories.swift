// The calls for stories of the forwarding double.
import Game
import Store

extension ForwardingStore {
  package func post(
    _ id: PostID,
    for player: PlayerID,
    comments order: CommentOrder,
    limit: Int,
    _ completion: @escaping Completion<OpenedPost?>
  ) {
    forward(completion) { $0.post(id, for: player, comments: order, limit: limit, $1) }
  }

  package func comments(
    of post: PostID,
    for player: PlayerID,
    _ order: CommentOrder,
    after number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<CommentPage?>
  ) {
    forward(completion) { $0.comments(of: post, for: player, order, after: number, limit: limit, $1) }
  }

  package func feed(
    _ scope: FeedScope,
    by sort: FeedSort,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  ) {
    forward(completion) { $0.feed(scope, by: sort, after: cursor, for: player, limit: limit, $1) }
  }

  package func topPosts(
    about country: CountryCode?,
    writtenSince since: Instant,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<[SeenPost]>
  ) {
    forward(completion) { $0.topPosts(about: country, writtenSince: since, for: player, limit: limit, $1) }
  }

  package func countries(
    mostLikedSince since: Instant,
    among countries: Set<CountryCode>,
    limit: Int,
    _ completion: @escaping Completion<[CountryCode]>
  ) {
    forward(completion) { $0.countries(mostLikedSince: since, among: countries, limit: limit, $1) }
  }

  package func searchPosts(
    _ query: SearchText,
    after cursor: PostCursor?,
    for player: PlayerID,
    limit: Int,
    _ completion: @escaping Completion<FeedPage>
  ) {
    forward(completion) { $0.searchPosts(query, after: cursor, for: player, limit: limit, $1) }
  }

  package func hashtags(limit: Int, _ completion: @escaping Completion<[HashtagCount]>) {
    forward(completion) { $0.hashtags(limit: limit, $1) }
  }

  package func storyCounts(_ completion: @escaping Completion<StoryCounts>) {
    forward(completion) { $0.storyCounts($1) }
  }

  package func plan(_ id: PlanID, for player: PlayerID, _ completion: @escaping Completion<OpenedPlan?>) {
    forward(completion) { $0.plan(id, for: player, $1) }
  }

  package func plans(
    of author: PlayerID,
    before number: Int64?,
    limit: Int,
    _ completion: @escaping Completion<PlanPage>
  ) {
    forward(completion) { $0.plans(of: author, before: number, limit: limit, $1) }
  }
}
