// Small changes to known inputs, drawn from a seed: a fuzzer's blind search, in so few rounds that every run of the
// tests can do it. A value.
import SeededRandom

/// A row of inputs, each a seed with one to four changes; the same row for the same seeds and number.
struct Mutator {
  /// Bytes that parsers decide by: bounds of lengths and of UTF-8, line ends, separators, opcodes, tags.
  private static let interesting: [UInt8] =
    [0x00, 0x01, 0x0A, 0x52, 0x7E, 0x7F, 0x80, 0x81, 0x88, 0x89, 0xC0, 0xED, 0xF4, 0xFE, 0xFF]
    + Array("\r\n\t :,;/?#\"\\{}[]019-".utf8)

  private let seeds: [[UInt8]]
  private var random: SplitMix64

  /// - Parameters:
  ///   - seeds: the inputs to change; at least one.
  ///   - seed: the seed of the random numbers.
  init(seeds: [[UInt8]], seed: UInt64) {
    precondition(!seeds.isEmpty, "a mutation needs a seed")
    self.seeds = seeds
    random = SplitMix64(seed: seed)
  }

  mutating func next() -> [UInt8] {
    var bytes = anySeed()
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random) }
    case 1: if place < bytes.count { bytes[place] = interestingByte() }
    case 2: bytes.insert(interestingByte(), at: place)
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 5: bytes.removeSubrange(place...)
    default: bytes = bytes[..<place] + anySeed().suffix(Int.random(in: 0...64, using: &random))
    }
  }

  private mutating func anySeed() -> [UInt8] {
    seeds[Int.random(in: seeds.indices, using: &random)]
  }

  private mutating func interestingByte() -> UInt8 {
    Self.interesting[Int.random(in: Self.interesting.indices, using: &random)]
  }
}
