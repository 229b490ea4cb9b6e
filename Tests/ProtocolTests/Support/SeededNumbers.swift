// Random numbers of all sizes from a seed, for messages that nobody would think of.
import SeededRandom

extension SplitMix64 {
  /// True once in `count` times.
  mutating func once(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  /// A number of any size: few bits as likely as many, the ends of the range not rare.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
    switch Int.random(in: 0..<8, using: &self) {
    case 0: return [0, 1, .max, .min].randomElement(using: &self) ?? 0
    case 1: return Number(truncatingIfNeeded: Int.random(in: -200...200, using: &self))
    default:
      let bits = Int.random(in: 0..<Number.bitWidth, using: &self)
      return Number(truncatingIfNeeded: next()) >> Number(bits)
    }
  }
}
