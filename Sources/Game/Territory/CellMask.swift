// A set of an arena's cells, one bit each, 64 of a row to a word: enclosing half of an arena takes a few thousand
// operations. A value. It handles words only; the meaning of the cells is its callers'.

/// A set of cells.
struct CellMask: Hashable, Sendable {
  /// The number of rows, and of cells in a row.
  let side: Int
  let wordsPerRow: Int
  var words: ContiguousArray<UInt64>
  /// The bounds of the inserted cells; nil for none.
  private(set) var window: CellWindow?

  /// An empty set.
  init(side: Int) {
    self.side = side
    wordsPerRow = (side + 63) / 64
    words = ContiguousArray(repeating: 0, count: side * wordsPerRow)
  }

  /// The bits of a word of a row that are cells.
  func cellBits(_ word: Int) -> UInt64 {
    word == wordsPerRow - 1 ? ~0 >> UInt64(wordsPerRow * 64 - side) : ~0
  }

  /// The bits of a word at a window's western or eastern edge.
  func edgeBits(_ word: Int, of window: CellWindow) -> UInt64 {
    let western: UInt64 = word == window.words.lowerBound ? 1 : 0
    let cells = cellBits(word)
    return western | (word == window.words.upperBound ? cells ^ cells >> 1 : 0)
  }

  /// Adds adjacent cells of a row.
  mutating func insert(row: Int, columns: ClosedRange<Int>) {
    let first = columns.lowerBound >> 6
    let last = columns.upperBound >> 6
    for word in first...last {
      let from: UInt64 = word == first ? ~0 << UInt64(columns.lowerBound & 63) : ~0
      let through: UInt64 = word == last ? ~0 >> UInt64(63 - columns.upperBound & 63) : ~0
      words[row * wordsPerRow + word] |= from & through
    }
    let place = CellWindow(row: row, words: first...last)
    if window == nil { window = place } else { window?.add(place) }
  }

  /// Inverts the cells from a column to the end of the row.
  mutating func toggle(row: Int, fromColumn column: Int) {
    guard column < side else { return }
    let first = max(0, column) >> 6
    for word in first..<wordsPerRow {
      let bits: UInt64 = word == first ? ~0 << UInt64(max(0, column) & 63) : ~0
      words[row * wordsPerRow + word] ^= bits & cellBits(word)
    }
  }

  var isEmpty: Bool { !words.contains { $0 != 0 } }

  var count: Int {
    words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  /// The cells with a way out of a window, from cell to adjacent cell outside `barrier`; cells of the barrier have
  /// none. The barrier lies inside the window, and the result covers the window only.
  ///
  /// Continues from each word that has gained cells. So however the barrier winds, no word is visited more often than
  /// it has cells.
  static func outside(of barrier: CellMask, in window: CellWindow) -> CellMask {
    var outside = CellMask(side: barrier.side)
    var gained: ContiguousArray<Int> = []
    for row in window.rows {
      for word in window.words {
        let edge = window.isOutermost(row: row) ? ~0 : barrier.edgeBits(word, of: window)
        if edge != 0 { outside.spread(edge, row, word, past: barrier, &gained) }
      }
    }
    while let index = gained.popLast() {
      let (row, word) = index.quotientAndRemainder(dividingBy: barrier.wordsPerRow)
      let cells = outside.words[index]
      if row > window.rows.lowerBound { outside.spread(cells, row - 1, word, past: barrier, &gained) }
      if row < window.rows.upperBound { outside.spread(cells, row + 1, word, past: barrier, &gained) }
      if word > window.words.lowerBound { outside.spread(cells << 63, row, word - 1, past: barrier, &gained) }
      if word < window.words.upperBound { outside.spread(cells >> 63, row, word + 1, past: barrier, &gained) }
    }
    return outside
  }

  /// Adds cells of a word, and the adjacent ones in it, as far as they are free.
  private mutating func spread(
    _ cells: UInt64,
    _ row: Int,
    _ word: Int,
    past barrier: CellMask,
    _ gained: inout ContiguousArray<Int>
  ) {
    let index = row * wordsPerRow + word
    let free = ~barrier.words[index] & cellBits(word)
    var filled = cells & free & ~words[index]
    guard filled != 0 else { return }
    // By doubled steps to either side.
    var (east, west) = (free, free)
    var step: UInt64 = 1
    while step < 64 {
      filled |= east & filled << step | west & filled >> step
      east &= east << step
      west &= west >> step
      step <<= 1
    }
    words[index] |= filled
    gained.append(index)
  }

  /// The cells of a word that lie next to one of the set.
  func neighbours(row: Int, word: Int) -> UInt64 {
    let index = row * wordsPerRow + word
    var bits = words[index] << 1 | words[index] >> 1
    if word > 0 { bits |= words[index - 1] >> 63 }
    if word < wordsPerRow - 1 { bits |= words[index + 1] << 63 }
    if row > 0 { bits |= words[index - wordsPerRow] }
    if row < side - 1 { bits |= words[index + wordsPerRow] }
    return bits & cellBits(word)
  }
}
