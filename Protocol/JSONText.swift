// Makes JSON text ready for the general decoder, which skips unknown values without looking into their strings, and
// takes `-0` for no unsigned number.
//
// Pure, in place, in one pass without allocation. It judges strings alone: the decoder decides everything else.

enum JSONText {
  /// Refuses strings that are not JSON's, wherever they stand, and writes each `-0` as ` 0`.
  static func prepare(_ text: inout [UInt8]) throws(DecodingFailure) {
    var index = 0
    var mayBeginValue = true
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\"") {
        index = try end(ofStringAt: index, in: text)
        mayBeginValue = false
        continue
      }
      if byte == UInt8(ascii: "-"), mayBeginValue, isZero(at: index + 1, in: text) { text[index] = UInt8(ascii: " ") }
      switch byte {
      case 0...UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "["): mayBeginValue = true
      default: mayBeginValue = false
      }
      index += 1
    }
  }

  /// The index behind the string that begins there. The decoder refuses a string without an end.
  private static func end(ofStringAt start: Int, in text: [UInt8]) throws(DecodingFailure) -> Int {
    var index = start + 1
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"): index += try escapeLength(at: index, in: text)
      case 0..<UInt8(ascii: " "):
        throw DecodingFailure(id: nil, text: "a string has a control character that is not escaped")
      default: index += 1
      }
    }
    return index
  }

  /// The length of the escape that begins there.
  private static func escapeLength(at index: Int, in text: [UInt8]) throws(DecodingFailure) -> Int {
    // An escape that the text cuts off is for the decoder to refuse.
    guard index + 1 < text.count else { return 1 }
    if "\"\\/bfnrt".utf8.contains(text[index + 1]) { return 2 }
    let digits = text[(index + 2)...].prefix(4)
    guard text[index + 1] == UInt8(ascii: "u"), digits.allSatisfy(\.isHexDigit) else {
      throw DecodingFailure(id: nil, text: "a string has an escape that JSON does not have")
    }
    return 2 + digits.count
  }

  /// Whether the number without its sign that begins there is 0, with a fraction and an exponent or without.
  private static func isZero(at start: Int, in text: [UInt8]) -> Bool {
    let mantissa = text[start...].prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    return mantissa.first == UInt8(ascii: "0")
      && mantissa.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { hexDigit != nil }

  /// The value of a hexadecimal digit.
  fileprivate var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are a JSON string, as written between its quotes, that says this ASCII word.
  func spells(_ word: StaticString) -> Bool {
    guard contains(UInt8(ascii: "\\")) else { return self.is(word) }
    var rest = self[...]
    for index in 0..<word.utf8CodeUnitCount {
      guard var byte = rest.popFirst() else { return false }
      if byte == UInt8(ascii: "\\") {
        // A word of the schema has no character with a short escape.
        guard rest.popFirst() == UInt8(ascii: "u"), rest.count >= 4 else { return false }
        var scalar: UInt16 = 0
        for digit in rest.prefix(4) {
          guard let value = digit.hexDigit else { return false }
          scalar = scalar << 4 | UInt16(value)
        }
        rest = rest.dropFirst(4)
        guard let ascii = UInt8(exactly: scalar) else { return false }
        byte = ascii
      }
      guard byte == word.utf8Start[index] else { return false }
    }
    return rest.isEmpty
  }
}
