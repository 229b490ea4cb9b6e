// The numbers of the rules of reports and warnings, and the checks of their texts. Pure. The content of a text is not
// judged.

/// The numbers of the rules of reports and warnings.
package enum ModerationRules {
  /// The reasons of one report, at most; it has one at least.
  package static let reasonsMax = 3
  package static let textCharactersMax = 200
  /// Bounds the bytes too, since a character may have any length.
  package static let textBytesMax = 3_200
  /// A report of a younger account hides nothing from others; nor does a guest's.
  package static let accountAgeMin = Duration.seconds(7 * 86_400)
  /// A thing is hidden from everybody when accounts of so many networks have reported it.
  package static let networksToHide = 3
  package static let warningCharactersMax = 500
  package static let warningBytesMax = 8_000

  /// Whether any report of a thing that an operator has restored brings it back into the queue, by its number among all
  /// reports of the thing: the first, and each that doubles them. So a crowd is heard, and nobody fills the queue.
  package static func bringsBack(reportNumber: Int64) -> Bool { reportNumber & (reportNumber - 1) == 0 }

  /// Checks the text of a report: none, or up to 200 characters and 3,200 bytes whose only control characters are line
  /// feeds.
  package static func check(text: String) throws(TextFault) {
    guard !text.isEmpty else { return }
    try check(lines: text, charactersMax: textCharactersMax, bytesMax: textBytesMax)
  }

  /// Checks the text of a warning: 1 to 500 characters and at most 8,000 bytes, not only white space; line feeds are
  /// its only control characters.
  package static func check(warning: String) throws(TextFault) {
    guard !warning.isEmpty else { throw .empty }
    try check(lines: warning, charactersMax: warningCharactersMax, bytesMax: warningBytesMax)
  }

  private static func check(lines text: String, charactersMax: Int, bytesMax: Int) throws(TextFault) {
    // The bytes come first: they bound the work of the later checks.
    guard text.utf8.count <= bytesMax, text.count <= charactersMax else { throw .tooLong(charactersMax: charactersMax) }
    // A line feed is as good as a space here.
    let line = String(decoding: text.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    try TextFault.check(line, charactersMax: charactersMax, bytesMax: bytesMax)
  }
}
