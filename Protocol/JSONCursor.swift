// Reads JSON text in place: for the hottest message, and for parts of a message that can't be decoded.
//
// A value on borrowed bytes; it must not outlive them, and never reads beyond them. It allocates nothing and does not
// validate: the general decoder decides whether text is JSON at all.

/// A position in JSON text (RFC 8259). Each `take` moves past white space and the token, or reports that it is absent;
/// the cursor's position is then meaningless.
struct JSONCursor {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var isInObject = false
  /// Whether the object's closing brace has been taken.
  private(set) var isPastObject = false

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether only white space is left.
  var isAtEnd: Bool {
    mutating get { peek() == nil }
  }

  /// A cursor for the object that begins at this one's position.
  var nested: JSONCursor {
    var cursor = JSONCursor(bytes)
    cursor.offset = offset
    return cursor
  }

  /// Continues after the object that `nested` has taken.
  mutating func resume(after nested: JSONCursor) {
    offset = nested.offset
  }

  /// Takes an object's next key and the colon after it, with the brace or comma before it.
  ///
  /// - Returns: the key as written, escapes included. Nil without another one: then `isPastObject` tells whether the
  ///   object has ended correctly.
  mutating func nextKey() -> UnsafeRawBufferPointer? {
    if isInObject {
      if takeObjectEnd() { return nil }
      guard take(UInt8(ascii: ",")) else { return nil }
    } else {
      guard take(UInt8(ascii: "{")) else { return nil }
      isInObject = true
      if takeObjectEnd() { return nil }
    }
    guard let key = takeText(), take(UInt8(ascii: ":")) else { return nil }
    return key
  }

  private mutating func takeObjectEnd() -> Bool {
    isPastObject = take(UInt8(ascii: "}"))
    return isPastObject
  }

  /// Takes an object's next key and its value as written; nil without another one.
  mutating func nextMember() -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    guard let key = nextKey(), let value = takeValue() else { return nil }
    return (key, value)
  }

  /// Takes an integer of at most 18 digits in its plain form, in quotes or without; no fraction, no exponent.
  mutating func takeInteger() -> Int64? {
    let isQuoted = take(UInt8(ascii: "\""))
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let start = offset
    var magnitude: Int64 = 0
    while let digit = byte.flatMap(Self.digit) {
      // 18 digits are below 2⁶³.
      guard offset - start < 18 else { return nil }
      magnitude = magnitude * 10 + digit
      offset += 1
    }
    let count = offset - start
    guard count > 0 else { return nil }
    // "01" is not JSON, and "-0" not a number for an unsigned field.
    if bytes[start] == UInt8(ascii: "0"), count > 1 || isNegative { return nil }
    if isQuoted {
      guard byte == UInt8(ascii: "\"") else { return nil }
      offset += 1
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Takes `true` or `false`.
  mutating func takeBoolean() -> Bool? {
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    return nil
  }

  /// Takes one byte of punctuation.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    guard peek() != nil else { return false }
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count, UnsafeRawBufferPointer(rebasing: bytes[offset..<end]).is(word) else { return false }
    offset = end
    return true
  }

  /// Takes a string; returns the text between its quotes as written.
  private mutating func takeText() -> UnsafeRawBufferPointer? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = offset
    while let byte {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return UnsafeRawBufferPointer(rebasing: bytes[start..<offset - 1])
      case UInt8(ascii: "\\"): offset += 1
      default: break
      }
    }
    return nil
  }

  /// Takes any value; returns it as written.
  private mutating func takeValue() -> UnsafeRawBufferPointer? {
    guard peek() != nil else { return nil }
    let start = offset
    var depth = 0
    repeat {
      switch byte {
      case nil:
        return nil
      case UInt8(ascii: "\""):
        guard takeText() != nil else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // An end at the top level belongs to the enclosing value.
        guard depth > 0 else { return nil }
        depth -= 1
        offset += 1
      default:
        skipScalar(within: depth)
      }
    } while depth > 0
    return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
  }

  /// Skips a number or a word, and between values also commas, colons and white space.
  private mutating func skipScalar(within depth: Int) {
    while let byte {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"): return
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D: if depth == 0 { return }
      default: break
      }
      offset += 1
    }
  }

  /// The byte at the cursor's position.
  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// The next byte that is not white space, with the cursor at it.
  private mutating func peek() -> UInt8? {
    while let byte {
      switch byte {
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: offset += 1
      default: return byte
      }
    }
    return nil
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are exactly this text.
  func `is`(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && elementsEqual(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
