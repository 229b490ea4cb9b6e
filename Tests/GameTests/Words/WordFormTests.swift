// The normal form of listed words: styles of letters, letters of Hangul by themselves, and words spelled out; and what
// it must leave alone.
import Game
import SeededRandom
import Testing

@Suite struct WordFormTests {
  private static let list = [
    "나쁜말", "바보", "멍충이", "닭", "ㅅㅂ", "bad", "asset", "caf\u{E9}", "strasse", "two words", "~darn", "=놈", "バカ",
  ]

  private func finds(_ text: String) throws -> Bool { try WordList(Self.list).isFound(in: text) }

  @Test(
    "A letter in another style is the letter",
    arguments: [
      "𝐛𝐚𝐝", "𝒃𝒂𝒅", "𝔟𝔞𝔡", "𝙱𝙰𝙳", "ⓑⓐⓓ", "Ⓑⓐⓓ", "🅑🅐🅓", "🅱\u{FE0F}🅰\u{FE0F}🅳", "⒝⒜⒟", "ᵇᵃᵈ", "ʙᴀᴅ", "ｂａｄ", "ＢＡＤ",
      "b\u{336}a\u{336}d\u{336}", "b\u{20DD}a\u{20DD}d\u{20DD}", "b\u{301}a\u{336}d", "𝕓 𝕒 𝕕", "𝖆𝖘𝖘𝖊𝖙",
      "straße", "STRASSE", "ﬆraſſe", "㉯쁜말", "㈎나쁜말", "ﾊﾞｶ",
    ]
  )
  func styles(_ text: String) throws {
    #expect(try finds(text), "\(text)")
  }

  @Test(
    "Letters of Hangul are put together, of full and half width, typed alone and apart",
    arguments: [
      "ㄴㅏㅃㅡㄴㅁㅏㄹ", "\u{FFA4}\u{FFC2}\u{FFB3}\u{FFDA}\u{FFA4}\u{FFB1}\u{FFC2}\u{FFA9}", "ㄴㅏ쁜말", "나ㅃㅡㄴ말", "나쁜ㅁㅏㄹ", "나쁜마ㄹ",
      "ㄴ.ㅏ.ㅃ.ㅡ.ㄴ.ㅁ.ㅏ.ㄹ", "ㄴ ㅏ ㅃ ㅡ ㄴ ㅁ ㅏ ㄹ",
      "나 쁜 ㅁㅏㄹ", "ㄴㅏ ㅃㅡㄴ ㅁㅏㄹ", "정말 나 쁜 말", "\u{1102}\u{1161}\u{1108}\u{1173}\u{11AB}\u{1106}\u{1161}\u{11AF}",
      "\u{1102}\u{200B}\u{1161}쁜말", "ㅂㅏㅂㅗ", "ㅂㅏㅂㅗㅋㅋ", "ㅂㅏㅂㅗㅠㅠ", "이 ㅂㅏㅂㅗㅇㅑ", "ㅁㅓㅇㅊㅜㅇㅇㅣ", "머ㅇ충이", "멍ㅊㅜㅇ이", "ㄷㅏㄺ", "ㄷㅏㄹㄱ",
      "ㅅㅂ", "아ㅅㅂ", "\u{FFB5}\u{FFB2}", "\u{1109}\u{1107}", "ㅅ.ㅂ", "ㄴㅗㅁ 하나",
    ]
  )
  func hangul(_ text: String) throws {
    #expect(try finds(text), "\(text)")
  }

  @Test(
    "A word that is spelled out is found, beside other single letters too",
    arguments: [
      "b a d", "b.a.d", "b-a_d", "b\u{200B}a\u{2060}d", "I b a d", "b a d 2", "so b.a.d x", "d a r n", "go d-a-r-n",
    ]
  )
  func spelled(_ text: String) throws {
    #expect(try finds(text), "\(text)")
  }

  @Test(
    "Ordinary texts are left alone, over the borders of words too",
    arguments: [
      "as set", "an as. Set it", "badge", "b ad", "ba d", "a b a", "i, a d", "as s e t up", "two kind words",
      "그나 쁜말", "참나 쁜말을", "나쁜 말", "바람 보라", "바다 보기", "닥", "다 ㄹ", "놈팡이", "서버", "사비", "바ㅋㅋ 보ㅋㅋ", "그래ㅋㅋ ㅇㅋ", "ㅋㅋㅋ 바닷가",
      "가ㅠㅠ",
      "안녕하세요 🇰🇷 👨‍👩‍👧", "A. B. C.", "№ 5, ½ ㎏, x²",
    ]
  )
  func ordinary(_ text: String) throws {
    #expect(try !finds(text), "\(text)")
  }

  @Test("A listed word has another style in the list as well, and short ones are no parts of initials")
  func lists() throws {
    let list = try WordList(["𝓫𝓪𝓭", "ab"])
    #expect(list.isFound(in: "bad") && list.isFound(in: "a b") && !list.isFound(in: "c a b d"))
  }

  @Test(
    "A long text of one thing again and again is looked through",
    arguments: ["a ", "ㅂㅏ", "ㅂ ㅏ ", "바ㄹ", "ㅋ", "\u{FDFA}", "\u{301}", "e\u{323}\u{301}", "😀", "𝒃"]
  )
  func long(_ unit: String) throws {
    let list = try WordList(["나쁜말", String(repeating: "a", count: 63) + "b", "~\(String(repeating: "바", count: 63))보"])
    #expect(!list.isFound(in: String(repeating: unit, count: 8_000)))
  }

  @Test("No text of odd characters ends the process, and a word is found between any of them")
  func odd() throws {
    var random = SplitMix64(seed: 11)
    let ranges: [ClosedRange<UInt32>] = [
      0...0x7F, 0x300...0x36F, 0x1100...0x11FF, 0x2000...0x206F, 0x3130...0x318F, 0xAC00...0xD7A3, 0xFE00...0xFFFF,
      0x1D400...0x1D7FF, 0x1F100...0x1F1FF, 0xE000...0x10FFFF,
    ]
    let list = try WordList(Self.list)
    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let range = ranges.randomElement(using: &random) ?? 0...0x7F
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
      }
      _ = list.isFound(in: String(text))
      #expect(list.isFound(in: "\(String(text)) \n나쁜말\n \(String(text))"))
      #expect(list.isFound(in: "\(String(text))\n, two words,\n\(String(text))"))
    }
  }
}
