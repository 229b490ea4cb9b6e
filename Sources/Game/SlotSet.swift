// The numbered slots of a room that have changed since the last tick. A value, owned by the room. A tick empties it in
// ascending order, so that its content does not depend on the order of inputs. It allocates only when made.

/// A set of small numbers from 0 up to a bound, one bit each.
package struct SlotSet: Hashable, Sendable {
  /// The numbers below 64, in the set itself: most rooms have no others, and look at no further memory.
  private var low: UInt64 = 0
  /// The others, 64 a word.
  private var high: ContiguousArray<UInt64>
  package private(set) var isEmpty = true

  /// An empty set of numbers in `0..<count`.
  package init(count: Int) {
    high = ContiguousArray(repeating: 0, count: max(0, count - 1) / 64)
  }

  private var words: Range<Int> { 0..<high.count + 1 }

  private subscript(word index: Int) -> UInt64 {
    get { index == 0 ? low : high[index - 1] }
    set { if index == 0 { low = newValue } else { high[index - 1] = newValue } }
  }

  package func contains(_ slot: Int) -> Bool {
    self[word: slot >> 6] >> UInt64(slot & 63) & 1 == 1
  }

  /// The greatest number.
  package var last: Int? {
    words.last { self[word: $0] != 0 }.map { $0 << 6 | (63 - self[word: $0].leadingZeroBitCount) }
  }

  package var count: Int {
    high.reduce(low.nonzeroBitCount) { $0 + $1.nonzeroBitCount }
  }

  @inline(__always)
  package mutating func insert(_ slot: Int) {
    guard !contains(slot) else { return }
    self[word: slot >> 6] |= 1 << UInt64(slot & 63)
    isEmpty = false
  }

  package mutating func remove(_ slot: Int) {
    self[word: slot >> 6] &= ~(1 << UInt64(slot & 63))
    isEmpty = low == 0 && high.allSatisfy { $0 == 0 }
  }

  /// The smallest number for which `holds` is true.
  package func first(where holds: (Int) -> Bool) -> Int? {
    for index in words {
      var rest = self[word: index]
      while rest != 0 {
        let slot = index << 6 | rest.trailingZeroBitCount
        if holds(slot) { return slot }
        rest &= rest - 1
      }
    }
    return nil
  }

  package mutating func removeAll() {
    low = 0
    for index in high.indices { high[index] = 0 }
    isEmpty = true
  }

  /// Takes the smallest number out.
  package mutating func popFirst() -> Int? {
    for index in words where self[word: index] != 0 {
      let bit = self[word: index].trailingZeroBitCount
      self[word: index] &= self[word: index] - 1
      return index << 6 | bit
    }
    isEmpty = true
    return nil
  }
}

// In a journal: their number, then each.
extension SlotSet {
  func write(to state: inout RecordWriter) {
    state.bytes.number(count)
    var rest = self
    while let slot = rest.popFirst() {
      state.bytes.number(slot)
    }
  }

  /// Fills an empty set with numbers below `count`.
  mutating func read(below count: Int, from state: inout RecordReader) throws(JournalFault) {
    for _ in 0..<(try state.bytes.count("number of slots")) {
      let slot = try state.bytes.number(in: 0...count - 1, "slot")
      try state.require(!contains(slot), "slot twice")
      insert(slot)
    }
  }
}
