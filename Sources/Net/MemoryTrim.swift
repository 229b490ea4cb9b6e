// Gives back what a storm of handshakes leaves behind: memory that is free but lies between what is in use, where malloc
// keeps it. Thousands of handshakes at once take 50 KB each while they last; what stays of a connection is 15.
//
// A value of one shard, asked when handshakes end and when its timer fires. The work is another thread's.
// Decisions: 010 (docs/decisions).
import CLinux
import Dispatch

struct MemoryTrim {
  /// The wheel's token; the highest bit is set, as no service's is.
  static let timerToken = UInt64.max - 2
  /// Fewer leave nothing worth a walk through the heap.
  private static let stormHandshakes = 1_000
  /// As many in one interval, and the storm still lasts.
  private static let calmHandshakes = 50
  static let intervalSeconds: Int64 = 2

  private var handshakes = 0
  private var handshakesBefore = 0

  /// Counts one; true when the timer should be set.
  mutating func noteHandshake() -> Bool {
    handshakes += 1
    return handshakes == 1
  }

  /// The timer has fired; true when it should be set again.
  mutating func timerFired() -> Bool {
    let isCalm = handshakes - handshakesBefore <= Self.calmHandshakes
    handshakesBefore = handshakes
    guard isCalm else { return true }
    if handshakes >= Self.stormHandshakes {
      DispatchQueue.global(qos: .background).async { malloc_trim(0) }
    }
    handshakes = 0
    handshakesBefore = 0
    return false
  }
}
