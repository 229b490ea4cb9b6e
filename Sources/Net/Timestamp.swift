// A point in time and a span between two, as the shards count them.
//
// A value. One time line serves timers, rules and the wire: microseconds since the Unix epoch that never go back. Every
// timestamp comes from a `Clock`, never from a second source of time.

/// A point on the server's clock: microseconds since the Unix epoch, never going back.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// - Parameter milliseconds: since the Unix epoch; within ±292,000 years.
  package init(milliseconds: Int64) {
    self.microseconds = milliseconds * 1_000
  }

  /// Milliseconds since the Unix epoch, rounded down.
  package var milliseconds: Int64 { microseconds / 1_000 }

  package static let distantFuture = Timestamp(microseconds: .max)

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

  /// The point `seconds` and `milliseconds` later.
  package func advanced(seconds: Int64 = 0, milliseconds: Int64 = 0) -> Timestamp {
    Timestamp(microseconds: microseconds + seconds * 1_000_000 + milliseconds * 1_000)
  }

  /// The point `microseconds` later.
  package func advanced(microseconds later: Int64) -> Timestamp {
    Timestamp(microseconds: microseconds + later)
  }

  /// Microseconds from `earlier` to here; negative when `earlier` is later.
  package func microseconds(since earlier: Timestamp) -> Int64 { microseconds - earlier.microseconds }
}
