// Schools and their identifiers: valid values, and their normal form.
import Game
import Testing

@Suite("Schools")
struct SchoolTests {
  private func school(name: String = "가람초", region: String = "", address: String = "") throws -> School {
    let id = try #require(SchoolID("B1"))
    return try School(id: id, name: name, level: .elementary, region: region, address: address)
  }

  @Test("A school's identifier is 1 to 16 ASCII letters and digits, written as it was read")
  func identifiers() throws {
    for text in ["B000002843", "a", "0", "Zz9", "ABCDEFGHIJKLMNOP", "0000000000000000"] {
      let id = try #require(SchoolID(text))
      #expect(id.description == text)
      #expect(SchoolID(value: id.value) == id)
    }
    for text in ["", "ABCDEFGHIJKLMNOPQ", "A B", "A-1", "가", "é", "A\u{0}", "\u{0}", "A\n"] {
      #expect(SchoolID(text) == nil, "\(text)")
    }
  }

  @Test("Identifiers are ordered like their texts, and a number that encodes no text is refused")
  func order() throws {
    let texts = ["0", "00", "1", "9Z", "A", "B0", "B000002843", "B000002844", "B1", "a", "b"]
    #expect(try texts.map { try #require(SchoolID($0)) }.reversed().sorted().map(\.description) == texts)
    let value = try #require(SchoolID("AB")).value
    for other in [0, value + 1, value >> 8, value | 0x41, value | 0x80 << 96] { #expect(SchoolID(value: other) == nil) }
  }

  @Test("Texts are kept in normal form C without white space around them; only a name is required")
  func texts() throws {
    let school = try school(
      name: " \u{1100}\u{1161}\u{1105}\u{1161}\u{11B7}초\t",
      region: "\u{A0} ",
      address: "\u{3000}1 길 "
    )
    #expect(Array(school.name.utf8) == Array("가람초".utf8))
    #expect(school.region.isEmpty && school.address == "1 길")
    #expect(school.closed.isClosed && !school.isClosed && school.closed.name == school.name)
  }

  @Test("Texts that can't be shown are refused: no name, control characters, endless characters")
  func refused() throws {
    #expect(throws: SchoolFault.name(.empty)) { _ = try school(name: " ") }
    #expect(throws: SchoolFault.name(.onlyWhiteSpace)) { _ = try school(name: "\u{200B}") }
    #expect(throws: SchoolFault.name(.controlCharacter)) { _ = try school(name: "가\n람") }
    let steering = ["\u{202E}", "\u{2066}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{200D}", "\u{E0041}", "\u{E000}"]
    for character in steering {
      #expect(throws: SchoolFault.name(.controlCharacter)) { _ = try school(name: "가\(character)람") }
      #expect(throws: SchoolFault.region(.controlCharacter)) { _ = try school(region: "가\(character)람") }
      #expect(throws: SchoolFault.address(.controlCharacter)) { _ = try school(address: "가\(character)람") }
    }
    #expect(throws: SchoolFault.name(.tooLong(charactersMax: 100))) {
      _ = try school(name: String(repeating: "가", count: 101))
    }
    #expect(throws: SchoolFault.name(.tooLong(charactersMax: 100))) {
      _ = try school(name: "e" + String(repeating: "\u{301}", count: 400))
    }
    #expect(throws: SchoolFault.region(.tooLong(charactersMax: 40))) {
      _ = try school(region: String(repeating: "가", count: 41))
    }
    #expect(throws: SchoolFault.address(.controlCharacter)) { _ = try school(address: "1\u{0} 길") }
    #expect(try school(name: String(repeating: "가", count: 100)).name.count == 100)
  }
}
