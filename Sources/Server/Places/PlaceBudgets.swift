// The budgets of places: changes of capsules, and reads of those around a player.
import Gateway
import MadangProtocol

extension Budget {
  static let capsuleChanges = Budget("CAPSULE_CHANGES", for: .player, .perMinute(Limits.capsuleChangesPerMinute))
  static let capsuleChangesOfAddress = Budget(
    "CAPSULE_CHANGES",
    for: .address,
    .perMinute(Limits.capsuleChangesPerMinuteForAddress),
    exemptsLoopback: true
  )

  static let capsuleReads = Budget("CAPSULE_READS", for: .player, .perMinute(Limits.capsuleReadsPerMinute))

  static let ofPlaces: [Budget] = [.capsuleChanges, .capsuleChangesOfAddress, .capsuleReads]
}
