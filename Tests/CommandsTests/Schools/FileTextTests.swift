// Files that do not declare their encoding: the encoding that is taken, and the text of bytes that are none of its
// characters.
import SeededRandom
import Testing
import Commands

@Suite("The text of a file")
struct FileTextTests {
  /// Syllables of schools' names with their bytes in CP949.
  private static let syllables: [(text: String, cp949: [UInt8])] = [
    ("가", [0xB0, 0xA1]), ("람", [0xB6, 0xF7]), ("나", [0xB3, 0xAA]), ("루", [0xB7, 0xE7]), ("초", [0xC3, 0xCA]),
    ("등", [0xB5, 0xEE]), ("중", [0xC1, 0xDF]), ("고", [0xB0, 0xED]), ("학", [0xC7, 0xD0]), ("교", [0xB1, 0xB3]),
  ]
  /// `가람초` in CP949.
  private static let cp949: [UInt8] = [0xB0, 0xA1, 0xB6, 0xF7, 0xC3, 0xCA]

  private func fault(_ bytes: [UInt8]) -> String? {
    do throws(FileText.Fault) {
      _ = try FileText(bytes)
      return nil
    } catch {
      return error.description
    }
  }

  private func text(_ bytes: [UInt8]) throws -> String { String(decoding: try FileText(bytes).utf8, as: UTF8.self) }

  @Test("UTF-8, with a byte order mark or without, is distinguished from CP949")
  func encodings() throws {
    let bytes = Array("가람초,1\n".utf8)
    for bytes in [bytes, [0xEF, 0xBB, 0xBF] + bytes] {
      #expect(try text(bytes) == "가람초,1\n")
      #expect(try !FileText(bytes).isCP949)
    }
    #expect(try FileText(Self.cp949).isCP949 && text(Self.cp949) == "가람초")
  }

  @Test("An invalid character is replaced, and the text around it stays")
  func torn() throws {
    #expect(try text(Self.cp949 + [0xFF, 0x2C] + Self.cp949) == "가람초\u{FFFD},가람초")
    #expect(try text(Array("가람초".utf8) + [0xB0, 0x2C] + Array("가람초".utf8)) == "가람초\u{FFFD},가람초")
    // A file with the mark is UTF-8, however broken.
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Self.cp949 + [0x2C]
    #expect(try !FileText(marked).isCP949 && text(marked).hasSuffix("\u{FFFD},"))
    // Half of the characters are lost, so the file is taken for CP949.
    #expect(try FileText(Array("a가".utf8) + [0xFF, 0x2C]).isCP949)
  }

  @Test("The encoding is detected and all other lines stay unchanged, even if some lines are damaged")
  func damaged() throws {
    var random = SplitMix64(seed: 31)
    for isCP949 in [false, true] {
      for _ in 0..<300 {
        let lines = (0..<random.draw(10...40)).map { _ in (0..<8).map { _ in random.pick(Self.syllables) } }
        var broken: Set<Int> = []
        var bytes: [UInt8] = []
        for (number, line) in lines.enumerated() {
          var encoded = line.flatMap { isCP949 ? $0.cp949 : Array($0.text.utf8) }
          if 8 * (broken.count + 1) <= lines.count, random.draw(1...8) == 1 {
            broken.insert(number)
            for _ in 0..<random.draw(1...encoded.count) {
              encoded[random.draw(0...encoded.count - 1)] = UInt8(random.draw(0x80...0xFF))
            }
          }
          bytes += encoded + [0x2C, 0x0A]
        }
        let file = try FileText(bytes)
        #expect(String(validating: bytes, as: UTF8.self) != nil || file.isCP949 == isCP949, "\(bytes)")
        let read = String(decoding: file.utf8, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        try #require(read.count == lines.count + 1)
        for (number, line) in lines.enumerated() {
          #expect(read[number].hasSuffix(","))
          if !broken.contains(number) { #expect(read[number] == line.map(\.text).joined() + ",") }
        }
      }
    }
  }

  @Test("UTF-8 that ends inside a character is reported as cut off", arguments: ["가람초", "가람é", "가람👍"])
  func cutOff(name: String) {
    let text = Array("학교ID\nB1,\(name)".utf8)
    let length = String(name.suffix(1)).utf8.count
    for left in 1..<length {
      #expect(fault(Array(text.dropLast(length - left))) == "it is cut off inside its last character")
    }
    #expect(fault(Array(text.dropLast(length))) == nil)
    // CP949 may end with the same byte.
    #expect(fault(Self.cp949 + [0xC3]) == nil)
    #expect(fault([0x61, 0x2C, 0xC3]) == nil)
  }

  @Test("UTF-16 is reported as such, with its byte order mark or without; a few zero bytes do not make a file UTF-16")
  func utf16() {
    let reason = "it is UTF-16; save it as UTF-8 or CP949"
    for text in ["학교ID,학교명\nB1,가람초등학교\n", #"{"dataSearch":{"content":[]}}"#] {
      let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      for bytes in [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] { #expect(fault(bytes) == reason) }
    }
    #expect(fault(Array(repeating: 0, count: 100)) == nil)
    #expect(fault([0] + Array("학교ID,학교명\nB1,가람초등학교\n".utf8)) == nil)
    #expect(fault([]) == nil)
  }
}
