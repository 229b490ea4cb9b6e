// The feature of profiles on one shard: what players say of themselves, and what they have earned.
//
// Owned by one shard and used on its queue. The store has everything. Experience and collectibles are reckoned in the
// commits of what earns them, by whatever feature; here their players are told.
// Decisions: 120 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

package final class Profiles: Feature {
  package unowned let gateway: ShardGateway
  let media: Media
  private let find: @Sendable (ShardCore) -> Profiles
  package var statistics = ProfileStatistics()

  /// Makes the feature. `media` has the addresses of pictures.
  init(_ gateway: ShardGateway, media: Media, _ find: @escaping @Sendable (ShardCore) -> Profiles) {
    self.gateway = gateway
    self.media = media
    self.find = find
    gateway.handle(typed: \WireSetProfile.introduction) { [unowned self] in setProfile($0, $1) }
    gateway.handleQuery { [unowned self] in answerProfile($0, $1) }
    gateway.journal.addObserver { [unowned self] in tell($0.news) }
  }

  package static let name: String? = "profiles"
  package static var metrics: [Metric] { Metric.ofProfiles }
  package static var budgets: [Budget] { Budget.ofProfiles }

  package var shards: ServiceShards<Profiles> { ServiceShards(gateway.core.siblings, find) }

  /// Tells players what a commit of this shard has brought them, on whatever shard they are.
  private func tell(_ news: [ProgressNews]) {
    for one in news {
      statistics.note(one)
      let body = one.wire
      guard let place = gateway.directory.keep({ $0.send(body) }, for: one.player) else { continue }
      shards[place.shard].post { $0.gateway.carryOutOrders(at: place) }
    }
  }
}
