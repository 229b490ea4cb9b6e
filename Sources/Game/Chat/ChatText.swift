// The rules of chat: valid texts, and their rate. The text is a value that exists only when the rules hold; it is
// passed on as typed.

/// The text of one chat message: 1 to 100 characters (extended grapheme clusters), not only white space, no control
/// characters, line breaks included.
package struct ChatText: Hashable, Sendable {
  package static let charactersMax = 100
  /// Bounds the bytes too, since a character may have any length; 16 per character leave space for family emoji.
  package static let bytesMax = 1_600

  package let text: String

  /// Checks a typed text.
  /// - Throws: The fault of the text.
  package init(_ text: String) throws(TextFault) {
    try self.init(journaled: text)
    try TextFault.checkIsLine(text)
  }

  /// Checks a text that a room is given, live or from its journal. Some journals are older than the refusal of U+2028
  /// and U+2029; their replay must give the same room.
  /// - Throws: The fault of the text.
  package init(journaled text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    self.text = text
  }
}

/// The rate of chat: once a second on average, five times at once.
package enum ChatRules {
  package static let rate = TokenRate(burst: 5, tokenMs: 1_000)
}
