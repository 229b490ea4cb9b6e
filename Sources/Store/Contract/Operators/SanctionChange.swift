// What operators keep from players, and end again. Plain values. Each comes with its row of the audit log.
import Game

/// A change of a sanction.
package enum SanctionChange: Hashable, Sendable {
  /// Keeps something from a player, in place of what was kept of the kind before, and writes that into the audit log.
  case put(Sanction, AuditEntry)
  /// Ends the sanction of a kind that is in force at a moment, and writes that into the audit log.
  case lift(PlayerID, SanctionKind, at: Instant, AuditEntry)
}

/// What came of a sanction's change.
package enum SanctionOutcome: Hashable, Sendable {
  case ok
  /// There is no such player, or no such sanction in force; nothing is written, neither into the audit log.
  case notFound
  /// What is stored is damaged there, so it can't be done; all other changes of the batch are.
  case unavailable
}
