// The rule for what players call themselves. A value that exists only when the rule holds, in the one form that all see and
// that bytes tell apart. It says nothing of who else has the same nickname: that is the room's and the accounts' to know.
// Decisions: 042 (docs/decisions).

/// A nickname: 1 to 20 characters (extended grapheme clusters) without control characters and line breaks, in its
/// visible form. `지민`, `지민 `, `지민` with a zero-width space in it and the `지민` of a keyboard that composes otherwise are
/// one. Letter case stays: `Jimin` and `jimin` are two.
package struct Nickname: Hashable, Sendable {
  package static let charactersMax = 20
  /// A character may be endlessly long, so bytes have a bound too.
  package static let bytesMax = 320

  package let text: String

  /// Checks a nickname as someone typed it. Its characters are counted in its visible form.
  /// - Throws: What is wrong with it.
  package init(_ text: String) throws(TextFault) {
    guard !text.isEmpty else { throw .empty }
    // The bytes first: what comes after then has a bound.
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong(charactersMax: Self.charactersMax) }
    try TextFault.checkIsLine(text)
    let visible = text.visibleForm
    guard !visible.isEmpty else { throw .onlyWhiteSpace }
    // A few characters grow in it.
    guard visible.utf8.count <= Self.bytesMax, visible.count <= Self.charactersMax else {
      throw .tooLong(charactersMax: Self.charactersMax)
    }
    self.text = visible
  }

  /// Checks a nickname that a room is given, now or in its journal. Some are from before nicknames had a visible form:
  /// they stay as they are, but for white space at both ends and the normal form C, and a room that is played again
  /// comes to the same.
  /// - Throws: What is wrong with it.
  package init(journaled text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    let normal = text.normalFormC
    // A few characters grow in it.
    guard normal.utf8.count <= Self.bytesMax else { throw .tooLong(charactersMax: Self.charactersMax) }
    let scalars = normal.unicodeScalars
    let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.startIndex
    let last = scalars.lastIndex { !$0.properties.isWhitespace } ?? first
    self.text = String(scalars[first...last])
  }

  /// The nickname as a room shows it beside those of others: as it is for the first who has it, `지민 2` for the next.
  func numbered(beside others: Set<String>) -> String {
    var shown = text
    var number = 1
    while others.contains(shown) {
      number += 1
      shown = "\(text) \(number)"
    }
    return shown
  }
}
