// Encodes a journal's numbers: short, and the same on every machine. A value that its owner keeps, empties and fills
// again, so that a warm journal allocates nothing.

/// A buffer of bytes.
struct ByteWriter: Sendable {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// An empty buffer with capacity for this many bytes.
  init(bytesExpected: Int) {
    bytes.reserveCapacity(bytesExpected)
  }

  /// Appends to bytes, which are moved in and must be moved back by `take`.
  init(appendingTo bytes: inout [UInt8]) {
    swap(&self.bytes, &bytes)
  }

  /// Moves the bytes out.
  mutating func take() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    return taken
  }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  mutating func flag(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  /// LEB128: seven bits a byte, the lowest first.
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A number that is never negative; the caller guarantees it.
  mutating func number(_ value: some BinaryInteger) {
    number(UInt64(value))
  }

  /// Zigzag, then LEB128: numbers near zero are short, whatever their sign.
  mutating func signed(_ value: Int64) {
    number(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// All bytes of a number, the lowest first, for numbers that need all of them.
  mutating func fixed(_ value: some FixedWidthInteger & UnsignedInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Empties the buffer. Memory up to `keptBytesMax` is kept; that of a snapshot is released.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytesMax)
  }

  private static let keptBytesMax = 4_096
}
