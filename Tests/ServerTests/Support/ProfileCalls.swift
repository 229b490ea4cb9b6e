// Requests about profiles, each in one call.
import MadangProtocol
import TestSupport

extension TestPlayer {
  static func setProfile(_ configure: (inout WireSetProfile) -> Void) -> WireClientMessage.OneOf_Body {
    var set = WireSetProfile()
    configure(&set)
    return .setProfile(set)
  }

  @discardableResult
  func setProfile(_ configure: (inout WireSetProfile) -> Void) throws -> WireProfile {
    let answer = try request(Self.setProfile(configure))
    guard case .profile(let profile) = answer else { throw TestFailure("no profile: \(answer)") }
    return profile
  }

  func profileRefusal(_ configure: (inout WireSetProfile) -> Void) throws -> WireErrorCode {
    try refusal(of: Self.setProfile(configure)).code
  }

  static func profile(of player: String) -> WireClientMessage.OneOf_Body {
    var request = WireProfileRequest()
    request.playerID = player
    return .profile(request)
  }

  /// A player's profile, one's own without an identifier.
  func profile(of player: String = "") throws -> WireProfile {
    let answer = try request(Self.profile(of: player))
    guard case .profile(let profile) = answer else { throw TestFailure("no profile: \(answer)") }
    return profile
  }

  /// Waits for the next collectible.
  func collectible() throws -> WireCollectible {
    try first { if case .collectible = $0.body { true } else { false } }.collectible
  }

  /// Waits for the next change of grade.
  func gradeChange() throws -> WireGradeChange {
    try first { if case .grade = $0.body { true } else { false } }.grade
  }

  /// Takes what has been told of the player's progress and was not taken.
  func takeProgress() throws -> [WireServerMessage.OneOf_Body] {
    _ = try request(.time(WireTimeRequest()))
    return takeAll { message in
      switch message.body {
      case .collectible?, .grade?: message.body
      default: nil
      }
    }
  }
}
