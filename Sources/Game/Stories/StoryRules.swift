// The numbers of the rules of posts, and the checks of what a player writes. Pure. The content of a text is not judged.

/// The numbers of the rules of posts and comments.
package enum StoryRules {
  package static let titleCharactersMax = 31
  /// Bounds the bytes too, since a character may have any length.
  package static let titleBytesMax = 496
  package static let textCharactersMax = 2_000
  package static let textBytesMax = 8_000
  package static let commentCharactersMax = 100
  package static let commentBytesMax = 1_600
  package static let countriesMax = 3
  package static let picturesMax = 10
  /// A player's second view of a post within this time does not count.
  package static let viewInterval = Duration.seconds(86_400)

  /// Checks a title: one line of 1 to 31 characters, not only white space, no control characters.
  package static func check(title: String) throws(TextFault) {
    try TextFault.checkIsLine(title)
    try TextFault.check(title, charactersMax: titleCharactersMax, bytesMax: titleBytesMax)
  }

  /// Checks a text: 1 to 2,000 characters and at most 8,000 bytes, not only white space; line feeds are its only
  /// control characters.
  package static func check(text: String) throws(TextFault) {
    try check(lines: text, charactersMax: textCharactersMax, bytesMax: textBytesMax)
  }

  /// Checks a comment, as a text of 1 to 100 characters.
  package static func check(comment: String) throws(TextFault) {
    try check(lines: comment, charactersMax: commentCharactersMax, bytesMax: commentBytesMax)
  }

  static func check(lines text: String, charactersMax: Int, bytesMax: Int) throws(TextFault) {
    // The bytes come first: they bound the work of the later checks.
    guard text.utf8.count <= bytesMax, text.count <= charactersMax else { throw .tooLong(charactersMax: charactersMax) }
    // A line feed is as good as a space here.
    let line = String(decoding: text.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    try TextFault.check(line, charactersMax: charactersMax, bytesMax: bytesMax)
  }
}
