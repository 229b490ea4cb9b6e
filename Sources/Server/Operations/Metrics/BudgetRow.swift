// A row of the table of budgets as it is at a moment, for metrics. A value.
import Gateway
import Net

/// One budget: its bound, how much of it is used, and how often somebody was refused for it.
package struct BudgetRow: Sendable {
  package let budget: Budget
  /// Of a rate what may be used at once.
  package let bound: Int64
  /// Of a rate the most that anyone had used in the last minute or two.
  package let used: Int64
  let refusals: Int

  /// With the refusals that shards count of their connections, all shards' together.
  func refusals(with net: ShardCounters) -> Int {
    switch budget {
    case .connections: refusals + net.connectionsOverLimit
    case .connectionsOfAddress: refusals + net.connectionsOverAddressLimit
    case .unsentBytes: refusals + net.connectionsShed
    default: refusals
    }
  }
}
