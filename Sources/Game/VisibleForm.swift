// The visible form of a name: without invisible characters, so that two names that look the same do not differ by one.
// Pure. It does not judge letters that look like others.
// Decisions: 043 (docs/decisions).

extension String {
  /// The text in normal form C without invisible characters: no code point that Unicode calls default ignorable, no
  /// interlinear annotation, one U+0020 for each run of blanks between others, no blanks at the ends. Empty when
  /// nothing is visible.
  ///
  /// Two default ignorables stay where they show: the joiner that makes two emoji one (U+200D), and the selector that
  /// makes an emoji of a possible text symbol (U+FE0F).
  var visibleForm: String {
    let scalars = unicodeScalars.filter { $0.isBlank || $0.isEmojiGlue || !$0.isInvisible }
    var form = String.UnicodeScalarView()
    var isBehindBlank = false
    for (index, scalar) in zip(scalars.indices, scalars) {
      if scalar.isBlank {
        isBehindBlank = true
        continue
      }
      if scalar.isEmojiGlue {
        let next = scalars.index(after: index)
        let follower = next < scalars.endIndex ? scalars[next] : nil
        guard !isBehindBlank, let last = form.last, scalar.glues(last, to: follower) else { continue }
      }
      if isBehindBlank, !form.isEmpty { form.append(" ") }
      isBehindBlank = false
      form.append(scalar)
    }
    return String(form).normalFormC
  }
}

extension Unicode.Scalar {
  private static let joiner: Unicode.Scalar = "\u{200D}"
  private static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
  private static let keycap: Unicode.Scalar = "\u{20E3}"

  /// White space, and characters that fill a place invisibly: Hangul fillers, the braille cell without dots.
  fileprivate var isBlank: Bool {
    switch value {
    case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0: true
    default: properties.isWhitespace
    }
  }

  /// Default ignorables, interlinear annotations, and object placeholders: no font draws them.
  fileprivate var isInvisible: Bool {
    properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFC).contains(value)
  }

  fileprivate var isEmojiGlue: Bool { self == Self.joiner || self == Self.emojiSelector }

  /// Whether this joiner or selector changes the picture of the character before it.
  fileprivate func glues(_ last: Unicode.Scalar, to next: Unicode.Scalar?) -> Bool {
    if self == Self.joiner {
      guard let next, next.isPictograph, !next.properties.isEmojiModifier else { return false }
      return last.isPictograph || last == Self.emojiSelector
    }
    return last.isPictograph ? !last.properties.isEmojiPresentation : last.properties.isEmoji && next == Self.keycap
  }

  /// An emoji by itself: neither a digit or sign that a keycap needs, nor half of a flag.
  private var isPictograph: Bool {
    properties.isEmoji && !isASCII && !(0x1F1E6...0x1F1FF).contains(value)
  }
}
