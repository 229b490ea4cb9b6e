// How much the server's memory grew while connections were held, once it had settled.
//
// A value. What comes before the settling time belongs to the connecting: buffers and tables still find their size.

package struct MemoryGrowth: Sendable {
  /// From when on growth counts: the first minute over, of a shorter run than two minutes the first half.
  package let settlingSeconds: Int
  private var settledBytes: Int64?
  private var newestBytes: Int64?

  /// For a run that holds its connections for `heldSeconds`.
  package init(heldSeconds: Int) {
    settlingSeconds = heldSeconds < 120 ? heldSeconds / 2 : 60
  }

  /// Takes what the server uses, `seconds` after all were connected.
  package mutating func note(bytes: Int64, atSecond seconds: Int) {
    guard seconds >= settlingSeconds else { return }
    if settledBytes == nil { settledBytes = bytes }
    newestBytes = bytes
  }

  /// From the first measurement after the settling time to the newest one, negative when it shrank; nil before there are
  /// any.
  package var bytes: Int64? {
    guard let settledBytes, let newestBytes else { return nil }
    return newestBytes - settledBytes
  }
}
