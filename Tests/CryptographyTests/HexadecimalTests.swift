// Hexadecimal digits, both ways.
import Cryptography
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("Every byte is encoded as two lower-case digits and decoded back")
  func roundTrip() {
    let bytes = (0...255).map { UInt8($0) }
    let text = Hexadecimal.encode(bytes)
    #expect(text.utf8.count == 512)
    #expect(text.hasPrefix("000102"))
    #expect(text.hasSuffix("fdfeff"))
    #expect(Hexadecimal.decode(text) == bytes)
    #expect(Hexadecimal.encode([]) == "")
    #expect(Hexadecimal.decode("") == [])
  }

  @Test("Text in any other form is refused", arguments: ["0", "000", "0A", "0g", "0x", " 0", "0 ", "-1", "é", "００"])
  func refused(_ text: String) {
    #expect(Hexadecimal.decode(text) == nil)
  }
}
