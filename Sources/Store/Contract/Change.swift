// The row changes that a batch may bring, and their outcomes, by family. Plain values. A change never fails its batch:
// a refusal (a taken name, a deleted player) is an outcome. `ChangeFamily` maps each family to its outcome type.
// Decisions: 047 (docs/decisions).
import Game

/// One change of rows.
package enum Change: Sendable {
  case room(RoomChange)
  case game(GameChange)
  case session(SessionChange)
  case account(AccountChange)
  case deletion(DeletionChange)
  indirect case sanction(SanctionChange)
  indirect case `import`(ImportChange)
  indirect case proposal(ProposalChange)
  indirect case capsule(CapsuleChange)
  indirect case webhook(WebhookChange)
  indirect case story(StoryChange)
  indirect case media(MediaChange)
  indirect case plan(PlanChange)
  indirect case profile(ProfileChange)
  indirect case moderation(ModerationChange)
  indirect case track(TrackChange)
  /// Writes a minute of the server's history in place of the one of the same time of the day.
  indirect case minute(HistoryMinute)
  /// Writes an action into the audit log that has no other change.
  indirect case audit(AuditEntry)
}

/// The outcome of a change, of the same family.
package enum Outcome: Hashable, Sendable {
  case room(WriteOutcome)
  case game(GameOutcome)
  case session(SessionOutcome)
  case account(AccountOutcome)
  case deletion(WriteOutcome)
  case sanction(SanctionOutcome)
  case `import`(ImportOutcome)
  case proposal(ProposalOutcome)
  indirect case capsule(CapsuleOutcome, news: [ProgressNews] = [])
  case webhook(WebhookOutcome)
  indirect case story(StoryOutcome, news: [ProgressNews] = [])
  case media(MediaOutcome)
  indirect case plan(PlanOutcome, news: [ProgressNews] = [])
  case profile(ProfileOutcome)
  indirect case moderation(ModerationOutcome)
  case track(TrackOutcome)
  case minute(WriteOutcome)
  case audit(WriteOutcome)
}

extension Change {
  /// The outcome of a change that meets damage; nothing of the change is written.
  package var unavailable: Outcome {
    switch self {
    case .room: .room(.unavailable)
    case .game: .game(.unavailable)
    case .session: .session(.unavailable)
    case .account: .account(.unavailable)
    case .deletion: .deletion(.unavailable)
    case .sanction: .sanction(.unavailable)
    case .import: .import(.unavailable)
    case .proposal: .proposal(.unavailable)
    case .capsule: .capsule(.unavailable)
    case .webhook: .webhook(.unavailable)
    case .story: .story(.unavailable)
    case .media: .media(.unavailable)
    case .plan: .plan(.unavailable)
    case .profile: .profile(.unavailable)
    case .moderation: .moderation(.unavailable)
    case .track: .track(.unavailable)
    case .minute: .minute(.unavailable)
    case .audit: .audit(.unavailable)
    }
  }
}

extension Outcome {
  /// What the change has earned, for the players who are to be told.
  package var news: [ProgressNews] {
    switch self {
    case .capsule(_, let news), .story(_, let news), .plan(_, let news): news
    default: []
    }
  }
}
