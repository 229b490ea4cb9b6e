// Where time comes from: the one seam between everything above and the machine's clocks.
//
// Read once a turn by each shard; any thread may read it. Never goes back and never jumps: the wall clock is taken once,
// at the start, and counted on by the monotonic clock.
// Decisions: 017 (docs/decisions).
import Glibc

/// A source of time that never goes back.
package protocol Clock: Sendable {
  func now() -> Timestamp

  /// How long the machine should wait before it looks whether `time` has come; microseconds.
  func waitMicroseconds(until time: Timestamp) -> Int64

  /// How far it is ahead of the machine's wall clock, because it may not go back; microseconds, 0 as a rule.
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
