// The owners of an arena's cells. A value whose very form gives each cell one owner or none: the owner's number in the
// fewest bits, with each bit of 64 cells in a word of its own, so that taking, counting and reporting go by words.

/// The owners of an arena's cells.
struct CellGrid: Sendable {
  /// The number of rows, and of cells in a row.
  let side: Int
  let wordsPerRow: Int
  /// The number of bits of an owner's number: 0 is nobody, else it is the seat plus one.
  private let planes: Int
  /// The words from the south-west, each with its planes.
  private var bits: ContiguousArray<UInt64>
  /// The bounds of the cells that each seat has ever held; nil for none.
  private(set) var windows: ContiguousArray<CellWindow?>
  /// The number of cells that each seat holds.
  private(set) var counts: ContiguousArray<Int32>
  /// Seats whose count has changed and that were not taken out since.
  var changedSeats: SlotSet
  /// Cells whose owner has changed and that no tick has carried yet.
  private var changed: ContiguousArray<UInt64>
  private var changedRows: SlotSet
  /// For each row, the broadcast that carried its newest change; 0 for none.
  private(set) var rowBroadcasts: ContiguousArray<UInt64>

  /// A grid of cells without owners.
  init(side: Int, seats: Int) {
    self.side = side
    wordsPerRow = (side + 63) / 64
    planes = Int.bitWidth - seats.leadingZeroBitCount
    bits = ContiguousArray(repeating: 0, count: side * wordsPerRow * planes)
    windows = ContiguousArray(repeating: nil, count: seats)
    counts = ContiguousArray(repeating: 0, count: seats)
    changedSeats = SlotSet(count: seats)
    changed = ContiguousArray(repeating: 0, count: side * wordsPerRow)
    changedRows = SlotSet(count: side)
    rowBroadcasts = ContiguousArray(repeating: 0, count: side)
  }

  /// The seat that holds a cell.
  func owner(row: Int, column: Int) -> Int? {
    owner(word: row * wordsPerRow + column >> 6, bit: column & 63)
  }

  private func owner(word: Int, bit: Int) -> Int? {
    var owner: UInt64 = 0
    for plane in 0..<planes {
      owner |= (bits[word * planes + plane] >> UInt64(bit) & 1) << UInt64(plane)
    }
    return owner == 0 ? nil : Int(owner) - 1
  }

  /// The cells of a word that a seat holds.
  func held(by seat: Int, word: Int) -> UInt64 {
    var held: UInt64 = ~0
    for plane in 0..<planes {
      // All ones where this bit of the owner's number is 0.
      held &= bits[word * planes + plane] ^ (UInt64(seat + 1) >> UInt64(plane) & 1 &- 1)
    }
    return held
  }

  /// The cells of a word that anybody holds.
  private func held(word: Int) -> UInt64 {
    var held: UInt64 = 0
    for plane in 0..<planes {
      held |= bits[word * planes + plane]
    }
    return held
  }

  /// Gives cells of a word to a seat that does not hold them yet; returns their number.
  mutating func give(_ cells: UInt64, word: Int, to seat: Int) -> Int32 {
    let taken = cells & ~held(by: seat, word: word)
    guard taken != 0 else { return 0 }
    var lost = taken & held(word: word)
    while let loser = lost == 0 ? nil : owner(word: word, bit: lost.trailingZeroBitCount) {
      let losses = lost & held(by: loser, word: word)
      counts[loser] -= Int32(losses.nonzeroBitCount)
      changedSeats.insert(loser)
      lost ^= losses
    }
    for plane in 0..<planes {
      let index = word * planes + plane
      bits[index] = UInt64(seat + 1) >> UInt64(plane) & 1 == 1 ? bits[index] | taken : bits[index] & ~taken
    }
    counts[seat] += Int32(taken.nonzeroBitCount)
    changedSeats.insert(seat)
    changed[word] |= taken
    let row = word / wordsPerRow
    changedRows.insert(row)
    let place = CellWindow(row: row, words: word % wordsPerRow...word % wordsPerRow)
    if windows[seat] == nil { windows[seat] = place } else { windows[seat]?.add(place) }
    return Int32(taken.nonzeroBitCount)
  }
}

// The part for ticks: runs of cells of one owner.
extension CellGrid {
  /// Whether changes wait for a tick.
  var hasChanges: Bool { !changedRows.isEmpty }

  /// Moves the changes into a tick.
  mutating func carry(into tick: inout Tick, broadcast: UInt64) {
    while let row = changedRows.popFirst() {
      rowBroadcasts[row] = broadcast
      for word in row * wordsPerRow..<(row + 1) * wordsPerRow where changed[word] != 0 {
        appendRuns(of: changed[word], word: word, to: &tick)
        changed[word] = 0
      }
    }
  }

