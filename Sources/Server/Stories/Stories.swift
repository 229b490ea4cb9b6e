// The feature of stories on one shard: posts, comments, likes and views, lists of posts, and watches of them.
//
// Owned by one shard and used on its queue. The store has everything; here lies nothing but who watches what.
import Game
import Gateway
import MadangProtocol
import Net
import Store

package final class Stories: Feature {
  package unowned let gateway: ShardGateway
  typealias Find = @Sendable (ShardCore) -> Stories
  private let find: Find
  let countries: CountryCatalogue
  let media: Media
  package internal(set) var statistics = StoryStatistics()
  /// The watchers on this shard.
  let live = LiveStories()

  /// Makes the feature. `media` has the addresses of pictures.
  init(_ gateway: ShardGateway, _ context: ServerContext, media: Media, _ find: @escaping Find) {
    self.gateway = gateway
    self.media = media
    self.find = find
    countries = context.countries
    live.posts.timer = gateway.addTimer { [unowned self] in beginTick(of: live.posts) }
    live.feeds.timer = gateway.addTimer { [unowned self] in beginTick(of: live.feeds) }
    gateway.handle(typed: \WireWritePost.title, \.text) { [unowned self] in writePost($0, $1) }
    gateway.handle(typed: \WireEditPost.title, \.text) { [unowned self] in editPost($0, $1) }
    gateway.handle { [unowned self] in deletePost($0, $1) }
    gateway.handle(typed: \WireCommentRequest.text) { [unowned self] in comment($0, $1) }
    gateway.handle(typed: \WireEditComment.text) { [unowned self] in editComment($0, $1) }
    gateway.handle { [unowned self] in deleteComment($0, $1) }
    gateway.handle { [unowned self] in like($0, $1) }
    gateway.handle { [unowned self] in unlike($0, $1) }
    gateway.handleQuery { [unowned self] in readPost($0, $1) }
    gateway.handleQuery { [unowned self] in listPosts($0, $1) }
    gateway.handleQuery { [unowned self] in topPosts($0, $1) }
    gateway.handleQuery { [unowned self] in searchPosts($0, $1) }
    gateway.handleQuery { [unowned self] in listComments($0, $1) }
    gateway.handleQuery { [unowned self] in answerHashtags($0, $1) }
    gateway.handleQuery { [unowned self] in answerSounds($0, $1) }
    gateway.handleQuery { [unowned self] in watchPost($0, $1) }
    gateway.handleQuery { [unowned self] in unwatchPost($0, $1) }
    gateway.handleQuery { [unowned self] in watchFeed($0, $1) }
    gateway.handleQuery { [unowned self] in unwatchFeed($0, $1) }
  }

  package static let name: String? = "stories"
  package static var metrics: [Metric] { Metric.ofStories }
  package static var budgets: [Budget] { Budget.ofStories }
  package static var parts: [any SessionPart.Type] { [StoryWatcher.self] }

  package var shards: ServiceShards<Stories> { ServiceShards(gateway.core.siblings, find) }

  package func moving(_ session: Session) {
    endWatches(of: session)
  }

  package func arrived(_ session: Session) {
    resumeWatches(of: session)
  }

  package func closed(_ session: Session) {
    endWatches(of: session)
  }

  package func erased(_ player: PlayerID) {
    shards.postToAll { $0.lookAgain() }
  }
}
