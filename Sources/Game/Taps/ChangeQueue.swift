// The rows that have changed and are not written yet, in the order of their first change. A value, owned by the tally;
// a warm one allocates nothing.
import DequeModule

/// Rows that wait to be written, the longest waiting first.
struct ChangeQueue<Row: Sendable>: Sendable {
  private var waiting: Deque<(row: Row, since: UInt64)> = []

  /// The number of the oldest record that has changed a waiting row.
  var since: UInt64? { waiting.first?.since }

  var count: Int { waiting.count }

  /// Appends a row that a record has changed and that does not wait yet.
  mutating func append(_ row: Row, since sequence: UInt64) {
    waiting.append((row, sequence))
  }

  mutating func popFirst() -> Row? {
    waiting.popFirst()?.row
  }
}
