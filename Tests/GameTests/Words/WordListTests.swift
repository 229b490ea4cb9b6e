// Lists of words: what they find, what they leave alone, and how they are read.
import Game
import SeededRandom
import Testing

@Suite struct WordListTests {
  private func list(_ lines: String...) throws -> WordList { try WordList(lines) }

  @Test(
    "A Korean word is found in any part of a word, however it is typed",
    arguments: [
      "나쁜말", "정말 나쁜말이다", "나쁜말을하다", "Ａ나쁜말", "나.쁜.말", "나*쁜*말", "나쁜_말", "나 쁜 말", "나\u{200B}쁜\u{2060}말",
      "\u{1102}\u{1161}쁜말",
      "나  쁜\n말", "😀나😀쁜😀말",
    ]
  )
  func korean(_ text: String) throws {
    #expect(try list("나쁜말").isFound(in: text), "\(text)")
  }

  @Test(
    "Neighbours of two words, and similar ones, are left alone",
    arguments: [
      "그나 쁜말", "참나 쁜말", "나쁜", "쁜말", "나쁜 말", "나쁘다 말", "", " ", "😀",
    ]
  )
  func koreanApart(_ text: String) throws {
    #expect(try !list("나쁜말").isFound(in: text), "\(text)")
  }

  @Test("Letters of Hangul alone are a word too")
  func letters() throws {
    let list = try list("ㄴㅁ")
    #expect(list.isFound(in: "야 ㄴㅁ") && list.isFound(in: "ㄴ ㅁ") && list.isFound(in: "ㄴ.ㅁ야"))
    #expect(!list.isFound(in: "나무"))
  }

  @Test(
    "An English word is found as a whole word, without case, width and what lies between single letters",
    arguments: [
      "ass", "ASS", "you Ass!", "ａｓｓ", "a.s.s", "a s s", "(ass)", "ass라고", "그ass", "a\u{200D}ss", "ass-hat",
    ]
  )
  func english(_ text: String) throws {
    #expect(try list("ass").isFound(in: text), "\(text)")
  }

  @Test(
    "An English word is not found inside others",
    arguments: ["class", "assess", "as s", "glass house", "pa ss", "a sss"]
  )
  func englishApart(_ text: String) throws {
    #expect(try !list("ass").isFound(in: text), "\(text)")
  }

  @Test("Words of a line stand in a row; signs before a line choose whole words or any part")
  func signs() throws {
    let list = try list("bad word", "=놈", "~darn", "개 나리")
    #expect(list.isFound(in: "a Bad, word!") && !list.isFound(in: "bad words") && !list.isFound(in: "word bad"))
    #expect(list.isFound(in: "이 놈 아니") && !list.isFound(in: "놈팡이"))
    #expect(list.isFound(in: "goldarned"))
    #expect(list.isFound(in: "개나리") && list.isFound(in: "개 나리꽃"))
  }

  @Test("Accents make a difference, ways of typing them do not")
  func accents() throws {
    let list = try list("caf\u{E9}")
    #expect(list.isFound(in: "cafe\u{301}") && !list.isFound(in: "cafe"))
  }

  @Test("Remarks and blank lines are none; other lines without a word are faults")
  func reading() throws {
    let list = try WordList(text: "# a remark\n\n  \n나쁜말\r\n  bad  \n")
    #expect(list.count == 2 && list.isFound(in: "나쁜말") && list.isFound(in: "bad"))
    #expect(throws: WordListFault.noWord(line: 2)) { try WordList(["bad", "!!"]) }
    #expect(throws: WordListFault.tooLong(line: 1)) { try WordList([String(repeating: "a", count: 65)]) }
    #expect(throws: WordListFault.tooMany) { try WordList((0...100_000).lazy.map { "w\($0)" }) }
    #expect(WordList.empty.count == 0 && !WordList.empty.isFound(in: "bad"))
  }

  @Test("A search finds what a look at each place finds")
  func model() throws {
    var random = SplitMix64(seed: 7)
    let letters = Array("가나다")
    func word(_ lengths: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "가" })
    }
    for _ in 0..<500 {
      let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in word(2...5) }
      let list = try WordList(words)
      for _ in 0..<10 {
        let text = word(0...12)
        #expect(list.isFound(in: text) == words.contains { text.contains($0) }, "\(words) in \(text)")
      }
    }
  }
}
