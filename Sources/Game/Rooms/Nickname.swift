// The rule for what players call themselves. A value that exists only when the rule holds. It says nothing of who else
// has the same nickname: that is the room's and the accounts' to know.

/// A nickname: 1 to 20 characters (extended grapheme clusters) without control characters, not only white space, white
/// space at both ends taken away, so that `지민` and `지민 ` are one.
package struct Nickname: Hashable, Sendable {
  package static let charactersMax = 20
  /// A character may be endlessly long, so bytes have a bound too.
  package static let bytesMax = 320

  package let text: String

  /// Checks a nickname as someone typed it.
  /// - Throws: What is wrong with it.
  package init(_ text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    let scalars = text.unicodeScalars
    let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.startIndex
    let last = scalars.lastIndex { !$0.properties.isWhitespace } ?? first
    self.text = String(text[first...last])
  }
}
