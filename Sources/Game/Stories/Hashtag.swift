// Hashtags: words of a text that begin with a number sign. Pure.

/// A hashtag without its number sign: 1 to 50 letters, digits, marks and underscores, not digits alone, in normal form
/// C and lower case. Tags that differ only in case or in the way of typing are equal.
package struct Hashtag: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The most scalars of a hashtag; a longer word is none.
  package static let scalarsMax = 50
  /// The most hashtags of one text; later ones are words like others.
  package static let countMax = 10

  package let text: String

  /// Reads a hashtag, with its number sign or without; nil for anything else.
  package init?(_ typed: some StringProtocol) {
    let scalars = typed.unicodeScalars
    let word = scalars.first.map(\.isNumberSign) == true ? scalars.dropFirst() : scalars[...]
    guard word.allSatisfy(\.isOfHashtag) else { return nil }
    self.init(word: String(String.UnicodeScalarView(word)))
  }

  private init?(word: String) {
    let text = word.normalFormC.lowercased().normalFormC
    guard (1...Self.scalarsMax).contains(text.unicodeScalars.count),
      !text.unicodeScalars.allSatisfy({ $0.properties.numericType != nil || $0 == "_" })
    else { return nil }
    self.text = text
  }

  package var description: String { text }

  package static func < (left: Hashtag, right: Hashtag) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package static func == (left: Hashtag, right: Hashtag) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }

  /// The hashtags of a text, each once, in the order of their first places, at most `countMax`. A number sign inside a
  /// word begins none.
  package static func all(in text: String) -> [Hashtag] {
    var found: [Hashtag] = []
    var word: String.UnicodeScalarView?
    var isInsideWord = false
    func end() {
      guard let ended = word, found.count < countMax, let tag = Hashtag(word: String(ended)), !found.contains(tag)
      else { return }
      found.append(tag)
    }
    for scalar in text.unicodeScalars {
      if scalar.isOfHashtag {
        word?.append(scalar)
        isInsideWord = true
      } else {
        end()
        word = scalar.isNumberSign && !isInsideWord ? String.UnicodeScalarView() : nil
        isInsideWord = false
      }
    }
    end()
    return found
  }
}

extension Unicode.Scalar {
  fileprivate var isNumberSign: Bool { self == "#" || self == "\u{FF03}" }

  fileprivate var isOfHashtag: Bool { self == "_" || isOfWord }
}
