// The data that operators read. Part of the contract. It is written by `SanctionChange` and by audit entries.
import Game

/// Sanctions and the audit log. The calls return at once, on any thread.
package protocol OperatorStore: Sendable {
  /// Up to `limit` sanctions in force at a moment: the newest first, then by player, then by kind.
  func sanctions(at now: Instant, limit: Int, _ completion: @escaping Completion<[SanctionRow]>)

  /// Up to `limit` rows of the audit log with numbers below `number` (nil: all), the newest first. Rows of the log are
  /// never changed and never deleted.
  func audit(before number: Int64?, limit: Int, _ completion: @escaping Completion<[AuditRow]>)
}
