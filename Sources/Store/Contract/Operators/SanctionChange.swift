// Sanctions that operators impose and lift. Plain values. Each comes with its row of the audit log.
import Game

/// A change of a sanction.
package enum SanctionChange: Hashable, Sendable {
  /// Imposes a sanction in place of the player's one of the same kind, and writes that into the audit log.
  case put(Sanction, AuditEntry)
  /// Lifts the sanction of a kind that is in force at a moment, and writes that into the audit log.
  case lift(PlayerID, SanctionKind, at: Instant, AuditEntry)
}

/// The outcome of a sanction's change.
package enum SanctionOutcome: Hashable, Sendable {
  case ok
  /// The player is unknown, or has no such sanction in force; nothing is written, not even into the audit log.
  case notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
