// The name of an operator or of a named token, as it stands in the file, on the wire and in the audit log. A value.

/// A name of 1 to 32 characters: `a` to `z`, digits, Hangul syllables, and behind the first `.`, `_` and `-`. Capitals
/// are lowered.
package struct OperatorName: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let text: String

  /// The name of the server's own token in the audit log; no operator has it.
  package static let ofServerToken = "token"
  package static let rule =
    "a name has 1 to 32 letters (a to z, or Hangul), digits, and behind the first of them . _ -, and is not \"token\""
  private static let charactersMax = 32

  /// Nil for a text that is no name.
  package init?(_ text: String) {
    let text = text.lowercased()
    let scalars = Array(text.unicodeScalars)
    guard (1...Self.charactersMax).contains(scalars.count), text != Self.ofServerToken, Self.isLetter(scalars[0]),
      scalars.allSatisfy({ Self.isLetter($0) || "._-".unicodeScalars.contains($0) })
    else { return nil }
    self.text = text
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "0"..."9", "\u{AC00}"..."\u{D7A3}": true
    default: false
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.unicodeScalars.lexicographicallyPrecedes(right.text.unicodeScalars)
  }

  package var description: String { text }
}
