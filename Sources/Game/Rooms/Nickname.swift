// The rule for what players call themselves. A value that exists only when the rule holds, in the one form that all see and
// that bytes tell apart. It says nothing of who else has the same nickname: that is the room's and the accounts' to know.

/// A nickname: 1 to 20 characters (extended grapheme clusters) without control characters, not only white space. White
/// space at both ends is taken away, and its letters are in Unicode's normal form C: `지민`, `지민 ` and the `지민` of a
/// keyboard that composes otherwise are one. Letter case stays: `Jimin` and `jimin` are two.
package struct Nickname: Hashable, Sendable {
  package static let charactersMax = 20
  /// A character may be endlessly long, so bytes have a bound too.
  package static let bytesMax = 320

  package let text: String

  /// Checks a nickname as someone typed it.
  /// - Throws: What is wrong with it.
  package init(_ text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    let normal = text.normalFormC
    // A few characters grow in it.
    guard normal.utf8.count <= Self.bytesMax else { throw .tooLong(charactersMax: Self.charactersMax) }
    let scalars = normal.unicodeScalars
    let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.startIndex
    let last = scalars.lastIndex { !$0.properties.isWhitespace } ?? first
    self.text = String(scalars[first...last])
  }
}
