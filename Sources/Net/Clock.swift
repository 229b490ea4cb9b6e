// The source of time: the one seam between everything above and the machine's clocks.
//
// Each shard reads it once a turn; any thread may read it. Time never goes back and never jumps: the wall clock is read
// once, at the start, and the monotonic clock counts on from there.
// Decisions: 017 (docs/decisions).
import Glibc

/// A source of time that never goes back.
package protocol Clock: Sendable {
  func now() -> Timestamp

  /// The time that the machine should wait before it looks whether `time` has come; microseconds.
  func waitMicroseconds(until time: Timestamp) -> Int64

  /// The lead over the machine's wall clock, because time may not go back; microseconds, 0 as a rule.
  var leadMicroseconds: Int64 { get }
}

extension Clock {
  package func waitMicroseconds(until time: Timestamp) -> Int64 { time.microseconds(since: now()) }

  package var leadMicroseconds: Int64 { 0 }
}

/// The machine's monotonic clock, set once to the wall clock.
package struct SystemClock: Clock {
  private let offsetMicroseconds: Int64
  package let leadMicroseconds: Int64

  /// Begins at the wall clock's time, or at `notBefore` (milliseconds since the Unix epoch) if that is later.
  package init(notBefore: Int64 = 0) {
    let wall = Self.read(CLOCK_REALTIME)
    leadMicroseconds = max(0, notBefore * 1_000 - wall)
    offsetMicroseconds = wall + leadMicroseconds - Self.read(CLOCK_MONOTONIC)
  }

  package func now() -> Timestamp {
    Timestamp(microseconds: Self.read(CLOCK_MONOTONIC) + offsetMicroseconds)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "a POSIX clock of this system can't be read")
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
