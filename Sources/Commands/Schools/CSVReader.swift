// Records of comma-separated values by RFC 4180, line ends of either kind. A value over a text. A broken line loses
// only itself: reading goes on with the next line, so that an unclosed quote does not swallow the rest.

package struct CSVReader {
  /// A record or its fault, and the number of its first line, from 1.
  package struct Row {
    package let line: Int
    package let fields: Result<[String], Fault>
  }

  package enum Fault: Error, CustomStringConvertible {
    case quoteInside
    case behindQuote
    case openQuote
    case count(Int, expected: Int)

    package var description: String {
      switch self {
      case .quoteInside: "a quote inside a field that does not begin with one"
      case .behindQuote: "something between a closing quote and the next comma"
      case .openQuote: "a quote that is never closed"
      case .count(let count, let expected): "\(count) fields, where the header has \(expected)"
      }
    }
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The number of fields that each record must have; nil for any number.
  package var fieldCount: Int?

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  package init(_ text: FileText) {
    bytes = text.utf8
  }

  /// Returns the next record, skipping empty lines; nil at the end.
  package mutating func next() -> Row? {
    while isAtLineEnd, position < bytes.count { skipLineEnd() }
    guard position < bytes.count else { return nil }
    let (start, startLine) = (position, line)
    do throws(Fault) {
      let fields = try record()
      if let fieldCount, fields.count != fieldCount { throw .count(fields.count, expected: fieldCount) }
      return Row(line: startLine, fields: .success(fields))
    } catch {
      position = bytes[start...].firstIndex(of: Self.lineFeed).map { $0 + 1 } ?? bytes.count
      line = startLine + 1
      return Row(line: startLine, fields: .failure(error))
    }
  }

  private mutating func record() throws(Fault) -> [String] {
    var fields: [String] = []
    while true {
      fields.append(try position < bytes.count && bytes[position] == Self.quote ? quotedField() : plainField())
      guard position < bytes.count, bytes[position] == Self.comma else { break }
      position += 1
    }
    if position < bytes.count { skipLineEnd() }
    return fields
  }

  private mutating func plainField() throws(Fault) -> String {
    let start = position
    while position < bytes.count, bytes[position] != Self.comma, !isAtLineEnd {
      guard bytes[position] != Self.quote else { throw .quoteInside }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quotedField() throws(Fault) -> String {
    var field: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == Self.lineFeed { line += 1 }
      guard byte == Self.quote else {
        field.append(byte)
        continue
      }
      // Two quotes stand for one.
      if position < bytes.count, bytes[position] == Self.quote {
        field.append(byte)
        position += 1
        continue
      }
      guard isAtLineEnd || bytes[position] == Self.comma else { throw .behindQuote }
      return String(decoding: field, as: UTF8.self)
    }
    throw .openQuote
  }

  private var isAtLineEnd: Bool {
    guard position < bytes.count, bytes[position] != Self.lineFeed else { return true }
    guard bytes[position] == Self.carriageReturn else { return false }
    return position + 1 == bytes.count || bytes[position + 1] == Self.lineFeed
  }

  private mutating func skipLineEnd() {
    if bytes[position] == Self.carriageReturn { position += 1 }
    if position < bytes.count {
      position += 1
      line += 1
    }
  }
}
