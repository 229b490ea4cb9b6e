// The randomness of a simulated server: bytes from a seed instead of OpenSSL's.
//
// Guarded by a lock because the server may draw on any thread; a simulation has one.
import SeededRandom
import Synchronization

final class DrawnBytes: Sendable {
  private let random: Mutex<SplitMix64>

  init(_ random: SplitMix64) {
    self.random = Mutex(random)
  }

  func draw(_ count: Int) -> [UInt8] {
    random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) } }
  }
}
