// Validates UTF-8 that arrives in pieces cut anywhere (RFC 3629 §4). A value: three bytes between two pieces. A byte
// that can't continue a valid text is refused at once, not at the end of its character (RFC 6455 §8.1). UTF8Span of the
// standard library validates whole texts only; one validator for whole and cut texts is less code to trust.

struct UTF8Validator: Sendable {
  /// The number of continuation bytes that the current character still needs.
  private var dueCount: UInt8 = 0
  /// The bounds of the next continuation byte. They are narrower behind E0, ED, F0 and F4, which could otherwise begin
  /// overlong forms, surrogates and values beyond U+10FFFF.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Whether no character is unfinished: text may end here.
  var isAtBoundary: Bool { dueCount == 0 }

  /// Continues with the next piece; false when no text can continue like that. Then the validator is done.
  mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset < bytes.count {
      if dueCount == 0 {
        offset = Self.endOfCommon(bytes, from: offset)
        if offset == bytes.count { return true }
      }
      guard step(bytes[offset]) else { return false }
      offset += 1
    }
    return true
  }

  private mutating func step(_ byte: UInt8) -> Bool {
    if dueCount > 0 {
      guard byte >= lowest && byte <= highest else { return false }
      dueCount -= 1
      (lowest, highest) = (0x80, 0xBF)
      return true
    }
    switch byte {
    case 0x00...0x7F: break
    case 0xC2...0xDF: dueCount = 1
    case 0xE0: (dueCount, lowest) = (2, 0xA0)
    case 0xED: (dueCount, highest) = (2, 0x9F)
    case 0xE1...0xEF: dueCount = 2
    case 0xF0: (dueCount, lowest) = (3, 0x90)
    case 0xF1...0xF3: dueCount = 3
    case 0xF4: (dueCount, highest) = (3, 0x8F)
    default: return false
    }
    return true
  }

  /// The end of the part that checks of eight bytes find valid: words of ASCII, and whole characters of three bytes but
  /// those behind E0 and ED. JSON and nearly all of the Korean in it are made of these.
  private static func endOfCommon(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var offset = start
    while bytes.count - offset >= 8 {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      if word & 0x8080_8080_8080_8080 == 0 {
        offset += 8
      } else if word & 0x80 == 0 {
        offset += 1
      } else if word & 0xC0_C0F0 == 0x80_80E0, word & 0xF != 0x0, word & 0xF != 0xD {
        // 1110xxxx 10xxxxxx 10xxxxxx, the first byte lowest.
        offset += 3
      } else {
        return offset
      }
    }
    return offset
  }
}
