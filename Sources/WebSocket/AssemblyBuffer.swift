// Gathers the payload of a message or a control frame that does not lie whole in the read buffer. A value with storage
// of its own whose address is stable, so that a decoded item may point into it; it travels with its decoder.
// It never grows on the word of a peer: an announced length reserves little, the rest follows what has arrived.

struct AssemblyBuffer: Sendable {
  /// The most that an announcement alone reserves.
  private static let reservedBytesMax = 65_536

  private var storage: Storage
  private(set) var count = 0

  /// An empty buffer for a payload of which `announcedBytes` are announced.
  init(announcedBytes: Int) {
    storage = Storage(capacity: min(announcedBytes, Self.reservedBytesMax))
  }

  /// The gathered bytes: good until the next change, and as long as the buffer lives.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage.bytes[..<count])
  }

  /// Appends a piece. `bytesMax` is the most that can ever be gathered here: no more than that is allocated.
  mutating func append(_ piece: UnsafeRawBufferPointer, bytesMax: Int) {
    precondition(piece.count <= bytesMax - count, "the limit is checked at the frame's header")
    let needed = count + piece.count
    // Another copy of this value may share the storage: bytes are only ever written to one's own.
    if needed > storage.bytes.count || !isKnownUniquelyReferenced(&storage) {
      let grown = Storage(capacity: max(needed, min(bytesMax, 2 * storage.bytes.count)))
      grown.bytes.copyMemory(from: bytes)
      storage = grown
    }
    UnsafeMutableRawBufferPointer(rebasing: storage.bytes[count...]).copyMemory(from: piece)
    count = needed
  }

  /// A piece of memory. Its address never changes; its bytes change only while one buffer alone refers to it, which is
  /// what makes it safe to send.
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
