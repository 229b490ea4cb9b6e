// The budgets of travel plans: what players change.
import Gateway
import MadangProtocol

extension Budget {
  static let planChanges = Budget("PLAN_CHANGES", for: .player, .perMinute(Limits.planChangesPerMinute))
  static let planChangesOfAddress = Budget(
    "PLAN_CHANGES",
    for: .address,
    .perMinute(Limits.planChangesPerMinuteForAddress),
    exemptsLoopback: true
  )

  static let ofPlans: [Budget] = [.planChanges, .planChangesOfAddress]
}
