// The forms in which texts are looked through for listed words: without case, style, invisible characters and kinds of
// typing, and with most of what is typed between the letters of a word left out. Pure.
//
// A word is written in pieces: runs of letters, marks and digits. Scripts that are written without spaces between words
// (Hangul, Han, kana) make pieces of their own beside others.
// Decisions: 125, 144 (docs/decisions).

struct WordText: Sendable {
  /// The mark between two words in the forms below.
  static let boundary: Unicode.Scalar = " "

  /// A text as it may be read.
  struct Reading: Sendable, Hashable {
    /// The letters of all pieces, with a boundary where white space lies between two of them. No boundary lies between
    /// pieces of one character each: `시 발` is written apart to be read as one.
    let parts: [Unicode.Scalar]
    /// All pieces as whole words, with a boundary around each. Pieces of one letter each are one word, `f.u.c k`, in
    /// scripts with spaces between words; in others such a piece is mostly a word.
    let words: [Unicode.Scalar]
  }

  /// The text as it was typed.
  let typed: Reading
  /// The text with its single letters of Hangul put together to syllables, in each way that makes another text.
  let composed: [Reading]
  /// The runs of single letters among the words, `i f u c k`, with a boundary behind each.
  let spelled: [Unicode.Scalar]

  init(_ text: String) {
    let pieces = Self.pieces(of: text.wordForm)
    typed = Reading(pieces)
    spelled = Self.spelled(pieces)
    var composed: [Reading] = []
    if typed.parts.contains(where: HangulLetters.isLetter) {
      for ends in HangulLetters.Ends.allCases {
        let reading = Reading(pieces, composedBy: ends)
        if reading != typed, !composed.contains(reading) { composed.append(reading) }
      }
    }
    self.composed = composed
  }

  /// A run of letters, marks and digits.
  fileprivate struct Piece {
    var scalars: [Unicode.Scalar]
    /// Of a script without spaces between words.
    let isSpaceless: Bool
    /// Behind white space, and perhaps other characters.
    let isBehindSpace: Bool

    /// One character, perhaps with marks.
    var isSingle: Bool { scalars.lazy.filter { !$0.isMark }.prefix(2).count <= 1 }
    /// A single letter of a script with spaces between words.
    var isLetter: Bool { isSingle && !isSpaceless }
  }

  private static func pieces(of text: [Unicode.Scalar]) -> [Piece] {
    var pieces: [Piece] = []
    var (isInPiece, isBehindSpace) = (false, false)
    for scalar in text {
      guard scalar.isOfWord else {
        isInPiece = false
        isBehindSpace = isBehindSpace || scalar.properties.isWhitespace
        continue
      }
      let goesOn = isInPiece && (scalar.isMark || pieces.last?.isSpaceless == scalar.isSpaceless)
      if goesOn, let last = pieces.indices.last {
        pieces[last].scalars.append(scalar)
      } else {
        pieces.append(Piece(scalars: [scalar], isSpaceless: scalar.isSpaceless, isBehindSpace: isBehindSpace))
      }
      (isInPiece, isBehindSpace) = (true, false)
    }
    return pieces
  }

  private static func spelled(_ pieces: [Piece]) -> [Unicode.Scalar] {
    var spelled: [Unicode.Scalar] = []
    for piece in pieces {
      if piece.isLetter {
        spelled += piece.scalars
      } else if !spelled.isEmpty, spelled.last != boundary {
        spelled.append(boundary)
      }
    }
    return spelled
  }
}

extension WordText.Reading {
  fileprivate init(_ pieces: [WordText.Piece]) {
    var parts: [Unicode.Scalar] = []
    var words = [WordText.boundary]
    var last: WordText.Piece?
    for piece in pieces {
      if piece.isBehindSpace, let last, !(piece.isSingle && last.isSingle) { parts.append(WordText.boundary) }
      parts += piece.scalars
      if let last, !(piece.isLetter && last.isLetter) { words.append(WordText.boundary) }
      words += piece.scalars
      last = piece
    }
    words.append(WordText.boundary)
    self.init(parts: parts, words: words)
  }

  /// A reading in which letters of Hangul are put together: in each piece, and then in pieces that have no boundary
  /// between them, `ㅂ.ㅏ`.
  fileprivate init(_ pieces: [WordText.Piece], composedBy ends: HangulLetters.Ends) {
    var pieces = pieces
    for index in pieces.indices where pieces[index].isSpaceless {
      pieces[index].scalars = HangulLetters.composed(pieces[index].scalars, ends)
    }
    let reading = Self(pieces)
    self.init(parts: HangulLetters.composed(reading.parts, ends), words: reading.words)
  }
}

extension Unicode.Scalar {
  /// Whether it is of a script that is written without spaces between words, or with endings joined to them.
  var isSpaceless: Bool {
    switch value {
    // Hangul and its letters.
    case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
    // Kana, and Han.
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
