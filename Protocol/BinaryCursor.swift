// Reads the binary encoding of Protocol Buffers in place, for the hottest messages.
//
// A value on borrowed bytes; it must not outlive them, and never reads beyond them. It allocates nothing.

/// A position in an encoded message. Each `take` moves past the taken part, or reports that it is absent; the cursor's
/// position is then meaningless.
package struct BinaryCursor {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Takes one byte; nil at the end.
  package mutating func takeByte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Takes a varint: 7 bits a byte, the lowest first, the top bit set on all but the last; at most 64 bits.
  package mutating func takeVarint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = takeByte() {
      // The tenth byte has room for one bit.
      guard shift < 63 || byte <= 1 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Takes a signed number of 4 bytes, the lowest first.
  package mutating func takeFixed32() -> Int32? {
    guard bytes.count - offset >= 4 else { return nil }
    defer { offset += 4 }
    return Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
  }

  /// Takes a length and that many bytes.
  package mutating func takeBytes() -> UnsafeRawBufferPointer? {
    guard let length = takeVarint().flatMap(Int.init(exactly:)), length <= bytes.count - offset else { return nil }
    defer { offset += length }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
  }
}
