// The growth of the server's memory while connections were held, after the warm-up.
//
// A value. Growth before the warm-up belongs to the connecting: buffers and tables still find their size.

package struct MemoryGrowth: Sendable {
  /// The time from which growth counts: after the first minute, or after half of a run shorter than two minutes.
  package let warmupSeconds: Int
  private var warmBytes: Int64?
  private var newestBytes: Int64?

  /// For a run that holds its connections for `heldSeconds`.
  package init(heldSeconds: Int) {
    warmupSeconds = heldSeconds < 120 ? heldSeconds / 2 : 60
  }

  /// Takes the server's memory, `seconds` after all were connected.
  package mutating func note(bytes: Int64, atSecond seconds: Int) {
    guard seconds >= warmupSeconds else { return }
    if warmBytes == nil { warmBytes = bytes }
    newestBytes = bytes
  }

  /// The growth from the first measurement after the warm-up to the newest, negative when it shrank; nil before
  /// any.
  package var bytes: Int64? {
    guard let warmBytes, let newestBytes else { return nil }
    return newestBytes - warmBytes
  }
}
