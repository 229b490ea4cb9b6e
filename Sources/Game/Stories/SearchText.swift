// The form in which texts are searched: their words, without case, marks of punctuation or kinds of typing. Pure.
//
// Letters of full width count as those of ASCII; other compatibility characters stay as they are. Characters that
// nobody sees (Unicode's default ignorables) are left out.
// Decisions: 117 (docs/decisions).

/// The words of a text for a search.
package struct SearchText: Hashable, Sendable {
  /// Each word: letters, marks and digits in normal form C and lower case.
  package let words: [String]

  package init(_ text: String) {
    words = text.searchForm.unicodeScalars.split { !$0.isOfWord }.filter { !$0.allSatisfy(\.isMark) }.map {
      String(String.UnicodeScalarView($0))
    }
  }

  /// Takes the words of `joined`. A word may begin with a mark, which forms one character with the space before it, so
  /// spaces are looked for among scalars.
  package init(joined: String) {
    words = joined.unicodeScalars.split(separator: " ").map { String(String.UnicodeScalarView($0)) }
  }

  /// The words with a space between each two.
  package var joined: String { words.joined(separator: " ") }

  /// Whether each word of a query lies inside a word of this text. A query without words matches nothing.
  package func matches(_ query: SearchText) -> Bool {
    !query.words.isEmpty
      && query.words.allSatisfy { part in
        let bytes = Array(part.utf8)
        return words.contains { $0.has(bytes) }
      }
  }
}

extension String {
  /// The text without characters that nobody sees, in normal form C and lower case, with letters of full width as those
  /// of ASCII.
  var searchForm: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      scalars.append(scalar.narrowed)
    }
    return String(scalars).normalFormC.lowercased().normalFormC
  }

  fileprivate func has(_ part: [UInt8]) -> Bool {
    let bytes = Array(utf8)
    guard bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
  }
}

extension Unicode.Scalar {
  /// Whether words consist of it: a letter, a mark or a digit.
  var isOfWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      true
    default: isMark
    }
  }

  var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  /// The character of ASCII that this one shows in full width, or itself.
  fileprivate var narrowed: Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(value) else { return self }
    return Unicode.Scalar(UInt8(value - 0xFF01 + 0x21))
  }
}
