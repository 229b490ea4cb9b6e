// The budgets of records: proposals of lands.
import Gateway
import MadangProtocol

extension Budget {
  // Each replays a game, up to a second of a processor.
  static let landProposals = Budget("LAND_PROPOSALS", for: .player, .perDay(Limits.landProposalsPerDay))
  static let landProposalsOfAddress = Budget(
    "LAND_PROPOSALS",
    for: .address,
    .perDay(Limits.landProposalsPerDayForAddress),
    exemptsLoopback: true
  )

  // Amounts.
  static let waitingProposals = Budget(amountOf: "WAITING_LAND_PROPOSALS", for: .process)

  static let ofRecords: [Budget] = [.landProposals, .landProposalsOfAddress, .waitingProposals]
}

extension Records {
  package var amounts: [BudgetAmount] {
    [BudgetAmount(.waitingProposals, used: proposals.waiting, bound: proposals.waitingMax)]
  }
}
