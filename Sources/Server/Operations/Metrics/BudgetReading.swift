// The present use of each budget.
//
// On the first shard's thread, on request.
import Gateway
import MadangProtocol
import Net
import Store

extension Operations {
  var budgetRows: [BudgetRow] {
    let uses = gateway.budgets.uses(at: gateway.core.now)
    return Budget.allCases.map { budget in
      let use = uses[budget.rawValue]
      if let rate = budget.rate {
        return BudgetRow(budget: budget, bound: rate.burst, used: use.used, refusals: use.refusals)
      }
      let amount = amount(of: budget)
      return BudgetRow(
        budget: budget,
        bound: Int64(amount.bound),
        used: Int64(amount.used),
        refusals: use.refusals + amount.refusals
      )
    }
  }

  private func amount(of budget: Budget) -> (used: Int, bound: Int, refusals: Int) {
    let limits = gateway.core.limits
    switch budget {
    case .openRooms: return (gateway.directory.counts.rooms, context.configuration.roomsMax, 0)
    case .openRoomsOfPlayer: return (gateway.directory.mostRooms.ofPlayer, Limits.openRoomsForPlayer, 0)
    case .openRoomsOfAddress: return (gateway.directory.mostRooms.ofAddress, Limits.openRoomsForAddress, 0)
    case .waitingPasswords: return (accounts.passwords.waiting.inAll, HashingQueue.waitingMax, 0)
    case .waitingPasswordsOfAddress:
      return (accounts.passwords.waiting.ofNetwork, HashingQueue.waitingMaxOfNetwork, 0)
    case .waitingJournals: return (gateway.context.commits.waitingBytes, GroupCommit.waitingBytesMax, 0)
    case .connections:
      return (gateway.core.budgets.connections.used.inAll, limits.connectionsMax, 0)
    case .connectionsOfAddress:
      return (gateway.core.budgets.connections.used.ofAddress, limits.connectionsPerAddressMax, 0)
    case .requestsOfAddress:
      let requests = gateway.core.budgets.requests
      return (requests.mostUsed(at: gateway.core.now), limits.requestsPerMinuteForAddress, requests.refusals)
    case .upgradesOfAddress:
      let upgrades = gateway.core.budgets.upgrades
      return (upgrades.mostUsed(at: gateway.core.now), limits.upgradesPerMinuteForAddress, upgrades.refusals)
    case .handshakes: return (gateway.core.budgets.handshakes.count, gateway.core.budgets.handshakes.totalMax, 0)
    case .unsentBytes:
      return (gateway.core.budgets.unsent.usedBytes, gateway.core.budgets.unsent.bytesMax, 0)
    case .dataBytes:
      guard let usage = gateway.context.store.usage else { return (0, 0, 0) }
      return (usage.usedBytes, usage.bytesMax, 0)
    default: preconditionFailure("only an amount has a bound")
    }
  }
}
