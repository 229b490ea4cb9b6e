// Empty buffers that a shard lends to its connections' send queues, so that an answer allocates nothing.
//
// Owned by one shard and used on its queue. The list's memory is its own: an array that is changed in place would make
// each look at it a checked access.
// Decisions: 114 (docs/decisions).

package final class SpareBuffers {
  package static let countMax = 64
  /// The largest buffer that is kept.
  package static let bytesMax = 16_384

  private let buffers = UnsafeMutableBufferPointer<[UInt8]>.allocate(capacity: countMax)
  private var count = 0

  package init() {}

  deinit {
    buffers[..<count].deinitialize()
    buffers.deallocate()
  }

  /// An empty buffer, with memory if one was given back.
  package func take() -> [UInt8] {
    guard count > 0 else { return [] }
    count -= 1
    return buffers.moveElement(from: count)
  }

  /// Keeps an empty buffer, unless it is large, has no memory, or there are many.
  package func giveBack(_ buffer: consuming [UInt8]) {
    guard count < Self.countMax, (1...Self.bytesMax).contains(buffer.capacity) else { return }
    buffers.initializeElement(at: count, to: buffer)
    count += 1
  }
}
