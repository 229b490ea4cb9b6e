// Random numbers that a seed decides, so that a failure can be played again (SplitMix64, Steele et al. 2014).

struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

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
