// Random numbers that are the same on every machine and in every release: Steele, Lea and Flood's SplitMix64 (OOPSLA 2014),
// with its own drawing from ranges, for the standard library's may change. A value, owned by one simulation.

/// A generator of numbers from a seed.
struct SplitMix64 {
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

  /// A number of a range; the bias of small ranges is of no account here.
  mutating func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// True in `percent` of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool {
    draw(1...100) <= percent
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[draw(0...elements.count - 1)]
  }
}
