// The part of an arena that a search must cover: nothing is held or crossed outside of it. A value.

/// Whole words of some rows of an arena.
struct CellWindow: Hashable, Sendable {
  private(set) var rows: ClosedRange<Int>
  private(set) var words: ClosedRange<Int>

  init(row: Int, words: ClosedRange<Int>) {
    rows = row...row
    self.words = words
  }

  mutating func add(_ other: CellWindow) {
    rows = min(rows.lowerBound, other.rows.lowerBound)...max(rows.upperBound, other.rows.upperBound)
    words = min(words.lowerBound, other.words.lowerBound)...max(words.upperBound, other.words.upperBound)
  }

  func isOutermost(row: Int) -> Bool { row == rows.lowerBound || row == rows.upperBound }
}
