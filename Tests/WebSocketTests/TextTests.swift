// Text must be UTF-8 (RFC 6455 §8.1, RFC 3629): the cases that validators get wrong, and the place where a bad byte is
// noticed.
import Testing
import WebSocket

struct TextTests {
  @Test(
    "Valid text of all widths is accepted, in one frame and split into two at every byte",
    arguments: [
      "", "a", "\u{0}\u{7F}", "\u{80}\u{7FF}", "\u{800}\u{FFFF}", "\u{10000}\u{10FFFF}", "\u{D7FF}\u{E000}\u{FFFD}",
      "마당에서 땅따먹기", "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "👩‍👩‍👧‍👦🇰🇷", "seven77\u{AC00}eight888abcdefgh\u{1F600}z",
    ]
  )
  func validText(text: String) {
    let payload = Array(text.utf8)
    #expect(Decoding.everyWay(clientFrame(0x81, payload), role: .server) == Decoding([.text(text)]))
    for cut in 0...payload.count {
      let stream = clientFrame(0x01, Array(payload[..<cut])) + clientFrame(0x80, Array(payload[cut...]))
      #expect(Decoding.of([stream[...]], role: .server) == Decoding([.text(text)]), "cut at \(cut)")
    }
  }

  /// Each text with the number of its first byte that can't continue a valid text, counted from 1.
  @Test(
    "Invalid text is refused at its first bad byte, before the rest of the frame arrives",
    arguments: [
      ("80", 1), ("BF", 1), ("FE", 1), ("FF", 1), ("61 FF", 2), ("C0 AF", 1), ("C1 BF", 1), ("C2 41", 2),
      ("C3 C3", 2), ("E0 80 AF", 2), ("E0 9F BF", 2), ("E1 80 41", 3), ("E1 80 C0", 3), ("ED A0 80", 2),
      ("ED AF BF", 2), ("ED B0 80", 2), ("ED BF BF", 2), ("F0 80 80 AF", 2), ("F0 8F BF BF", 2), ("F1 80 80 41", 4),
      ("F4 90 80 80", 2), ("F5 80 80 80", 1), ("F8 88 80 80 80", 1), ("FC 84 80 80 80 80", 1),
      ("CE BA E1 BD B9 CF 83 CE BC CE B5 ED A0 80 65", 13),
      ("61 62 63 64 65 66 67 68 69 6A 6B 6C 6D 6E 6F 80", 16), ("EA B0 80 EA B0 80 EA B0 C0", 9),
    ]
  )
  func invalidText(hexadecimal: String, badByte: Int) {
    let payload = bytes(hexadecimal)
    #expect(Decoding.everyWay(clientFrame(0x81, payload), role: .server) == Decoding(error: .invalidUTF8))
    // The frame announces 100 bytes; only the first few arrive.
    let untilBad = clientFrame(0x81, Array(payload[..<badByte]), announcing: 100)
    #expect(Decoding.everyWay(untilBad, role: .server) == Decoding(error: .invalidUTF8))
    #expect(Decoding.everyWay(Array(untilBad.dropLast()), role: .server) == Decoding())
  }

  @Test("An invalid fragment is refused even in an unfinished message, and even with a split inside a character")
  func invalidFragments() {
    for cut in 0...3 {
      let payload = bytes("F4 90 80 80")
      let stream = clientFrame(0x01, Array(payload[..<cut])) + clientFrame(0x00, Array(payload[cut...]))
      #expect(Decoding.everyWay(stream, role: .server) == Decoding(error: .invalidUTF8), "cut at \(cut)")
    }
  }

  @Test("Text that ends within a character is refused", arguments: ["C3", "E1", "E1 80", "F1", "F1 80", "F1 80 80"])
  func truncatedText(hexadecimal: String) {
    let payload = bytes(hexadecimal)
    #expect(Decoding.everyWay(clientFrame(0x81, payload), role: .server) == Decoding(error: .invalidUTF8))
    let fragments = clientFrame(0x01, payload) + clientFrame(0x80)
    #expect(Decoding.everyWay(fragments, role: .server) == Decoding(error: .invalidUTF8))
  }

  @Test("A ping between the parts of a split character does not disturb it")
  func pingWithinCharacter() {
    let stream = clientFrame(0x01, [0xEA, 0xB0]) + clientFrame(0x89, [0xFF]) + clientFrame(0x80, [0x80])
    #expect(Decoding.everyWay(stream, role: .server) == Decoding([.ping([0xFF]), .text("가")]))
  }

  @Test("Binary messages may have any bytes")
  func binary() {
    let payload = (0..<256).map { UInt8(255 - $0) }
    #expect(Decoding.everyWay(clientFrame(0x82, payload), role: .server) == Decoding([.message(.binary, payload)]))
  }

  @Test("The decoder and the standard library agree on all sequences of two bytes and on the borders of longer ones")
  func agreesWithStandardLibrary() {
    for first in 0...255 as ClosedRange<UInt8> {
      for second in 0...255 as ClosedRange<UInt8> {
        expectAgreement([first, second])
      }
    }
    let borders = bytes("00 7F 80 8F 90 9F A0 BF C0 C2 E0 EF F0 FF")
    for first in bytes("DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5") {
      for second in borders {
        for third in borders {
          expectAgreement([first, second, third])
          // With more text behind it, where the decoder looks at eight bytes at a time.
          expectAgreement([first, second, third] + Array("a마당b".utf8))
          for fourth in borders { expectAgreement([first, second, third, fourth]) }
        }
      }
    }
  }

  private func expectAgreement(_ payload: [UInt8]) {
    let isTaken = Decoding.of([serverFrame(0x81, payload)[...]], role: .client).error == nil
    let isValid = String(validating: payload, as: UTF8.self) != nil
    if isTaken != isValid { Issue.record("\(payload) is valid: \(isValid)") }
  }
}
