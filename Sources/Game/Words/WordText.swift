// The form in which texts are looked through for listed words: without case, width, invisible characters and kinds of
// typing, and with most of what is typed between the letters of a word left out. Pure.
//
// A word is written in pieces: runs of letters, marks and digits. Scripts that are written without spaces between words
// (Hangul, Han, kana) make pieces of their own beside others.
// Decisions: 125 (docs/decisions).

struct WordText: Sendable {
  /// The mark between two words in the two forms below.
  static let boundary: Unicode.Scalar = " "

  /// The letters of all pieces, with a boundary where white space lies between two of them. No boundary lies between
  /// pieces of one character each: `시 발` is written apart to be read as one.
  let parts: [Unicode.Scalar]
  /// All pieces as whole words, with a boundary around each. Pieces of one letter each are one word, `f.u.c k`, in
  /// scripts with spaces between words; in others such a piece is mostly a word.
  let words: [Unicode.Scalar]

  init(_ text: String) {
    let pieces = Self.pieces(of: text)
    var parts: [Unicode.Scalar] = []
    var words = [Self.boundary]
    var last: Piece?
    for piece in pieces {
      if piece.isBehindSpace, let last, !(piece.isSingle && last.isSingle) { parts.append(Self.boundary) }
      parts += piece.scalars
      if let last, !(piece.isLetter && last.isLetter) { words.append(Self.boundary) }
      words += piece.scalars
      last = piece
    }
    words.append(Self.boundary)
    (self.parts, self.words) = (parts, words)
  }

  /// A run of letters, marks and digits.
  private struct Piece {
    var scalars: [Unicode.Scalar]
    /// Of a script without spaces between words.
    let isSpaceless: Bool
    /// Behind white space, and perhaps other characters.
    let isBehindSpace: Bool
    /// The number of its scalars that are no marks.
    var baseCount: Int

    var isSingle: Bool { baseCount <= 1 }
    /// A single letter of a script with spaces between words.
    var isLetter: Bool { isSingle && !isSpaceless }
  }

  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var (isInPiece, isBehindSpace) = (false, false)
    for scalar in text.searchForm.unicodeScalars {
      guard scalar.isOfWord else {
        isInPiece = false
        isBehindSpace = isBehindSpace || scalar.properties.isWhitespace
        continue
      }
      let goesOn = isInPiece && (scalar.isMark || pieces.last?.isSpaceless == scalar.isSpaceless)
      if goesOn, let last = pieces.indices.last {
        pieces[last].scalars.append(scalar)
        pieces[last].baseCount += scalar.isMark ? 0 : 1
      } else {
        pieces.append(
          Piece(
            scalars: [scalar],
            isSpaceless: scalar.isSpaceless,
            isBehindSpace: isBehindSpace,
            baseCount: scalar.isMark ? 0 : 1
          )
        )
      }
      (isInPiece, isBehindSpace) = (true, false)
    }
    return pieces
  }
}

extension Unicode.Scalar {
  /// Whether it is of a script that is written without spaces between words, or with endings joined to them.
  var isSpaceless: Bool {
    switch value {
    // Hangul and its letters.
    case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xFFA0...0xFFDC: true
    // Kana, and Han.
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
