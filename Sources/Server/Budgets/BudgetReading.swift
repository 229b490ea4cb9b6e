// The present use of each budget.
//
// On the first shard's thread, when somebody asks.
import MadangProtocol
import Net
import Store

extension PlayService {
  package var budgetRows: [BudgetRow] {
    let uses = budgets.uses(at: core.now)
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
    let limits = core.limits
    switch budget {
    case .openRooms: return (directory.counts.rooms, commons.configuration.roomsMax, 0)
    case .openRoomsOfPlayer: return (directory.mostRooms.ofPlayer, Limits.openRoomsForPlayer, 0)
    case .openRoomsOfAddress: return (directory.mostRooms.ofAddress, Limits.openRoomsForAddress, 0)
    case .waitingPasswords: return (commons.passwords.waiting.inAll, PasswordDesk.waitingMax, 0)
    case .waitingPasswordsOfAddress:
      return (commons.passwords.waiting.ofNetwork, PasswordDesk.waitingMaxOfNetwork, 0)
    case .waitingJournals: return (commons.commits.waitingBytes, GroupCommit.waitingBytesMax, 0)
    case .connections:
      return (core.budgets.connections.used.inAll, limits.connectionsMax, 0)
    case .connectionsOfAddress:
      return (core.budgets.connections.used.ofAddress, limits.connectionsPerAddressMax, 0)
    case .requestsOfAddress:
      let requests = core.budgets.requests
      return (requests.mostUsed(at: core.now), limits.requestsPerMinuteForAddress, requests.refusals)
    case .upgradesOfAddress:
      let upgrades = core.budgets.upgrades
      return (upgrades.mostUsed(at: core.now), limits.upgradesPerMinuteForAddress, upgrades.refusals)
    case .handshakes: return (core.budgets.handshakes.count, core.budgets.handshakes.totalMax, 0)
    case .unsentBytes:
      return (core.budgets.unsent.usedBytes, core.budgets.unsent.bytesMax, 0)
    case .dataBytes:
      guard let usage = commons.store.usage else { return (0, 0, 0) }
      return (usage.usedBytes, usage.bytesMax, 0)
    default: preconditionFailure("a rate is no amount")
    }
  }
}
