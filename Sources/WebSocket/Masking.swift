// Masking of payloads (RFC 6455 §5.3): byte i is xored with byte i mod 4 of the mask; the same operation unmasks.
// A pure function on the hot path: 8 bytes at a time, from any alignment, in place.

enum Masking {
  /// Masks or unmasks a piece of a payload.
  ///
  /// - Parameters:
  ///   - mask: its first byte on the wire is the highest.
  ///   - bytes: the piece.
  ///   - payloadOffset: the number of bytes of the payload before the piece.
  static func apply(_ mask: UInt32, to bytes: UnsafeMutableRawBufferPointer, payloadOffset: Int) {
    // A zero mask changes nothing; clients that need no masking use it to save work on both sides.
    guard mask != 0 else { return }
    let shift = UInt32(payloadOffset & 3) * 8
    let turned = mask << shift | mask >> (32 - shift)
    let word = (UInt64(turned) << 32 | UInt64(turned)).bigEndian
    let wordsEnd = bytes.count & ~7
    var offset = 0
    while offset < wordsEnd {
      bytes.storeBytes(
        of: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ word,
        toByteOffset: offset,
        as: UInt64.self
      )
      offset += 8
    }
    while offset < bytes.count {
      bytes[offset] ^= UInt8(truncatingIfNeeded: turned >> UInt32(24 - 8 * (offset & 3)))
      offset += 1
    }
  }
}
