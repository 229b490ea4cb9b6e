// The growth of the server's memory while connections were held, once it had settled.
//
// A value. Growth before the settling time belongs to the connecting: buffers and tables still find their size.

package struct MemoryGrowth: Sendable {
  /// The time from which growth counts: after the first minute, or after half of a run shorter than two minutes.
  package let settlingSeconds: Int
  private var settledBytes: Int64?
  private var newestBytes: Int64?

  /// For a run that holds its connections for `heldSeconds`.
  package init(heldSeconds: Int) {
    settlingSeconds = heldSeconds < 120 ? heldSeconds / 2 : 60
  }

  /// Takes the server's memory, `seconds` after all were connected.
  package mutating func note(bytes: Int64, atSecond seconds: Int) {
    guard seconds >= settlingSeconds else { return }
    if settledBytes == nil { settledBytes = bytes }
    newestBytes = bytes
  }

  /// The growth from the first measurement after the settling time to the newest, negative when it shrank; nil before
  /// any.
  package var bytes: Int64? {
    guard let settledBytes, let newestBytes else { return nil }
    return newestBytes - settledBytes
  }
}
