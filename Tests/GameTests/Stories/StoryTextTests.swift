// What is taken out of the texts of posts: hashtags, and the words of a search. And codes and soundtracks.
import Game
import Testing

@Suite("Texts of posts have hashtags and words")
struct StoryTextTests {
  @Test(
    "Hashtags begin with a number sign outside of words",
    arguments: [
      ("#바다 와 #산", ["바다", "산"]), ("＃바다", ["바다"]), ("a#b", []), ("##b", ["b"]), ("#1 #1a #_ #a_1", ["1a", "a_1"]),
      ("#Sea #sea #SEA", ["sea"]), ("#바다#산", ["바다"]), ("(#a,#b.)", ["a", "b"]), ("#", []), ("", []),
      ("#e\u{301}te\u{301} #\u{E9}t\u{E9}", ["\u{E9}t\u{E9}"]),
      ("#" + String(repeating: "a", count: 50), [String(repeating: "a", count: 50)]),
      ("#" + String(repeating: "a", count: 51), []),
      ((1...12).map { "#t\($0)" }.joined(separator: " "), (1...10).map { "t\($0)" }),
    ] as [(String, [String])]
  )
  func hashtags(text: String, expected: [String]) {
    #expect(Hashtag.all(in: text).map(\.text) == expected)
  }

  @Test("A hashtag is read with and without its number sign")
  func typedHashtags() {
    #expect(Hashtag("#Sea") == Hashtag("sea") && Hashtag("sea")?.description == "sea")
    for text in ["", "#", "#a b", "12", "a#", "#\u{0}a"] { #expect(Hashtag(text) == nil, "\(text)") }
  }

  @Test(
    "Words have no case, no punctuation and no width",
    arguments: [
      ("여름 바다, 좋다!", ["여름", "바다", "좋다"]), ("Ｂｕｓａｎ 2026", ["busan", "2026"]), ("ÉTÉ e\u{301}", ["été", "é"]),
      ("\u{1112}\u{1161}\u{11AB}", ["한"]), ("🏖️ !", []), ("a_b-c", ["a", "b", "c"]), ("", []),
      // A mark forms one character with what stands before it, a space too.
      ("a !\u{301}b", ["a", "\u{301}b"]), ("a .\u{20E3}c", ["a", "\u{20E3}c"]), ("x\u{0D4E} y", ["x\u{0D4E}", "y"]),
    ] as [(String, [String])]
  )
  func words(text: String, expected: [String]) {
    let words = SearchText(text).words
    #expect(words.count == expected.count && zip(words, expected).allSatisfy { $0.utf8.elementsEqual($1.utf8) })
    #expect(SearchText(joined: SearchText(text).joined) == SearchText(text))
  }

  @Test("A query matches parts of words, all of them")
  func matches() {
    let text = SearchText("여름바다 여행기")
    for query in ["바다", "다", "여행", "름바 행기", "여름바다"] { #expect(text.matches(SearchText(query)), "\(query)") }
    for query in ["바다여", "다여", "산", "바다 산", "", "여름바다 " + "여행기들"] {
      #expect(!text.matches(SearchText(query)), "\(query)")
    }
  }

  @Test("A code has two upper-case letters")
  func codes() {
    #expect(CountryCode("KR")?.description == "KR")
    for text in ["", "K", "kr", "KRA", "K1", "É", "한국"] { #expect(CountryCode(text) == nil, "\(text)") }
  }

  @Test("A soundtrack has sounds of the catalogue, each once, in their bounds")
  func soundtracks() {
    let effects = (0..<3).map { Sound($0, volumePercent: 100) }
    #expect(Soundtrack(music: Sound(5, volumePercent: 0), effects: effects)?.isFull == true)
    #expect(Soundtrack(music: nil, effects: [])?.isSilent == true)
    #expect(Soundtrack(music: Sound(6, volumePercent: 0), effects: []) == nil)
    #expect(Soundtrack(music: nil, effects: [Sound(9, volumePercent: 1)]) == nil)
    #expect(Soundtrack(music: nil, effects: [Sound(-1, volumePercent: 1)]) == nil)
    #expect(Soundtrack(music: Sound(0, volumePercent: 101), effects: []) == nil)
    #expect(Soundtrack(music: nil, effects: [effects[0], effects[0]]) == nil)
    #expect(Soundtrack(music: nil, effects: effects + [Sound(3, volumePercent: 1)]) == nil)
  }

  @Test("Titles, texts and comments have their bounds")
  func bounds() throws {
    try StoryRules.check(title: String(repeating: "가", count: 31))
    try StoryRules.check(text: String(repeating: "가", count: 1_999) + "\n")
    try StoryRules.check(comment: String(repeating: "가", count: 100))
    for title in ["", " ", "a\nb", String(repeating: "가", count: 32)] {
      #expect(throws: TextFault.self) { try StoryRules.check(title: title) }
    }
    for text in ["", "\n", "a\tb", String(repeating: "a", count: 2_001), String(repeating: "👩‍👩‍👧‍👦", count: 400)] {
      #expect(throws: TextFault.self) { try StoryRules.check(text: text) }
    }
    #expect(throws: TextFault.self) { try StoryRules.check(comment: String(repeating: "a", count: 101)) }
  }
}
