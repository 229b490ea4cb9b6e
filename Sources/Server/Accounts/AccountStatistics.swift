// Counts of one shard's accounts since it began. A value; others get copies.
import Gateway
import MadangProtocol

/// What became of a `resume`.
enum ResumeOutcome: Int, CaseIterable, Sendable {
  /// Back in the room that the player was in.
  case inRoom
  /// The session goes on; the player is in no room, or no longer.
  case withoutRoom
  case badToken, sessionEnded, sessionExpired, banned
  /// A newer connection of the player's was there first.
  case replaced
  /// The store could not be asked.
  case storeUnavailable
  /// The player or the address came back too often.
  case rateLimited
}

struct AccountStatistics: Sendable {
  var resumes = Counts<ResumeOutcome>()

  static func + (left: Self, right: Self) -> Self {
    AccountStatistics(resumes: left.resumes + right.resumes)
  }
}

extension ResumeOutcome {
  /// Of a resume that was refused.
  init(_ code: WireErrorCode) {
    self =
      switch code {
      case .sessionEnded: .sessionEnded
      case .sessionExpired: .sessionExpired
      case .banned: .banned
      default: .badToken
      }
  }

  /// What it is called outside: a refusal by its code on the wire.
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
