// Reads JSON text in place: for the hottest message, and for parts of a message that can't be decoded.
//
// A value on borrowed bytes; it must not outlive them, and never reads beyond them. It allocates nothing and does not
// validate: the general decoder decides whether text is JSON at all.

/// A position in JSON text (RFC 8259). Each `take` moves past white space and the token, or reports that it is absent;
/// the cursor's position is then meaningless.
struct JSONCursor {
  /// The next byte.
  private var position: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private var isInObject = false
  /// Whether the object's closing brace has been taken.
  private(set) var isPastObject = false

  init(_ bytes: UnsafeRawBufferPointer) {
    // An empty buffer may have no address; then nothing is read.
    position = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    end = position + bytes.count
  }

  /// Whether only white space is left.
  var isAtEnd: Bool {
    mutating get { peek() == nil }
  }

  /// A cursor for the object that begins at this one's position.
  var nested: JSONCursor {
    JSONCursor(UnsafeRawBufferPointer(start: position, count: end - position))
  }

  /// Continues after the object that `nested` has taken.
  mutating func resume(after nested: JSONCursor) {
    position = nested.position
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

  /// Takes an array's next element as written, with the bracket or comma before it; nil without another one.
  mutating func nextElement() -> UnsafeRawBufferPointer? {
    guard take(isInObject ? UInt8(ascii: ",") : UInt8(ascii: "[")) else { return nil }
    isInObject = true
    return takeValue()
  }

  /// Takes an integer of at most 18 digits in its plain form, in quotes or without; no fraction, no exponent.
  mutating func takeInteger() -> Int64? {
    let isQuoted = take(UInt8(ascii: "\""))
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let start = position
    // 18 digits are below 2⁶³.
    let limit = end - start > 18 ? start + 18 : end
    var next = start
    var magnitude: Int64 = 0
    while next < limit {
      let digit = next.load(as: UInt8.self) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      magnitude = magnitude &* 10 &+ Int64(digit)
      next += 1
    }
    position = next
    if next == limit, let byte, byte &- UInt8(ascii: "0") < 10 { return nil }
    let count = next - start
    guard count > 0 else { return nil }
    // "01" is not JSON, and "-0" is left to the general decoder.
    if start.load(as: UInt8.self) == UInt8(ascii: "0"), count > 1 || isNegative { return nil }
    if isQuoted {
      guard byte == UInt8(ascii: "\"") else { return nil }
      position += 1
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Takes an integer of 1 to 16 digits that stands at the cursor's position, as almost all do: without quotes, without
  /// a sign, and not 0. In any other case the cursor stays.
  @inline(__always)
  private mutating func takeDigits() -> Int64? {
    guard end - position > 16 else { return nil }
    var magnitude: Int64 = 0
    for count in 0...16 {
      let digit = position.load(fromByteOffset: count, as: UInt8.self) &- UInt8(ascii: "0")
      guard digit < 10 else {
        guard magnitude > 0 else { return nil }
        position += count
        return magnitude
      }
      if digit == 0, magnitude == 0 { return nil }
      magnitude = magnitude &* 10 &+ Int64(digit)
    }
    return nil
  }

  /// Takes an array of integers, each as `takeInteger` does; nil also when one does not fit its type.
  mutating func takeIntegers<Integer: FixedWidthInteger>(_ type: Integer.Type) -> [Integer]? {
    guard take(UInt8(ascii: "[")) else { return nil }
    var integers: [Integer] = []
    if take(UInt8(ascii: "]")) { return integers }
    integers.reserveCapacity(Self.integersReserved)
    repeat {
      guard let integer = takeDigits() ?? takeInteger(), let fitting = Integer(exactly: integer) else { return nil }
      integers.append(fitting)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? integers : nil
  }

  private static let integersReserved = 64

  /// Takes `true` or `false`.
  mutating func takeBoolean() -> Bool? {
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    return nil
  }

  /// Takes one byte of punctuation.
  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    guard peek() != nil else { return false }
    let count = word.utf8CodeUnitCount
    guard count <= end - position, UnsafeRawBufferPointer(start: position, count: count).is(word) else { return false }
    position += count
    return true
  }

  /// Takes a string; returns the text between its quotes as written.
  private mutating func takeText() -> UnsafeRawBufferPointer? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    var next = start
    while next < end {
      switch next.load(as: UInt8.self) {
      case UInt8(ascii: "\""):
        position = next + 1
        return UnsafeRawBufferPointer(start: start, count: next - start)
      case UInt8(ascii: "\\"): next += 1
      default: break
      }
      next += 1
    }
    return nil
  }

  /// Takes any value; returns it as written.
  private mutating func takeValue() -> UnsafeRawBufferPointer? {
    guard peek() != nil else { return nil }
    let start = position
    var depth = 0
    repeat {
      switch byte {
      case nil:
        return nil
      case UInt8(ascii: "\""):
        guard takeText() != nil else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // An end at the top level belongs to the enclosing value.
        guard depth > 0 else { return nil }
        depth -= 1
        position += 1
      default:
        skipScalar(within: depth)
      }
    } while depth > 0
    return UnsafeRawBufferPointer(start: start, count: position - start)
  }

  /// Skips a number or a word, and between values also commas, colons and white space.
  private mutating func skipScalar(within depth: Int) {
    while let byte {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"): return
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D: if depth == 0 { return }
      default: break
      }
      position += 1
    }
  }

  /// The byte at the cursor's position.
  @inline(__always)
  private var byte: UInt8? { position < end ? position.load(as: UInt8.self) : nil }

  /// The next byte that is not white space, with the cursor at it.
  @inline(__always)
  private mutating func peek() -> UInt8? {
    while let byte {
      // Messages of programs have no white space between tokens.
      if byte > UInt8(ascii: " ") { return byte }
      switch byte {
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: position += 1
      default: return byte
      }
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are exactly this text.
  @inline(__always)
  func `is`(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }
}
