// An operator's announcement to players: longer than a chat, by the same rules. The value exists only when the rules
// hold.

/// The text of an announcement: 1 to 500 characters (extended grapheme clusters), not only white space, no control
/// characters, line breaks included.
package struct AnnouncementText: Hashable, Sendable {
  package static let charactersMax = 500
  /// Bounds the bytes too, since a character may have any length; 16 per character, as in a chat.
  package static let bytesMax = 8_000

  package let text: String

  /// Checks a typed text.
  /// - Throws: The fault of the text.
  package init(_ text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    try TextFault.checkIsLine(text)
    self.text = text
  }
}
