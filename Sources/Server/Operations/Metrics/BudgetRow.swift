// A row of the table of budgets at one moment, for metrics. A value.
import Gateway
import Net

/// One budget: its bound, its use, and its refusals.
package struct BudgetRow: Sendable {
  package let budget: Budget
  /// For a rate, the units that may be used at once.
  package let bound: Int64
  /// For a rate, the highest use of one payer in the last minute or two.
  package let used: Int64
  let refusals: Int

  /// The refusals, with those that shards count for their connections, over all shards.
  func refusals(with net: ShardCounters) -> Int {
    switch budget {
    case .connections: refusals + net.connectionsOverLimit
    case .connectionsOfAddress: refusals + net.connectionsOverAddressLimit
    case .unsentBytes: refusals + net.connectionsShed
    default: refusals
    }
  }
}
