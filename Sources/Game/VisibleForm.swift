// The form of a name in which what nobody sees is gone, so that two names that look the same are not two for something
// that shows nothing. Pure. It is no judge of letters that look like others.
// Decisions: 043 (docs/decisions).

extension String {
  /// The text in normal form C without what shows nothing: no code point that Unicode calls default ignorable, no sign of
  /// annotation, one U+0020 for all that is blank between two others, nothing blank at the ends. Empty when nothing is to be
  /// seen.
  ///
  /// Two default ignorables stay where they show: the joiner between two emoji that makes one of them (U+200D), and the
  /// selector that makes an emoji of what may be a sign of text (U+FE0F).
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

  /// White space, and what fills a place without showing anything: Hangul fillers, the braille cell without dots.
  fileprivate var isBlank: Bool {
    switch value {
    case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0: true
    default: properties.isWhitespace
    }
  }

  /// Beside what is default ignorable the signs of annotation, and what stands for an object: no font draws them.
  fileprivate var isInvisible: Bool {
    properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFC).contains(value)
  }

  fileprivate var isEmojiGlue: Bool { self == Self.joiner || self == Self.emojiSelector }

  /// Whether this joiner or selector makes another picture of what it stands behind.
  fileprivate func glues(_ last: Unicode.Scalar, to next: Unicode.Scalar?) -> Bool {
    if self == Self.joiner {
      guard let next, next.isPictograph, !next.properties.isEmojiModifier else { return false }
      return last.isPictograph || last == Self.emojiSelector
    }
    return last.isPictograph ? !last.properties.isEmojiPresentation : last.properties.isEmoji && next == Self.keycap
  }

  /// An emoji by itself: not a digit or sign that a keycap makes one of, not the half of a flag.
  private var isPictograph: Bool {
    properties.isEmoji && !isASCII && !(0x1F1E6...0x1F1FF).contains(value)
  }
}
