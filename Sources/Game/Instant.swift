// A moment on the server's clock. A plain value: every time in the rules is one that a caller handed in, so that a game
// can be played again to the millisecond. Nothing here may read a clock.

/// A moment on the server's clock: whole milliseconds since the Unix epoch.
///
/// Arithmetic traps on overflow. A time that a peer has named is therefore compared with moments of the server's own,
/// and subtracted from nothing before it is known to lie near them.
package struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since the Unix epoch.
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment `duration` later; what `duration` has beyond whole milliseconds is dropped.
  package static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds + duration.wholeMilliseconds)
  }

  /// The moment `duration` earlier; what `duration` has beyond whole milliseconds is dropped.
  package static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds - duration.wholeMilliseconds)
  }

  /// The time from `right` to `left`; negative when `left` is the earlier one.
  package static func - (left: Instant, right: Instant) -> Duration {
    .milliseconds(left.milliseconds - right.milliseconds)
  }
}

extension Duration {
  /// This duration in milliseconds; what is beyond whole ones is dropped.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
