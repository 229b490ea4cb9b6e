// What operators look at. Part of the contract. It is written by `SanctionChange` and by audit entries.
import Game

/// Sanctions and the audit log. The calls return at once, on any thread.
package protocol OperatorStore: Sendable {
  /// Up to `limit` sanctions that are in force at a moment: the newest first, of the same moment by player, then by
  /// kind.
  func sanctions(at now: Instant, limit: Int, _ completion: @escaping Completion<[SanctionRow]>)

  /// Up to `limit` rows of the audit log, the newest first, of those before a number (nil: of all). The log is never
  /// changed and nothing of it is ever deleted.
  func audit(before number: Int64?, limit: Int, _ completion: @escaping Completion<[AuditRow]>)
}
