// Bytes that wait to be sent on one connection.
//
// Owned by one connection. Frames go in whole; the kernel takes bytes. Its memory is lent while bytes wait, because
// most connections have nothing to send at most times: the shard keeps a few buffers for all.

package struct SendQueue: Sendable {
  /// The bytes; encoders of frames append here.
  package var bytes: [UInt8] = []
  private var sentCount = 0

  package init() {}

  /// The number of waiting bytes.
  package var count: Int { bytes.count - sentCount }
  package var isEmpty: Bool { count == 0 }
  /// The memory in use: waiting bytes, and sent bytes before them that are not freed yet.
  package var heldBytes: Int { bytes.count }

  package mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
  }

  package func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentCount...])) }
  }

  /// The first `count` waiting bytes have been sent.
  package mutating func drop(_ count: Int) {
    sentCount += count
    precondition(sentCount <= bytes.count, "only waiting bytes can be sent")
    if sentCount == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      sentCount = 0
    } else if sentCount >= 64 * 1_024 && sentCount * 2 >= bytes.count {
      // Moved at most once for as many sent bytes again. The bytes move to new memory, so that a queue that was long
      // gives its memory back while it is drained.
      bytes = Array(bytes[sentCount...])
      sentCount = 0
    }
  }

  /// Whether the queue has no memory: a buffer should be lent before bytes are appended.
  package var isWithoutBuffer: Bool { bytes.capacity == 0 }

  /// Lends an empty buffer.
  package mutating func lend(_ buffer: [UInt8]) {
    precondition(bytes.isEmpty && buffer.isEmpty, "an empty queue gets an empty buffer")
    bytes = buffer
  }

  /// Takes the empty buffer back.
  package mutating func takeBuffer() -> [UInt8] {
    precondition(bytes.isEmpty, "only an empty queue gives its buffer back")
    defer { bytes = [] }
    return bytes
  }

  /// Frees the memory of sent bytes.
  package mutating func compact() {
    guard sentCount > 0 else { return }
    bytes.removeFirst(sentCount)
    sentCount = 0
  }
}
