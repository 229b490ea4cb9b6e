// A clock that tests advance by hand.
//
// Guarded by a lock: tests advance it while shards read it. Shards look every millisecond whether it has moved, so no
// test waits for real seconds.
import Net
import Synchronization

package final class ManualClock: Clock {
  private let time: Mutex<Timestamp>
  package let leadMicroseconds: Int64

  /// Ahead of a machine's wall clock by `leadSeconds`.
  package init(_ start: Timestamp = Timestamp(milliseconds: 1_790_000_000_000), leadSeconds: Int64 = 0) {
    time = Mutex(start)
    leadMicroseconds = leadSeconds * 1_000_000
  }

  package func now() -> Timestamp { time.withLock { $0 } }

  package func waitMicroseconds(until time: Timestamp) -> Int64 { 1_000 }

  package func advance(seconds: Int64 = 0, milliseconds: Int64 = 0) {
    time.withLock { $0 = $0.advanced(seconds: seconds, milliseconds: milliseconds) }
  }
}
