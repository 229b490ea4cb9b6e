// The budgets of profiles.
import Gateway
import MadangProtocol

extension Budget {
  static let profileChanges = Budget("PROFILE_CHANGES", for: .player, .perMinute(Limits.profileChangesPerMinute))
  static let profileChangesOfAddress = Budget(
    "PROFILE_CHANGES",
    for: .address,
    .perMinute(Limits.profileChangesPerMinuteForAddress),
    exemptsLoopback: true
  )

  static let ofProfiles: [Budget] = [.profileChanges, .profileChangesOfAddress]
}
