// Nicknames that look the same are the same: invisible characters are removed.
import Game
import Testing

@Suite("Nicknames")
struct NicknameTests {
  @Test(
    "Invisible characters are removed, wherever they stand",
    arguments: [
      0x00AD, 0x034F, 0x061C, 0x180B, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202E, 0x2060, 0x2064,
      0x2066, 0x2069, 0xFE00, 0xFE0E, 0xFE0F, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFC, 0x1D173, 0xE0001, 0xE0041,
      0xE007F, 0xE0100,
    ] as [UInt32]
  )
  func invisible(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    for text in ["\(scalar)지민", "지\(scalar)민", "지민\(scalar)", "\(scalar)\(scalar)지\(scalar)민 \(scalar)"] {
      #expect(Array(try Nickname(text).text.utf8) == Array("지민".utf8), "\(text.unicodeScalars.map(\.value))")
    }
    #expect(throws: TextFault.onlyWhiteSpace) { try Nickname("\(scalar)") }
    #expect(throws: TextFault.onlyWhiteSpace) { try Nickname(" \(scalar) \(scalar)") }
  }

  @Test(
    "White space becomes one space inside and is removed at the ends",
    arguments: ["\u{3000}", "\u{A0}", "\u{200A}", "\u{2800}", "\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}", "  "]
  )
  func blank(text: String) throws {
    #expect(try Nickname("\(text)가\(text)람\(text)").text == "가 람")
    #expect(try Nickname("가\(text)\u{200B} \(text)람").text == "가 람")
    #expect(throws: TextFault.onlyWhiteSpace) { try Nickname(text) }
    #expect(throws: TextFault.onlyWhiteSpace) { try Nickname("\u{200D}\(text)\u{FE0F}\(text)") }
  }

  @Test("Letters around an invisible character are composed")
  func composed() throws {
    #expect(Array(try Nickname("e\u{200B}\u{301}").text.utf8) == Array("\u{E9}".utf8))
    #expect(Array(try Nickname("\u{1112}\u{200C}\u{1161}\u{AD}\u{11AB}").text.utf8) == Array("한".utf8))
  }

  @Test(
    "An emoji stays intact",
    arguments: [
      "👨‍👩‍👧", "❤️", "👩‍❤️‍💋‍👨", "🏳️‍🌈", "👁️‍🗨️", "👩🏽‍🚀", "🕵🏽‍♀️", "1️⃣", "#️⃣", "🇰🇷", "☀️지민☀️", "👍🏽", "🐻‍❄️", "©️",
    ]
  )
  func emoji(text: String) throws {
    #expect(Array(try Nickname(text).text.utf8) == Array(text.utf8))
  }

  @Test(
    "A joiner with nothing to join is removed, and so is a selector with nothing to select",
    arguments: [
      ("👨\u{200D}", "👨"), ("\u{200D}👨", "👨"), ("👨\u{200D}지민", "👨지민"), ("지\u{200D}👨", "지👨"),
      ("👨\u{200D} 👩", "👨 👩"), ("👨 \u{200D}👩", "👨 👩"), ("👨\u{200D}\u{200D}👩", "👨\u{200D}👩"),
      ("👨\u{200D}\u{FE0F}👩", "👨👩"), ("👨\u{FE0F}", "👨"), ("👍🏽\u{FE0F}", "👍🏽"),
      ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}"), ("1\u{FE0F}", "1"), ("12\u{200D}3", "123"),
      ("🇰🇷\u{200D}🇺🇸", "🇰🇷🇺🇸"), ("👍\u{200D}🏽", "👍🏽"),
      ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🏴"),
    ]
  )
  func needlessGlue(typed: String, shown: String) throws {
    #expect(Array(try Nickname(typed).text.utf8) == Array(shown.utf8))
  }

  @Test("Visible characters are counted, and at most 320 bytes are examined")
  func length() throws {
    #expect(try Nickname(String(repeating: "가\u{200B}", count: 20)).text.count == 20)
    #expect(throws: TextFault.tooLong(charactersMax: 20)) { try Nickname(String(repeating: "가\u{200B}", count: 21)) }
    #expect(throws: TextFault.tooLong(charactersMax: 20)) {
      try Nickname("가" + String(repeating: "\u{200B}", count: 106))
    }
  }

  @Test("A normalized nickname is its own normal form, and rooms accept it unchanged")
  func normalForms() throws {
    // Without the many characters of Hangul and Han that are only letters.
    let values: [ClosedRange<UInt32>] = [
      0xA0...0x33FF, 0xA000...0xABFF, 0xD7A4...0x16FFF, 0x1B000...0x1FFFF, 0x2F800...0x2FA1F,
    ]
    for value in values.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      guard let form = try? Nickname("a\(scalar)\u{FE0F}\u{200D}\(scalar) 1\(scalar)").text else { continue }
      let again = [try Nickname(form).text, try Nickname(journaled: form).text]
      guard again.allSatisfy({ $0.unicodeScalars.elementsEqual(form.unicodeScalars) }) else {
        Issue.record("U+\(String(value, radix: 16)) became \(form.unicodeScalars.map(\.value))")
        continue
      }
    }
  }

  @Test("A nickname stored before the rule stays unchanged in its room")
  func journaled() throws {
    #expect(Array(try Nickname(journaled: " 지\u{200B}민 ").text.utf8) == Array("지\u{200B}민".utf8))
    #expect(try Nickname(journaled: "\u{2800}").text == "\u{2800}")
    var test = try TestRoom()
    #expect(test.join(0, nickname: "\u{2800}") == .joined(.seat(0)))
  }
}
