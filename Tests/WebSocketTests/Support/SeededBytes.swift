// Random bytes from a seed.
import SeededRandom

extension SplitMix64 {
  /// So many random bytes.
  mutating func bytes(count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
