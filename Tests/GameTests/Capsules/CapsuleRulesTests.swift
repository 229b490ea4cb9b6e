// The bounds of what a player writes in a capsule.
import Game
import Testing

@Suite("Capsules: rules")
struct CapsuleRulesTests {
  @Test("A title is a line of 1 to 15 characters")
  func titles() throws {
    _ = try CapsuleRules.title("첫눈")
    _ = try CapsuleRules.title(String(repeating: "👨‍👩‍👧", count: 13))
    _ = try CapsuleRules.title(String(repeating: "가", count: 15))
    #expect(throws: CapsuleFault.title(.empty)) { try CapsuleRules.title("") }
    #expect(throws: CapsuleFault.title(.onlyWhiteSpace)) { try CapsuleRules.title("  ") }
    #expect(throws: CapsuleFault.title(.controlCharacter)) { try CapsuleRules.title("a\nb") }
    #expect(throws: CapsuleFault.title(.lineBreak)) { try CapsuleRules.title("a\u{2028}b") }
    #expect(throws: CapsuleFault.title(.tooLong(charactersMax: 15))) {
      try CapsuleRules.title(String(repeating: "가", count: 16))
    }
    #expect(throws: CapsuleFault.title(.tooManyBytes(bytesMax: 240))) {
      try CapsuleRules.title(String(repeating: "👨‍👩‍👧", count: 15))
    }
  }

  @Test("A text has 1 to 1,000 characters, at most 4,000 bytes, and may have line feeds")
  func texts() throws {
    _ = try CapsuleRules.text("a\nb\n")
    _ = try CapsuleRules.text(String(repeating: "가", count: 1_000))
    #expect(throws: CapsuleFault.text(.empty)) { try CapsuleRules.text("") }
    #expect(throws: CapsuleFault.text(.onlyWhiteSpace)) { try CapsuleRules.text("\n \n") }
    #expect(throws: CapsuleFault.text(.controlCharacter)) { try CapsuleRules.text("a\u{0}") }
    for letter in ["a", "👨‍👩‍👧"] {
      #expect(throws: CapsuleFault.text(.tooLong(charactersMax: 1_000))) {
        try CapsuleRules.text(String(repeating: letter, count: 1_001))
      }
    }
    #expect(throws: CapsuleFault.text(.tooManyBytes(bytesMax: 4_000))) {
      try CapsuleRules.text(String(repeating: "👨‍👩‍👧", count: 300))
    }
    #expect("\(TextFault.tooManyBytes(bytesMax: 4_000))" == "the text has more than 4000 bytes")
  }

  @Test("Letters that a keyboard or a file system has taken apart are counted and kept whole")
  func normalForm() throws {
    // Three parts of three bytes each.
    let parts = "\u{1112}\u{1161}\u{11AB}"
    let text = try CapsuleRules.text(String(repeating: parts, count: 1_000))
    #expect(Array(text.utf8) == Array(String(repeating: "한", count: 1_000).utf8))
    #expect(try CapsuleRules.title(String(repeating: parts, count: 15)).unicodeScalars.count == 15)
  }

  @Test("Ten pictures at most, and no date that is in the future everywhere on Earth")
  func picturesAndDates() throws {
    try CapsuleRules.check(pictures: 10)
    #expect(throws: CapsuleFault.tooManyPictures(11)) { try CapsuleRules.check(pictures: 11) }
    let noon = Instant(milliseconds: 20_000 * 86_400_000 + 9 * 3_600_000)
    try CapsuleRules.check(memoryDay: 20_000, at: noon)
    #expect(throws: CapsuleFault.dateInFuture) { try CapsuleRules.check(memoryDay: 20_001, at: noon) }
    try CapsuleRules.check(memoryDay: 20_001, at: noon + .seconds(3_600))
    try CapsuleRules.check(memoryDay: .min, at: noon)
    try CapsuleRules.check(memoryDay: -1, at: Instant(milliseconds: -86_400_000))
    #expect(throws: CapsuleFault.dateInFuture) { try CapsuleRules.check(memoryDay: .max, at: noon) }
  }

  @Test("A capsule opens up to 100 m away, from a fix of up to 30 s")
  func opening() {
    let place = Coordinate(latE7: 0, lngE7: 0)
    // 8,993 units of 1e-7 degree are 99.998 m.
    #expect(CapsuleRules.opens(place, from: Coordinate(latE7: 8_993, lngE7: 0)))
    #expect(!CapsuleRules.opens(place, from: Coordinate(latE7: 8_994, lngE7: 0)))
    #expect(CapsuleRules.isFresh(fixOf: .seconds(70), at: .seconds(100)))
    #expect(!CapsuleRules.isFresh(fixOf: Instant(milliseconds: 69_999), at: .seconds(100)))
  }
}
