// The budgets of school taps.
import Gateway
import MadangProtocol

extension Budget {
  static let schoolChoices = Budget("SCHOOL_CHOICES", for: .player, .perMinute(Limits.schoolChoicesPerMinute))

  static let ofTaps: [Budget] = [.schoolChoices]
}
