// The rule for players' nicknames. A value that exists only when the rule holds, in the one form that is shown and
// compared. The room and the accounts know whether another player has the same nickname.
// Decisions: 042 (docs/decisions).

/// A nickname: 1 to 20 characters (extended grapheme clusters) without control characters and line breaks, in its
/// visible form. Equal nicknames are `지민`, `지민 `, `지민` with a zero-width space in it, and the `지민` of a keyboard that
/// composes otherwise. Letter case stays: `Jimin` and `jimin` differ.
package struct Nickname: Hashable, Sendable {
  package static let charactersMax = 20
  /// Bounds the bytes too, since a character may have any length.
  package static let bytesMax = 320

  package let text: String

  /// Checks a typed nickname. The characters of its visible form are counted.
  /// - Throws: The fault of the text.
  package init(_ text: String) throws(TextFault) {
    guard !text.isEmpty else { throw .empty }
    // The bytes come first: they bound the work of the later checks.
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong(charactersMax: Self.charactersMax) }
    try TextFault.checkIsLine(text)
    let visible = text.visibleForm
    guard !visible.isEmpty else { throw .onlyWhiteSpace }
    // A few characters grow in the visible form.
    guard visible.utf8.count <= Self.bytesMax, visible.count <= Self.charactersMax else {
      throw .tooLong(charactersMax: Self.charactersMax)
    }
    self.text = visible
  }

  /// Checks a nickname that a room is given, live or from its journal. Some journals are older than the visible form:
  /// their nicknames only lose white space at both ends and get the normal form C, so that a replay gives the same
  /// room.
  /// - Throws: The fault of the text.
  package init(journaled text: String) throws(TextFault) {
    try TextFault.check(text, charactersMax: Self.charactersMax, bytesMax: Self.bytesMax)
    let normal = text.normalFormC
    // A few characters grow in the normal form.
    guard normal.utf8.count <= Self.bytesMax else { throw .tooLong(charactersMax: Self.charactersMax) }
    let scalars = normal.unicodeScalars
    let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.startIndex
    let last = scalars.lastIndex { !$0.properties.isWhitespace } ?? first
    self.text = String(scalars[first...last])
  }

  /// The form of a typed text that finds stored nicknames, whole or by their beginnings: their own form, however the
  /// text is composed.
  package static func searchForm(of text: String) -> String { text.visibleForm }

  /// The nickname as a room shows it beside others: unchanged for its first player, `지민 2` for the next.
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