  /// Appends the current rows of which a later broadcast has carried anything.
  func append(after broadcast: UInt64, to tick: inout Tick) {
    for row in 0..<side where rowBroadcasts[row] > broadcast {
      append(row: row, to: &tick)
    }
  }

  /// Appends all owned cells.
  func append(to tick: inout Tick) {
    for row in 0..<side {
      append(row: row, to: &tick)
    }
  }

  private func append(row: Int, to tick: inout Tick) {
    for word in row * wordsPerRow..<(row + 1) * wordsPerRow {
      appendRuns(of: held(word: word), word: word, to: &tick)
    }
  }

  private func appendRuns(of cells: UInt64, word: Int, to tick: inout Tick) {
    let firstCell = word / wordsPerRow * side + word % wordsPerRow * 64
    var rest = cells
    while rest != 0 {
      let start = rest.trailingZeroBitCount
      guard let seat = owner(word: word, bit: start) else { preconditionFailure("a held cell has an owner") }
      let same = rest & held(by: seat, word: word)
      let count = (~(same >> UInt64(start))).trailingZeroBitCount
      tick.appendCells(start: firstCell + start, count: count, seat: seat)
      rest &= ~((~0 >> UInt64(64 - count)) << UInt64(start))
    }
  }

  /// Drops the changes: no tick carries them.
  mutating func forgetChanges() {
    while let row = changedRows.popFirst() {
      for word in row * wordsPerRow..<(row + 1) * wordsPerRow {
        changed[word] = 0
      }
    }
  }
}

// In a journal: runs of owned cells, each by its distance from the one before. The changes that wait for a tick, and
// the broadcast that carried a row, are written with the room's ticks.
extension CellGrid {
  func write(to state: inout RecordWriter) {
    var runs = Tick()
    append(to: &runs)
    state.bytes.number(runs.cellStarts.count)
    var end: UInt32 = 0
    for run in runs.cellStarts.indices {
      state.bytes.number(runs.cellStarts[run] - end)
      state.bytes.number(runs.cellCounts[run])
      state.bytes.number(runs.cellSeats[run])
      end = runs.cellStarts[run] + runs.cellCounts[run]
    }
  }

  init(side: Int, seats: Int, from state: inout RecordReader) throws(JournalFault) {
    self.init(side: side, seats: seats)
    var cell = 0
    for _ in 0..<(try state.bytes.count(bytesEach: 3, "number of runs")) {
      cell += try state.bytes.number(in: 0...side * side - cell, "start of a run")
      try state.require(cell < side * side, "start of a run")
      let count = try state.bytes.number(in: 1...side * side - cell, "length of a run")
      let seat = try state.bytes.number(in: 0...seats - 1, "owner of a run")
      give(cell..<cell + count, to: seat)
      cell += count
    }
    forgetChanges()
    changedSeats.removeAll()
  }

  private mutating func give(_ cells: Range<Int>, to seat: Int) {
    var cell = cells.lowerBound
    while cell < cells.upperBound {
      let (row, column) = (cell / side, cell % side)
      // To the end of the run, of the row, or of the word.
      let count = min(cells.upperBound - cell, side - column, 64 - column & 63)
      _ = give((~0 >> UInt64(64 - count)) << UInt64(column & 63), word: row * wordsPerRow + column >> 6, to: seat)
      cell += count
    }
  }

  func writeTicks(to state: inout RecordWriter) {
    for broadcast in rowBroadcasts {
      state.bytes.number(broadcast)
    }
    state.bytes.number(changed.reduce(0) { $0 + ($1 == 0 ? 0 : 1) })
    for word in changed.indices where changed[word] != 0 {
      state.bytes.number(word)
      state.bytes.number(changed[word])
    }
  }

  mutating func readTicks(broadcastMax: UInt64, from state: inout RecordReader) throws(JournalFault) {
    for row in rowBroadcasts.indices {
      rowBroadcasts[row] = try state.bytes.number(in: 0...broadcastMax, "number of a broadcast")
    }
    for _ in 0..<(try state.bytes.count(bytesEach: 2, max: changed.count, "number of words")) {
      let word = try state.bytes.number(in: 0...changed.count - 1, "word")
      changed[word] = try state.bytes.number()
      try state.require(changed[word] & ~held(word: word) == 0, "changed cell of nobody")
      changedRows.insert(word / wordsPerRow)
    }
  }
}
