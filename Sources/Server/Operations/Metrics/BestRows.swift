// The first few of many rows in an order, without sorting all of them. A value.

struct BestRows<Row> {
  private let limit: Int
  private let precedes: (Row, Row) -> Bool
  private var rows: [Row] = []
  /// Rows behind this one are not among the first; nil while there are too few to tell.
  private var last: Row?

  init(_ limit: Int, by precedes: @escaping (Row, Row) -> Bool) {
    self.limit = limit
    self.precedes = precedes
  }

  mutating func add(_ row: Row) {
    if let last, !precedes(row, last) { return }
    rows.append(row)
    // Sorted only after as many rows have come again, so each row costs a few steps.
    if rows.count >= 2 * limit { cut() }
  }

  /// The first ones, in order.
  mutating func take() -> [Row] {
    cut()
    return rows
  }

  private mutating func cut() {
    rows.sort(by: precedes)
    guard rows.count >= limit else { return }
    rows.removeLast(rows.count - limit)
    last = rows.last
  }
}
