// The normal form of characters in which listed words are looked for: without case, style, width, strokes and other
// marks that no letter has by itself, and invisible characters. Pure.
// Decisions: 144 (docs/decisions).

extension String {
  /// The characters of a text in the form of words. Letters of Hangul that are not in a syllable are those of a
  /// keyboard (U+3131 to U+3163), however they were typed.
  var wordForm: [Unicode.Scalar] {
    let letters = StyledLetters.shipped
    var plain = String.UnicodeScalarView()
    for scalar in unicodeScalars { letters.append(scalar, to: &plain) }
    let visible = String(plain.filter { !$0.properties.isDefaultIgnorableCodePoint })
    // Both ways, since some letters have a partner in one direction alone.
    let folded = visible.normalFormC.uppercased().lowercased().normalFormC
    return folded.unicodeScalars.lazy.filter { !$0.isStroke }.map(\.onKeyboard)
  }
}

extension Unicode.Scalar {
  /// A mark of the kind that crosses letters out, piles up on them or encloses them. Those that make another letter of
  /// one are in its composed form.
  fileprivate var isStroke: Bool {
    switch value {
    case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// A letter of Hangul as a keyboard has it, or the character itself.
  fileprivate var onKeyboard: Unicode.Scalar {
    switch value {
    case 0x1100...0x1112: HangulLetters.initials[Int(value) - 0x1100]
    case 0x1161...0x1175: HangulLetters.vowels[Int(value) - 0x1161]
    case 0x11A8...0x11C2: HangulLetters.finals[Int(value) - 0x11A8]
    default: self
    }
  }
}
