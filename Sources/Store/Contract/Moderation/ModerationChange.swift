// Reports of players, decisions and warnings of operators. Plain values. Those of operators come with their row of the
// audit log.
import Game

/// An operator's decision about a thing.
package enum ModerationDecision: Hashable, Sendable {
  case hide
  case restore
}

/// A change of reports, of what they hide, or of warnings.
package enum ModerationChange: Hashable, Sendable {
  /// A player reports a thing, once; a repeat changes nothing. From then on no read shows it to them. It is hidden from
  /// everybody but its author when `ModerationRules.networksToHide` different networks are among those of the reports
  /// by accounts of `accountAgeMin` or more, unless an operator has decided on it before. What an operator has restored
  /// waits for a decision again with a report that brings the networks since then to so many, or by its number
  /// (`ModerationRules.bringsBack`); other reports leave it where it is in the queue. Outcome `.reported`; `.own`;
  /// `.tooMany` beyond `Report.reportsOfOneMax`; or `.notFound`, also for a thing that is hidden, or a capsule that the
  /// player may not see. What a player has blocked can be reported.
  case report(Report)
  /// Hides a thing from everybody but its author, or shows it. It waits for no decision any more, and the networks of
  /// its reports are forgotten. The audit log's row gets the author. Outcome `.decided`, or `.notFound`.
  case decide(ReportSubject, ModerationDecision, AuditEntry)
  /// Keeps a warning until its player has seen it. A known one stays. Outcome `.warned`; `.tooMany` beyond
  /// `PlayerWarning.pendingMax`; or `.notFound` for an unknown player. Only `.warned` has written to the audit log.
  case warn(PlayerWarning, AuditEntry)
  /// A player has seen a warning. Outcome `.seen`, or `.notFound` where none with this identifier waits for them.
  case seeWarning(WarningID, PlayerID)
}

/// The outcome of such a change.
package enum ModerationOutcome: Hashable, Sendable {
  /// `isNew` is false for a repeat; `hides` says that this report has hidden the thing from everybody.
  case reported(ModeratedSubject, isNew: Bool, hides: Bool)
  /// `isChanged` says whether everybody sees another thing than before.
  case decided(ModeratedSubject, isChanged: Bool)
  case warned
  case seen
  case own
  case tooMany
  case notFound
  /// The stored data is damaged there, so the change was not made; the batch's other changes were.
  case unavailable
}
