// The chunks that one shard's rooms have added to their journals since the last commit, as one blob. Each room has 16
// bytes of its identifier, four bytes of the length, and the chunk; numbers are big-endian. The shard appends. Only the
// store parses, and it checks every length, because bytes from a disk may be damaged.
import Game

/// New chunks of journals, one for each room that has any.
package struct Segment: Hashable, Sendable {
  package private(set) var bytes: [UInt8]

  package init() {
    bytes = []
  }

  /// An empty segment with memory for this many bytes.
  package init(bytesExpected: Int) {
    bytes = []
    bytes.reserveCapacity(bytesExpected)
  }

  /// Takes stored bytes as they were read.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// Appends the chunk that `write` produces; nothing for an empty chunk.
  package mutating func append(_ room: RoomID, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes.append(bigEndian: room.value)
    let lengthAt = bytes.count
    bytes.append(bigEndian: UInt32(0))
    let chunkAt = bytes.count
    write(&bytes)
    precondition(bytes.count >= chunkAt, "chunks are appended in order")
    guard bytes.count > chunkAt else { return bytes.removeLast(chunkAt - start) }
    guard let length = UInt32(exactly: bytes.count - chunkAt) else {
      preconditionFailure("a chunk is smaller than 4 GiB")
    }
    for index in 0..<4 {
      bytes[lengthAt + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index)))
    }
  }

  /// Empties it for the next commit; keeps its memory unless a batch still shares it.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Hands over each room's chunk, in the order of appending.
  package func forEach(_ body: (RoomID, ArraySlice<UInt8>) -> Void) throws(StoreFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard
        let room = rest.takeBigEndian(UInt128.self), let length = rest.takeBigEndian(UInt32.self),
        length > 0, rest.count >= Int(length)
      else { throw .corrupt("a segment ends inside a chunk") }
      body(RoomID(room), rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
    }
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}

extension ArraySlice<UInt8> {
  /// The next bytes as a number; nil when there are too few.
  mutating func takeBigEndian<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
    let byteCount = Value.bitWidth / 8
    guard count >= byteCount else { return nil }
    defer { self = dropFirst(byteCount) }
    return prefix(byteCount).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }
}
