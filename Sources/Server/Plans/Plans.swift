// The feature of travel plans on one shard: making, editing, sharing by posts, and taking over.
//
// Owned by one shard and used on its queue. The store has everything.
// Decisions: 119 (docs/decisions).
import Gateway
import MadangProtocol
import Net

package final class Plans: Feature {
  package unowned let gateway: ShardGateway
  typealias Find = @Sendable (ShardCore) -> Plans
  private let find: Find
  package internal(set) var statistics = PlanStatistics()

  init(_ gateway: ShardGateway, _ find: @escaping Find) {
    self.gateway = gateway
    self.find = find
    gateway.handle(typed: \WireWritePlan.title) { [unowned self] in writePlan($0, $1) }
    gateway.handle(typed: \WireEditPlan.title) { [unowned self] in editPlan($0, $1) }
    gateway.handle(typed: \WireAddStop.stop.title, \.stop.text) { [unowned self] in addStop($0, $1) }
    gateway.handle(typed: \WireEditStop.title, \.text) { [unowned self] in editStop($0, $1) }
    gateway.handle { [unowned self] in moveStop($0, $1) }
    gateway.handle { [unowned self] in deleteStop($0, $1) }
    gateway.handle { [unowned self] in deletePlan($0, $1) }
    gateway.handle { [unowned self] in takeOverPlan($0, $1) }
    gateway.handleQuery { [unowned self] in readPlan($0, $1) }
    gateway.handleQuery { [unowned self] in listPlans($0, $1) }
  }

  package static let name: String? = "plans"
  package static var metrics: [Metric] { Metric.ofPlans }
  package static var budgets: [Budget] { Budget.ofPlans }

  package var shards: ServiceShards<Plans> { ServiceShards(gateway.core.siblings, find) }
}
