// JSON from a peer, read strictly and within bounds (RFC 8259).
//
// Pure. Any bytes end as a value or as a fault: nothing is taken for granted. Nesting deeper than any request here ends
// the reading.
// Decisions: 084 (docs/decisions).

/// A value of JSON.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A whole number of at most 18 digits, without fraction or exponent.
  case integer(Int64)
  /// Any other number; no request here has one.
  case otherNumber
  case string(String)
  case array([JSONValue])
  /// Each name once.
  case object([String: JSONValue])

  /// No valid message is nested deeper.
  package static let depthMax = 8

  /// Reads one value with nothing but white space around it.
  package init(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
    var reader = JSONReader(bytes)
    self = try reader.value(depth: 0)
    guard reader.isAtEnd else { throw reader.fault("something behind the value") }
  }
}

/// The fault in bytes that should have been JSON.
package struct JSONFault: Error, Hashable, CustomStringConvertible {
  let what: String
  /// The position, in bytes from the beginning.
  let offset: Int

  package var description: String { "not JSON: \(what) at byte \(offset)" }
}

/// A position in borrowed bytes; it never reads beyond them.
private struct JSONReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  func fault(_ what: String) -> JSONFault { JSONFault(what: what, offset: offset) }

  var isAtEnd: Bool {
    mutating get { peek() == nil }
  }

  mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    guard depth <= JSONValue.depthMax else { throw fault("nested too deep") }
    guard let first = peek() else { throw fault("nothing") }
    switch first {
    case UInt8(ascii: "{"): return .object(try object(depth))
    case UInt8(ascii: "["): return .array(try array(depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: return try word()
    }
  }

  private mutating func object(_ depth: Int) throws(JSONFault) -> [String: JSONValue] {
    offset += 1
    var members: [String: JSONValue] = [:]
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw fault("no name") }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw fault("no colon") }
      guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
        throw fault("a name that is there already")
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("no end of an object") }
    return members
  }

  private mutating func array(_ depth: Int) throws(JSONFault) -> [JSONValue] {
    offset += 1
    var values: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return values }
    repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("no end of an array") }
    return values
  }

  private mutating func word() throws(JSONFault) -> JSONValue {
    for (word, value) in [("true", JSONValue.boolean(true)), ("false", .boolean(false)), ("null", .null)] {
      let end = offset + word.utf8.count
      guard end <= bytes.count, bytes[offset..<end].elementsEqual(word.utf8) else { continue }
      offset = end
      return value
    }
    throw fault("no value")
  }

  private mutating func number() throws(JSONFault) -> JSONValue {
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let start = offset
    let digits = try digits()
    if bytes[start] == UInt8(ascii: "0"), digits.count > 1 { throw fault("a zero before a number") }
    var isWhole = digits.count <= 18
    if byte == UInt8(ascii: ".") {
      offset += 1
      _ = try self.digits()
      isWhole = false
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      _ = try self.digits()
      isWhole = false
    }
    guard isWhole else { return .otherNumber }
    // 18 digits are below 2⁶³.
    let magnitude = bytes[digits].reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    return .integer(isNegative ? -magnitude : magnitude)
  }

  private mutating func digits() throws(JSONFault) -> Range<Int> {
    let start = offset
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw fault("no digit") }
    return start..<offset
  }

  private mutating func string() throws(JSONFault) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw fault("text that is not UTF-8") }
        return string
      case UInt8(ascii: "\\"): text += String(try escaped()).utf8
      case 0..<0x20: throw fault("a control character in a text")
      default: text.append(byte)
      }
    }
    throw fault("no end of a text")
  }

  private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
    guard let byte else { throw fault("no end of a text") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // Half of a pair: the other half comes next.
      guard unit < 0xDC00, self.byte == UInt8(ascii: "\\") else { throw fault("half a character") }
      offset += 1
      guard self.byte == UInt8(ascii: "u") else { throw fault("half a character") }
      offset += 1
      let second = try codeUnit()
      guard (0xDC00...0xDFFF).contains(second) else { throw fault("half a character") }
      let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
      guard let scalar = Unicode.Scalar(value) else { throw fault("half a character") }
      return scalar
    default: throw fault("an unknown escape")
    }
  }

  private mutating func codeUnit() throws(JSONFault) -> UInt16 {
    guard bytes.count - offset >= 4 else { throw fault("no end of an escape") }
    var unit: UInt16 = 0
    for byte in bytes[offset..<offset + 4] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw fault("an escape that is none")
      }
      unit = unit << 4 | UInt16(digit)
    }
    offset += 4
    return unit
  }

  /// Takes one byte of punctuation, and the white space before it.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// The next byte that is not white space, with the reader at it.
  private mutating func peek() -> UInt8? {
    while let byte {
      switch byte {
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: offset += 1
      default: return byte
      }
    }
    return nil
  }
}
