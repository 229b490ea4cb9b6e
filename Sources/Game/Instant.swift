// A moment on the server's clock. A plain value: callers hand every time to the rules, so that a game can be replayed
// to the millisecond. Nothing here may read a clock.

/// A moment on the server's clock: whole milliseconds since the Unix epoch.
///
/// Arithmetic traps on overflow. A peer's time is therefore first compared with the server's own moments, and
/// subtracted only once it is known to lie near them.
package struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since the Unix epoch.
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  // Other modules would call the general one of `Comparable`, through its table.
  package static func <= (left: Instant, right: Instant) -> Bool {
    left.milliseconds <= right.milliseconds
  }

  /// The moment `duration` later; fractions of a millisecond are dropped.
  package static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds + duration.wholeMilliseconds)
  }

  /// The moment `duration` earlier; fractions of a millisecond are dropped.
  package static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds - duration.wholeMilliseconds)
  }

  /// The time from `right` to `left`; negative when `left` is the earlier one.
  package static func - (left: Instant, right: Instant) -> Duration {
    .milliseconds(left.milliseconds - right.milliseconds)
  }
}

extension Duration {
  /// This duration in milliseconds; fractions are dropped.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
