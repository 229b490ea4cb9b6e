// Bytes that wait to be sent on one connection.
//
// Owned by one connection. Frames go in whole; the kernel takes bytes. Holds no memory while it is empty, for most
// connections have nothing to send at most times.

package struct SendQueue {
  /// Appended to by whoever frames a message.
  package var bytes: [UInt8] = []
  private var sentCount = 0

  package init() {}

  /// How many bytes wait.
  package var count: Int { bytes.count - sentCount }
  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
  }

  package func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentCount...])) }
  }

  /// The first `count` waiting bytes have been sent.
  package mutating func drop(_ count: Int) {
    sentCount += count
    precondition(sentCount <= bytes.count, "no more can be sent than waits")
    if sentCount == bytes.count {
      bytes = []
      sentCount = 0
    } else if sentCount >= 64 * 1_024 && sentCount * 2 >= bytes.count {
      // Moved at most as often as as many bytes again have been sent.
      bytes.removeFirst(sentCount)
      sentCount = 0
    }
  }

  /// Takes everything out, for a connection that moves.
  package mutating func takeUnsent() -> [UInt8] {
    if sentCount > 0 { bytes.removeFirst(sentCount) }
    sentCount = 0
    defer { bytes = [] }
    return bytes
  }
}
