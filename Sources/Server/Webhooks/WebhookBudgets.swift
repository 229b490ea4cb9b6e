// The budgets of webhooks: events at fences, and those that wait in memory for the store.
import Gateway
import Net

extension Budget {
  // An honest player is on a few fences, and jitter brings no events. The burst is a day's walk through a city.
  static let fenceEvents = Budget("FENCE_EVENTS", for: .player, .perMinute(60, burst: 600))
  static let fenceEventsOfAddress = Budget("FENCE_EVENTS", for: .address, .perMinute(6_000), exemptsLoopback: true)

  // Amounts.
  static let keptEvents = Budget(amountOf: "KEPT_EVENT_BYTES", for: .process)

  static let ofWebhooks: [Budget] = [.fenceEvents, .fenceEventsOfAddress, .keptEvents]
}

extension Webhooks {
  package var amounts: [BudgetAmount] {
    [BudgetAmount(.keptEvents, used: shared.kept.bytes, bound: shared.kept.bytesMax)]
  }
}
