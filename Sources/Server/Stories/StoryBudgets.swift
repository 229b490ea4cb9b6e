// The budgets of stories: what players write, and what they count.
import Gateway
import MadangProtocol

extension Budget {
  static let postChanges = Budget("POST_CHANGES", for: .player, .perMinute(Limits.postChangesPerMinute))
  static let postChangesOfAddress = Budget(
    "POST_CHANGES",
    for: .address,
    .perMinute(Limits.postChangesPerMinuteForAddress),
    exemptsLoopback: true
  )

  static let commentChanges = Budget("COMMENT_CHANGES", for: .player, .perMinute(Limits.commentChangesPerMinute))
  static let commentChangesOfAddress = Budget(
    "COMMENT_CHANGES",
    for: .address,
    .perMinute(Limits.commentChangesPerMinuteForAddress),
    exemptsLoopback: true
  )

  static let likes = Budget("LIKES", for: .player, .perMinute(Limits.likesPerMinute))
  static let likesOfAddress = Budget(
    "LIKES",
    for: .address,
    .perMinute(Limits.likesPerMinuteForAddress),
    exemptsLoopback: true
  )

  static let views = Budget("VIEWS", for: .player, .perMinute(Limits.viewsPerMinute))
  static let viewsOfAddress = Budget(
    "VIEWS",
    for: .address,
    .perMinute(Limits.viewsPerMinuteForAddress),
    exemptsLoopback: true
  )

  static let ofStories: [Budget] = [
    .postChanges, .postChangesOfAddress, .commentChanges, .commentChangesOfAddress, .likes, .likesOfAddress, .views,
    .viewsOfAddress,
  ]
}
