// What an operator may tell players: a text by the rules of chat, but longer. The text is a value that exists only when the
// rule holds.

/// The text of an announcement: 1 to 500 characters (extended grapheme clusters), not only white space, no control
/// characters, line breaks included.
package struct AnnouncementText: Hashable, Sendable {
  package static let charactersMax = 500
  /// A character may be endlessly long, so bytes have a bound too; 16 for a character, as in a chat.
  package static let bytesMax = 8_000

  package let text: String

  /// Checks a text as someone typed it.
  /// - Throws: What is wrong with it.
  package init(_ text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    try TextFault.checkIsLine(text)
    self.text = text
  }
}
