// Counts of one shard's accounts since it began. A value; others get copies.
import Gateway
import MadangProtocol

/// The outcome of a `resume`.
enum ResumeOutcome: Int, CaseIterable, Sendable {
  /// Back in the room that the player was in.
  case inRoom
  /// The session goes on; the player is in no room, or was removed from it.
  case withoutRoom
  case badToken, sessionEnded, sessionExpired, banned
  /// A newer connection of the player came first.
  case replaced
  /// The store did not answer.
  case storeUnavailable
  /// The player or the address came back too often.
  case rateLimited
}

package struct AccountStatistics: FeatureStatistics {
  var resumes = Counts<ResumeOutcome>()

  package init() {}

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.resumes = left.resumes + right.resumes
    return sum
  }
}

extension ResumeOutcome {
  /// The outcome of a refused resume.
  init(_ code: WireErrorCode) {
    self =
      switch code {
      case .sessionEnded: .sessionEnded
      case .sessionExpired: .sessionExpired
      case .banned: .banned
      default: .badToken
      }
  }

  /// The public name; for a refusal, its code on the wire.
  var name: String {
    switch self {
    case .inRoom: "IN_ROOM"
    case .withoutRoom: "WITHOUT_ROOM"
    case .badToken: WireErrorCode.badToken.name
    case .sessionEnded: WireErrorCode.sessionEnded.name
    case .sessionExpired: WireErrorCode.sessionExpired.name
    case .banned: WireErrorCode.banned.name
    case .replaced: "REPLACED"
    case .storeUnavailable: WireErrorCode.storeUnavailable.name
    case .rateLimited: WireErrorCode.rateLimited.name
    }
  }
}
