// A set of slots holds what it was given, below 64 and above.
import Game
import SeededRandom
import Testing

@Suite("A set of slots is a set of small numbers")
struct SlotSetTests {
  @Test(
    "Random changes give the same numbers as an ordinary set, in ascending order",
    arguments: [1, 63, 64, 65, 128, 300]
  )
  func sameAsSet(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    var slots = SlotSet(count: count)
    var model: Set<Int> = []
    for _ in 0..<2_000 {
      let slot = Int.random(in: 0..<count, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        slots.removeAll()
        model = []
      case 1..<5:
        slots.remove(slot)
        model.remove(slot)
      case 5..<7:
        #expect(slots.popFirst() == model.min())
        if let least = model.min() { model.remove(least) }
      default:
        slots.insert(slot)
        model.insert(slot)
      }
      #expect(slots.contains(slot) == model.contains(slot))
      #expect(slots.count == model.count)
      #expect(slots.last == model.max())
      #expect(slots.first { $0 % 3 == 1 } == model.filter { $0 % 3 == 1 }.min())
      // A set that has lost its last number to `popFirst` notices that at the next one.
      if !model.isEmpty { #expect(!slots.isEmpty) }
    }
    var ascending: [Int] = []
    while let slot = slots.popFirst() { ascending.append(slot) }
    #expect(ascending == model.sorted())
    #expect(slots.isEmpty)
  }
}
