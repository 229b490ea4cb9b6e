// Returns the memory that a storm of handshakes leaves behind: free, but between blocks in use, where malloc keeps it.
// Each of thousands of simultaneous handshakes takes 50 KB; an open connection takes 15 KB.
//
// A value of one shard, asked when handshakes end and when its timer fires. Another thread does the work.
// Decisions: 010 (docs/decisions).
import CLinux
import Dispatch

struct MemoryTrim {
  /// The wheel's token; the highest bit is set, as no service's is.
  static let timerToken = UInt64.max - 2
  /// The size of a storm: fewer handshakes leave too little for a walk through the heap.
  private static let stormHandshakes = 1_000
  /// The most handshakes in a calm interval; with more the storm continues.
  private static let calmHandshakes = 50
  static let intervalSeconds: Int64 = 2

  private var handshakes = 0
  private var handshakesBefore = 0

  /// Counts one handshake; true when the timer should be set.
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
