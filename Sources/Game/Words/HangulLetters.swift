// Letters of Hangul that stand by themselves, put together to syllables as a keyboard does it. Pure.
// Decisions: 144 (docs/decisions).

/// The letters of Hangul, in the orders in which syllables are numbered.
enum HangulLetters {
  static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)
  static let vowels = Array("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".unicodeScalars)
  /// The first final letter has the number 1; a syllable without one has 0.
  static let finals = Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars)

  private static let initialNumbers = numbers(of: initials, from: 0)
  private static let vowelNumbers = numbers(of: vowels, from: 0)
  private static let finalNumbers = numbers(of: finals, from: 1)
  private static let vowelPairs = pairs(["ㅗㅏㅘ", "ㅗㅐㅙ", "ㅗㅣㅚ", "ㅜㅓㅝ", "ㅜㅔㅞ", "ㅜㅣㅟ", "ㅡㅣㅢ"])
  private static let finalPairs = pairs([
    "ㄱㅅㄳ", "ㄴㅈㄵ", "ㄴㅎㄶ", "ㄹㄱㄺ", "ㄹㅁㄻ", "ㄹㅂㄼ", "ㄹㅅㄽ", "ㄹㅌㄾ", "ㄹㅍㄿ", "ㄹㅎㅀ", "ㅂㅅㅄ",
  ])

  private static func numbers(of letters: [Unicode.Scalar], from first: UInt32) -> [Unicode.Scalar: UInt32] {
    Dictionary(uniqueKeysWithValues: zip(letters, first...))
  }

  private static func pairs(_ texts: [String]) -> [[Unicode.Scalar]: Unicode.Scalar] {
    Dictionary(
      uniqueKeysWithValues: texts.map { text in
        let letters = Array(text.unicodeScalars)
        return (Array(letters[0..<2]), letters[2])
      }
    )
  }

  /// Whether a character is a letter of a keyboard.
  static func isLetter(_ scalar: Unicode.Scalar) -> Bool { (0x3131...0x3163).contains(scalar.value) }

  private static func isVowel(_ scalar: Unicode.Scalar) -> Bool { (0x314F...0x3163).contains(scalar.value) }
  private static func isConsonant(_ scalar: Unicode.Scalar) -> Bool { (0x3131...0x314E).contains(scalar.value) }

  /// The rule for consonants behind a vowel that may end its syllable or stand by themselves. Where a syllable follows
  /// that begins with the second of two, the first is an end by both.
  enum Ends: CaseIterable {
    /// An end takes all that it can, as a keyboard has it: `ㅂㅏㄹ` is 발, and `바ㄹ` too.
    case taken
    /// They stay by themselves: `ㅂㅏㅂㅗㅋㅋ` is 바보ㅋㅋ.
    case left
  }

  /// A text with its letters put together to syllables, as far as they follow each other.
  static func composed(_ text: [Unicode.Scalar], _ ends: Ends) -> [Unicode.Scalar] {
    var (composed, index): ([Unicode.Scalar], Int) = ([], 0)
    composed.reserveCapacity(text.count)
    while index < text.count {
      let (scalar, count) = syllable(in: text[index...], ends)
      composed.append(scalar)
      index += count
    }
    return composed
  }

  /// The syllable that a text, which is not empty, begins with, and the number of its characters; or the first one.
  private static func syllable(in text: ArraySlice<Unicode.Scalar>, _ ends: Ends) -> (Unicode.Scalar, count: Int) {
    let first = text[text.startIndex]
    let behind = text.dropFirst()
    guard let initial = initialNumbers[first], let vowel = behind.first, isVowel(vowel) else {
      return ends == .taken ? closed(first, behind) : (first, 1)
    }
    let pair = vowelPairs[Array(behind.prefix(2))]
    guard let vowelNumber = vowelNumbers[pair ?? vowel] else { return (first, 1) }
    let vowelCount = pair == nil ? 1 : 2
    let (closing, closingCount) = end(of: behind.dropFirst(vowelCount), ends)
    let number = (initial * 21 + vowelNumber) * 28 + (closing.flatMap { finalNumbers[$0] } ?? 0)
    return (Unicode.Scalar(0xAC00 + number) ?? first, 1 + vowelCount + closingCount)
  }

  /// A typed syllable without an end takes a consonant that stands alone behind it.
  private static func closed(
    _ first: Unicode.Scalar,
    _ behind: ArraySlice<Unicode.Scalar>
  ) -> (Unicode.Scalar, count: Int) {
    guard (0xAC00...0xD7A3).contains(first.value), (first.value - 0xAC00) % 28 == 0, let next = behind.first,
      isConsonant(next), let closing = finalNumbers[next], !(behind.dropFirst().first.map(isLetter) ?? false)
    else { return (first, 1) }
    return (Unicode.Scalar(first.value + closing) ?? first, 2)
  }

  /// The end of a syllable whose vowel is followed by a text, and the number of its letters.
  private static func end(of text: ArraySlice<Unicode.Scalar>, _ ends: Ends) -> (Unicode.Scalar?, count: Int) {
    let consonants = text.prefix(while: isConsonant)
    // The last one begins a syllable where a vowel follows.
    let isFollowed = text.dropFirst(consonants.count).first.map(isVowel) ?? false
    let begins = isFollowed && (consonants.last.map { initialNumbers[$0] != nil } ?? false)
    let free = begins ? consonants.dropLast() : consonants
    guard ends == .taken || (begins && free.count == 1), let first = free.first, finalNumbers[first] != nil else {
      return (nil, 0)
    }
    if let pair = finalPairs[Array(free.prefix(2))] { return (pair, 2) }
    return (first, 1)
  }
}
