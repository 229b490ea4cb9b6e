// The faults of a text that a player typed, and the check that chat and nicknames share. Pure functions of the text.
// The content of a text is not judged, and no rule of play depends on it.

/// The reason why a text is refused.
package enum TextFault: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case tooLong(charactersMax: Int)
  /// No more characters than it may have, and more bytes of UTF-8.
  case tooManyBytes(bytesMax: Int)
  case controlCharacter
  /// One of Unicode's own (U+2028, U+2029); those of ASCII are control characters.
  case lineBreak
  case onlyWhiteSpace

  /// The reason in English, for the developer of a client.
  package var description: String {
    switch self {
    case .empty: "the text is empty"
    case .tooLong(let charactersMax): "the text is longer than \(charactersMax) characters"
    case .tooManyBytes(let bytesMax): "the text has more than \(bytesMax) bytes"
    case .controlCharacter: "the text has a control character"
    case .lineBreak: "the text has a line break"
    case .onlyWhiteSpace: "the text is only white space"
    }
  }

  /// Checks that a text has 1 to `charactersMax` extended grapheme clusters, at most `bytesMax` bytes of UTF-8, no
  /// control characters (category Cc: below U+0020, and U+007F to U+009F) and something other than white space.
  package static func check(_ text: String, charactersMax: Int, bytesMax: Int) throws(TextFault) {
    guard !text.isEmpty else { throw .empty }
    // The bytes come first: they bound the work of the later checks.
    guard text.utf8.count <= bytesMax else { throw .tooLong(charactersMax: charactersMax) }
    var isBlank = true
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x00..<0x20, 0x7F..<0xA0: throw .controlCharacter
      default:
        let isSeen = !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        isBlank = isBlank && !isSeen
      }
    }
    guard !isBlank else { throw .onlyWhiteSpace }
    guard text.count <= charactersMax else { throw .tooLong(charactersMax: charactersMax) }
  }

  /// Checks that a text has at most so many extended grapheme clusters, then so many bytes of UTF-8: which of the two a
  /// text has too many of is told. Takes time in proportion to the text, whose bytes the caller has bounded.
  static func checkSize(_ text: String, charactersMax: Int, bytesMax: Int) throws(TextFault) {
    guard text.count <= charactersMax else { throw .tooLong(charactersMax: charactersMax) }
    guard text.utf8.count <= bytesMax else { throw .tooManyBytes(bytesMax: bytesMax) }
  }

  /// Checks that a text has no control characters (as `check`), and no line or paragraph separator (U+2028, U+2029).
  static func checkIsLine(_ text: String) throws(TextFault) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x00..<0x20, 0x7F..<0xA0: throw .controlCharacter
      case 0x2028, 0x2029: throw .lineBreak
      default: break
      }
    }
  }
}
