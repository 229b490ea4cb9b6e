// Gathers the payload of a message or a control frame that does not lie whole in the read buffer. A value with its own
// storage, whose address is stable, so that a decoded item may point into it. It travels with its decoder. A peer's
// announced length reserves little memory; the rest follows the arrived bytes.

struct AssemblyBuffer: Sendable {
  /// The most that an announcement alone reserves.
  private static let reservedBytesMax = 4_096

  private var storage: Storage
  private(set) var count = 0

  /// An empty buffer for a payload with an announced length of `announcedBytes`.
  init(announcedBytes: Int) {
    storage = Storage(capacity: min(announcedBytes, Self.reservedBytesMax))
  }

  /// The gathered bytes: valid until the next change, and as long as the buffer lives.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage.bytes[..<count])
  }

  /// Appends a piece. `bytesMax` is the most that can ever be gathered here; no more is allocated.
  mutating func append(_ piece: UnsafeRawBufferPointer, bytesMax: Int) {
    precondition(piece.count <= bytesMax - count, "the limit is checked at the frame's header")
    let needed = count + piece.count
    // Another copy of this value may share the storage: a buffer only writes to storage that it alone refers to.
    if needed > storage.bytes.count || !isKnownUniquelyReferenced(&storage) {
      let grown = Storage(capacity: max(needed, min(bytesMax, 2 * storage.bytes.count)))
      grown.bytes.copyMemory(from: bytes)
      storage = grown
    }
    UnsafeMutableRawBufferPointer(rebasing: storage.bytes[count...]).copyMemory(from: piece)
    count = needed
  }

  /// A piece of memory. Its address never changes; its bytes change only while one buffer alone refers to it. This
  /// makes it safe to send.
  private final class Storage: Sendable {
    nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    init(capacity: Int) {
      bytes = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
      bytes.deallocate()
    }
  }
}
