// A pass that replaces comments and literals of Swift source by spaces and leaves everything else, newlines included,
// in its place.
//
// A value, used up by one pass. It knows nested comments, raw and multi-line strings, the code inside interpolations
// and regular expressions between `#/` and `/#`. It does not know bare ones, where a quote blanks at most the rest of
// its line.

struct CommentAndStringBlanker {
  /// The nesting around the present position, the innermost last.
  private enum Surrounding {
    /// Source proper. `depth` counts open parentheses; the one that closes below 0 ends an interpolation.
    case code(depth: Int)
    case string(hashes: Int, isMultiline: Bool)
    case regularExpression
    case blockComment
    case lineComment
  }

  /// The bytes at which code can turn into something else; all others pass at once.
  private static let turningPoints = Array("/\"#()".utf8)

  private let source: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  private var surroundings: [Surrounding] = [.code(depth: 0)]

  init(_ text: String) {
    source = Array(text.utf8)
    output.reserveCapacity(source.count)
  }

  mutating func blanked() -> String {
    while position < source.count {
      switch surroundings[surroundings.count - 1] {
      case .code(let depth): readCode(depth: depth)
      case .string(let hashes, let isMultiline): readString(hashes: hashes, isMultiline: isMultiline)
      case .regularExpression: readRegularExpression()
      case .blockComment: readBlockComment()
      case .lineComment: readLineComment()
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func readCode(depth: Int) {
    guard Self.turningPoints.contains(source[position]) else { return keep() }
    let isInterpolation = surroundings.count > 1
    if isNext("//") {
      blank(2)
      surroundings.append(.lineComment)
    } else if isNext("/*") {
      blank(2)
      surroundings.append(.blockComment)
    } else if isNext("#/") {
      blank(2)
      surroundings.append(.regularExpression)
    } else if let opening = stringOpening() {
      blank(opening.hashes + (opening.isMultiline ? 3 : 1))
      surroundings.append(.string(hashes: opening.hashes, isMultiline: opening.isMultiline))
    } else if isNext(")"), isInterpolation, depth == 0 {
      blank(1)
      surroundings.removeLast()
    } else {
      if isNext("(") { surroundings[surroundings.count - 1] = .code(depth: depth + 1) }
      if isNext(")") { surroundings[surroundings.count - 1] = .code(depth: depth - 1) }
      keep()
    }
  }

  private mutating func readString(hashes: Int, isMultiline: Bool) {
    let marks = String(repeating: "#", count: hashes)
    let closing = (isMultiline ? "\"\"\"" : "\"") + marks
    if isNext(closing) {
      blank(closing.utf8.count)
      surroundings.removeLast()
    } else if isNext("\\" + marks + "(") {
      blank(hashes + 2)
      surroundings.append(.code(depth: 0))
    } else if isNext("\\" + marks) {
      blank(hashes + 2)
    } else {
      if isNext("\n"), !isMultiline { surroundings.removeLast() }
      blank(1)
    }
  }

  private mutating func readRegularExpression() {
    let isEnd = isNext("/#")
    blank(isEnd ? 2 : 1)
    if isEnd { surroundings.removeLast() }
  }

  private mutating func readBlockComment() {
    if isNext("/*") {
      blank(2)
      surroundings.append(.blockComment)
    } else if isNext("*/") {
      blank(2)
      surroundings.removeLast()
    } else {
      blank(1)
    }
  }

  private mutating func readLineComment() {
    if isNext("\n") { surroundings.removeLast() }
    blank(1)
  }

  /// The delimiter of a string literal that opens here, if one does: `"`, `"""`, `#"`, `##"""` and so on.
  private func stringOpening() -> (hashes: Int, isMultiline: Bool)? {
    var hashes = 0
    while isNext("#", ahead: hashes) { hashes += 1 }
    guard isNext("\"", ahead: hashes) else { return nil }
    return (hashes, isNext("\"\"\"", ahead: hashes))
  }

  private func isNext(_ expected: String, ahead: Int = 0) -> Bool {
    source[position...].dropFirst(ahead).starts(with: expected.utf8)
  }

  private mutating func keep() {
    output.append(source[position])
    position += 1
  }

  /// Blanks characters; newlines stay, so that lines keep their numbers.
  private mutating func blank(_ count: Int) {
    let newline = UInt8(ascii: "\n")
    for byte in source[position...].prefix(count) {
      output.append(byte == newline ? newline : UInt8(ascii: " "))
      position += 1
    }
  }
}
