// The server's history of a day. Part of the contract. It is written by the change of a `HistoryMinute`.
import Game

/// Figures of the server, a row for each minute. A row replaces the one of the same time of the day, whatever its day,
/// so there are never more than `HistoryMinute.countMax`, and a clock that jumps does no harm.
package protocol HistoryStore: Sendable {
  /// The minutes that ended after a moment and not after another one, the oldest first. The call returns at once, on
  /// any thread.
  func minutes(
    after first: Instant,
    through last: Instant,
    _ completion: @escaping Completion<[HistoryMinute]>
  )
}
