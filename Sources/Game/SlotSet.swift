// The numbered slots of a room that have changed since the last tick. A value, owned by the room. A tick empties it in
// ascending order, so that its content does not depend on the order of inputs. It allocates only when made.

/// A set of small numbers from 0 up to a bound, one bit each.
struct SlotSet: Hashable, Sendable {
  private var words: ContiguousArray<UInt64>
  private(set) var isEmpty = true

  /// An empty set of numbers in `0..<count`.
  init(count: Int) {
    words = ContiguousArray(repeating: 0, count: (count + 63) / 64)
  }

  func contains(_ slot: Int) -> Bool {
    words[slot >> 6] >> UInt64(slot & 63) & 1 == 1
  }

  /// The greatest number.
  var last: Int? {
    words.lastIndex { $0 != 0 }.map { $0 << 6 | (63 - words[$0].leadingZeroBitCount) }
  }

  var count: Int {
    words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  @inline(__always)
  mutating func insert(_ slot: Int) {
    guard !contains(slot) else { return }
    words[slot >> 6] |= 1 << UInt64(slot & 63)
    isEmpty = false
  }

  mutating func remove(_ slot: Int) {
    words[slot >> 6] &= ~(1 << UInt64(slot & 63))
    isEmpty = words.allSatisfy { $0 == 0 }
  }

  /// The smallest number for which `holds` is true.
  func first(where holds: (Int) -> Bool) -> Int? {
    for index in words.indices {
      var rest = words[index]
      while rest != 0 {
        let slot = index << 6 | rest.trailingZeroBitCount
        if holds(slot) { return slot }
        rest &= rest - 1
      }
    }
    return nil
  }

  mutating func removeAll() {
    for index in words.indices {
      words[index] = 0
    }
    isEmpty = true
  }

  /// Takes the smallest number out.
  mutating func popFirst() -> Int? {
    for index in words.indices where words[index] != 0 {
      let bit = words[index].trailingZeroBitCount
      words[index] &= words[index] - 1
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
