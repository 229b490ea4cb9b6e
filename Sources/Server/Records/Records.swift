// The feature of lands and records on one shard: results of games, records by day, badges, lands and their rankings.
//
// Owned by one shard and used on its queue. It only reads the store, but for proposals of lands.
import Gateway
import MadangProtocol
import Net

package final class Records: Feature {
  package unowned let gateway: ShardGateway
  /// The days that records are counted by.
  let days: DayRanges
  /// The thread that replays games for proposals.
  let proposals: BoundedQueue
  private(set) var rankingsTimer: UInt64 = 0
  private let find: @Sendable (ShardCore) -> Records

  package static let name: String? = "records"

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Records) {
    self.gateway = gateway
    days = context.configuration.days
    proposals = context.proposals
    self.find = find
    rankingsTimer = gateway.addTimer { [unowned self] in keepRankings() }
    gateway.handleQuery { [unowned self] in answerResults($0, $1) }
    gateway.handleQuery { [unowned self] in answerRecords($0, $1) }
    gateway.handleQuery { [unowned self] in findLands($0, $1) }
    gateway.handleQuery { [unowned self] in answerLand($0, $1) }
    gateway.handleQuery { [unowned self] in answerLandRanking($0, $1) }
    gateway.handleQuery { [unowned self] in answerLandRankings($0, $1) }
    gateway.handleQuery { [unowned self] in answerLandRankingPage($0, $1) }
    gateway.handleQuery { [unowned self] in answerPlayerLands($0, $1) }
    gateway.handle(typed: \WireProposeLand.name) { [unowned self] in proposeLand($0, $1) }
    gateway.handleQuery { [unowned self] in answerLandProposals($0, $1) }
  }

  package static var budgets: [Budget] { Budget.ofRecords }

  package var shards: ServiceShards<Records> { ServiceShards(gateway.core.siblings, find) }
}
