// The clock of a simulated server. It stands until the simulation sets it, and may move a little at each look, as if
// work took time, so that turns run out of theirs.
//
// Used by one simulation on its thread; guarded by a lock because a clock may be read anywhere.
import Net
import Synchronization

final class VirtualClock: Clock {
  private let time: Mutex<Int64>
  private let lookMicroseconds: Int64

  init(start: Timestamp, lookMicroseconds: Int64) {
    time = Mutex(start.microseconds)
    self.lookMicroseconds = lookMicroseconds
  }

  func now() -> Timestamp {
    time.withLock { time in
      time += lookMicroseconds
      return Timestamp(microseconds: time)
    }
  }

  func waitMicroseconds(until time: Timestamp) -> Int64 { 0 }

  /// The time, without a look at the clock.
  var current: Timestamp { Timestamp(microseconds: time.withLock { $0 }) }

  /// Moves on to a time, unless it is later already.
  func advance(to next: Timestamp) {
    time.withLock { $0 = max($0, next.microseconds) }
  }
}
