// A list of words that no nickname and no text may have. An immutable value; any thread may ask it.
//
// The rules of play know nothing of it: a text is refused where it is typed, and journals keep what was taken.
// Decisions: 125 (docs/decisions).

/// The reason why a list can't be read, for the operator.
package enum WordListFault: Error, Equatable, CustomStringConvertible {
  /// The line, from 1 on, has no letter or digit.
  case noWord(line: Int)
  case tooLong(line: Int)
  case tooMany

  package var description: String {
    switch self {
    case .noWord(let line): "line \(line) has no letter and no digit"
    case .tooLong(let line): "line \(line) has more than \(WordList.charactersMax) characters"
    case .tooMany: "there are more than \(WordList.wordsMax) words"
    }
  }
}

package struct WordList: Sendable {
  package static let wordsMax = 100_000
  package static let charactersMax = 64
  /// A shorter English word is not looked for inside of a run of single letters, where it may be anybody's initials.
  private static let spelledCharactersMin = 3

  /// A list without words, which refuses nothing.
  package static let empty = WordList(parts: [], wholes: [], spelled: [])

  /// The number of words.
  package let count: Int
  private let parts: WordAutomaton
  private let wholes: WordAutomaton
  /// Whole words without boundaries, for runs of single letters.
  private let spelled: WordAutomaton

  private init(
    parts: Set<[Unicode.Scalar]>,
    wholes: Set<[Unicode.Scalar]>,
    spelled: Set<[Unicode.Scalar]>,
    count: Int = 0
  ) {
    self.parts = WordAutomaton(parts)
    self.wholes = WordAutomaton(wholes)
    self.spelled = WordAutomaton(spelled)
    self.count = count
  }

  /// Reads a list: a word or some words in a row on each line; blank lines and those that begin with `#` are remarks. A
  /// line with a letter of Hangul, Han or kana is found in any part of a text, other lines as whole words. `=` before a
  /// line makes it whole words, `~` any part.
  ///
  /// - Throws: The first fault.
  package init(_ lines: some Sequence<some StringProtocol>) throws(WordListFault) {
    var (parts, wholes, spelled): (Set<[Unicode.Scalar]>, Set<[Unicode.Scalar]>, Set<[Unicode.Scalar]>) = ([], [], [])
    var count = 0
    for (index, line) in lines.enumerated() {
      // A mark behind white space forms one character with it, and belongs to the word.
      var line = String(String.UnicodeScalarView(line.unicodeScalars.drop { $0.properties.isWhitespace }))
      guard let first = line.unicodeScalars.first, first != "#" else { continue }
      if first == "=" || first == "~" { line.unicodeScalars.removeFirst() }
      guard line.count <= Self.charactersMax, line.utf8.count <= 16 * Self.charactersMax else {
        throw .tooLong(line: index + 1)
      }
      let word = WordText(line).typed
      guard !word.parts.isEmpty else { throw .noWord(line: index + 1) }
      count += 1
      guard count <= Self.wordsMax else { throw .tooMany }
      if first == "~" || (first != "=" && word.parts.contains(where: \.isSpaceless)) {
        // With and without the spaces between the words of a line.
        parts.insert(word.parts)
        parts.insert(word.parts.filter { $0 != WordText.boundary })
      } else {
        wholes.insert(word.words)
        let letters = word.words.dropFirst().dropLast()
        if letters.count >= Self.spelledCharactersMin,
          !letters.contains(where: { $0.isSpaceless || $0 == WordText.boundary })
        {
          spelled.insert(Array(letters))
        }
      }
    }
    self.init(parts: parts, wholes: wholes, spelled: spelled, count: count)
  }

  /// Reads the lines of a text.
  ///
  /// - Throws: The first fault.
  package init(text: String) throws(WordListFault) {
    try self.init(text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline))
  }

  /// Whether a text has a word of the list. Takes time in proportion to the text, whatever the list.
  package func isFound(in text: String) -> Bool {
    guard count > 0 else { return false }
    let text = WordText(text)
    return isFound(in: text.typed) || spelled.finds(in: text.spelled) || text.composed.contains { isFound(in: $0) }
  }

  private func isFound(in reading: WordText.Reading) -> Bool {
    parts.finds(in: reading.parts) || wholes.finds(in: reading.words)
  }
}
