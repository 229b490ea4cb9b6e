// The rules of chat: what a text may be and how often one may be sent. The text is a value that exists only when the rule
// holds; it is passed on as it was typed.

/// The text of one chat message: 1 to 100 characters (extended grapheme clusters), not only white space, no control
/// characters, line breaks included.
package struct ChatText: Hashable, Sendable {
  package static let charactersMax = 100
  /// A character may be endlessly long, so bytes have a bound too; 16 for a character leave room for family emoji.
  package static let bytesMax = 1_600

  package let text: String

  /// Checks a text as someone typed it.
  /// - Throws: What is wrong with it.
  package init(_ text: String) throws(TextFault) {
    try self.init(journaled: text)
    try TextFault.checkIsLine(text)
  }

  /// Checks a text that a room is given, now or in its journal. Some are from before U+2028 and U+2029 were refused: a
  /// room that is played again comes to the same.
  /// - Throws: What is wrong with it.
  package init(journaled text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    self.text = text
  }
}

/// How often one may chat: once a second on average, and five times at once.
package enum ChatRules {
  package static let burst: Int64 = 5
  package static let tokenMs: Int64 = 1_000
}
