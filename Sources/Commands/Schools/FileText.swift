// The text of a file without a declared encoding: UTF-8, with or without its mark, or the CP949 of Korean spreadsheets,
// whichever fits more of it. A value. Invalid bytes become U+FFFD, which the text's reader refuses.
// Decisions: 069 (docs/decisions).
import Glibc

package struct FileText {
  /// The text as whole UTF-8 characters, without a mark.
  package let utf8: [UInt8]
  /// Whether the file was not UTF-8 and was read as CP949.
  package let isCP949: Bool

  /// The replacement for bytes that are no character.
  package static let noCharacter: Unicode.Scalar = "\u{FFFD}"

  package enum Fault: Error, CustomStringConvertible {
    case utf16
    case noConverter
    case cutOff

    package var description: String {
      switch self {
      case .utf16: "it is UTF-16; save it as UTF-8 or CP949"
      case .noConverter: "it is no UTF-8, and this system's iconv knows no CP949"
      case .cutOff: "it is cut off inside its last character"
      }
    }
  }

  /// - Throws: `Fault` for UTF-16, for UTF-8 that is cut off, or for CP949 on a system that does not know it.
  package init(_ bytes: [UInt8]) throws(Fault) {
    guard !Self.isUTF16(bytes) else { throw .utf16 }
    guard !Self.isCutOff(bytes) else { throw .cutOff }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if bytes.starts(with: mark) {
      utf8 = Array(String(decoding: bytes.dropFirst(mark.count), as: UTF8.self).utf8)
      isCP949 = false
    } else if String(validating: bytes, as: UTF8.self) != nil {
      utf8 = bytes
      isCP949 = false
    } else {
      let repaired = String(decoding: bytes, as: UTF8.self)
      isCP949 = !Self.isMostlyWhole(repaired)
      utf8 = isCP949 ? try Self.converting(cp949: bytes) : Array(repaired.utf8)
    }
  }

  /// Whether more than half of the non-ASCII scalars are real characters. Of Korean text in CP949 that is read as
  /// UTF-8, hardly one in three is real; a damaged file in UTF-8 has lost few.
  private static func isMostlyWhole(_ text: String) -> Bool {
    let others = text.unicodeScalars.lazy.filter { !$0.isASCII }
    return 2 * others.count { $0 == noCharacter } < others.count
  }

  /// Whether the bytes have a UTF-16 mark, or many zeros that lie mostly on one side of each pair of bytes.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
    var zeros = [0, 0]
    for (index, byte) in bytes.enumerated() where byte == 0 { zeros[index % 2] += 1 }
    return 16 * max(zeros[0], zeros[1]) > bytes.count && max(zeros[0], zeros[1]) > 4 * min(zeros[0], zeros[1])
  }

  /// Whether the bytes are UTF-8 with an incomplete last character. All-ASCII bytes before it may as well be CP949 and
  /// don't count.
  private static func isCutOff(_ bytes: [UInt8]) -> Bool {
    guard let start = bytes.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
    let count =
      switch bytes[start] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let whole = bytes[..<start]
    return bytes.count - start < count && whole.contains { $0 >= 0x80 }
      && String(validating: whole, as: UTF8.self) != nil
  }

  private static func converting(cp949 bytes: [UInt8]) throws(Fault) -> [UInt8] {
    guard let converter = iconv_open("UTF-8", "CP949"), converter != iconv_t(bitPattern: -1) else {
      throw .noConverter
    }
    defer { iconv_close(converter) }
    // A character in UTF-8 is at most three times as long as its bytes, and so is the replacement of an invalid byte.
    var input = bytes.map(CChar.init(bitPattern:))
    var output = [CChar](repeating: 0, count: 3 * bytes.count)
    var count = 0
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (from, fromLeft) = (input.baseAddress, input.count)
        var (to, toLeft) = (output.baseAddress, output.count)
        while fromLeft > 0, iconv(converter, &from, &fromLeft, &to, &toLeft) == -1 {
          // A byte of a character is never a comma, a quote or a line end, so only this one field is lost.
          for byte in noCharacter.utf8 {
            to?.pointee = CChar(bitPattern: byte)
            to = to?.successor()
            toLeft -= 1
          }
          from = from?.successor()
          fromLeft -= 1
        }
        count = output.count - toLeft
      }
    }
    return output[..<count].map(UInt8.init(bitPattern:))
  }
}
