// The changes of rows that a batch may bring, and what comes of each, by family. Plain values. A change never fails its
// batch: what can't be done (a name that is taken, a player who is gone) is an outcome. `ChangeFamily` has the type of
// each family's outcomes.
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
  /// Writes into the audit log what is done without another change.
  indirect case audit(AuditEntry)
}

/// What came of a change: of the same family.
package enum Outcome: Hashable, Sendable {
  case room(WriteOutcome)
  case game(GameOutcome)
  case session(SessionOutcome)
  case account(AccountOutcome)
  case deletion(WriteOutcome)
  case sanction(SanctionOutcome)
  case audit(WriteOutcome)
}

extension Change {
  /// The outcome of a change that meets damage: nothing of it is written.
  package var unavailable: Outcome {
    switch self {
    case .room: .room(.unavailable)
    case .game: .game(.unavailable)
    case .session: .session(.unavailable)
    case .account: .account(.unavailable)
    case .deletion: .deletion(.unavailable)
    case .sanction: .sanction(.unavailable)
    case .audit: .audit(.unavailable)
    }
  }
}
