// Closing: the codes that a close frame may carry, and the form of a close frame (RFC 6455 §5.5.1, §7).
import Testing
import WebSocket

struct CloseTests {
  @Test("Exactly the codes that may be sent are accepted: 1000 to 1003, 1007 to 1014, 3000 to 4999")
  func codes() {
    for code in 0...65_535 as ClosedRange<UInt16> {
      let stream = clientFrame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)])
      let decoding = Decoding.of([stream[...]], role: .server)
      let isAllowed =
        (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
      if isAllowed {
        if closeFrame(decoding)?.code != code { Issue.record("\(code) is refused") }
      } else if decoding != Decoding(error: .closeCodeInvalid) {
        Issue.record("\(code) is taken")
      }
    }
  }

  @Test("An empty close frame is accepted, with neither code nor reason")
  func empty() {
    let frame = closeFrame(Decoding.everyWay(clientFrame(0x88), role: .server))
    #expect(frame != nil)
    #expect(frame?.code == nil)
    #expect(frame?.reason == "")
  }

  @Test("A reason of up to 123 bytes is read", arguments: ["", "bye", "안녕히", String(repeating: "x", count: 123)])
  func reasons(reason: String) {
    let stream = clientFrame(0x88, [0x0F, 0xA2] + Array(reason.utf8))
    let frame = closeFrame(Decoding.everyWay(stream, role: .server))
    #expect(frame?.code == 4002)
    #expect(frame?.reason == reason)
  }

  @Test("A close frame of one byte is refused")
  func oneByte() {
    let decoding = Decoding.everyWay(clientFrame(0x88, [0x03]), role: .server)
    #expect(decoding == Decoding(error: .closePayloadTooShort))
  }

  @Test(
    "A reason that is not UTF-8, or ends within a character, is refused",
    arguments: ["FF", "61 ED A0 80", "EA B0"]
  )
  func invalidReason(hexadecimal: String) {
    let stream = clientFrame(0x88, [0x03, 0xE8] + bytes(hexadecimal))
    #expect(Decoding.everyWay(stream, role: .server) == Decoding(error: .invalidUTF8))
  }

  @Test("Nothing after a close frame is delivered, not even an error")
  func afterClose() {
    for rest in [clientFrame(0x81, [0x61]), clientFrame(0x88), bytes("FF FF FF"), serverFrame(0x81)] {
      let decoding = Decoding.everyWay(clientFrame(0x88, [0x03, 0xE8]) + rest, role: .server)
      #expect(decoding.items.count == 1)
      #expect(closeFrame(decoding)?.code == 1000)
      #expect(decoding.error == nil)
    }
  }

  @Test("The encoder's close frames are decoded unchanged, by both roles")
  func encoding() {
    for (role, mask) in [(Role.server, UInt32(0xDEAD_BEEF)), (.client, nil)] {
      var coded: [UInt8] = []
      FrameEncoder.appendClose(code: 4002, reason: "too slow", mask: mask, to: &coded)
      let frame = closeFrame(Decoding.everyWay(coded, role: role))
      #expect(frame?.code == 4002)
      #expect(frame?.reason == "too slow")
      var empty: [UInt8] = []
      FrameEncoder.appendClose(code: nil, reason: "not sent", mask: mask, to: &empty)
      #expect(closeFrame(Decoding.everyWay(empty, role: role))?.code == nil)
      #expect(empty.count == (mask == nil ? 2 : 6))
    }
  }

  @Test("A long reason is cut after the last character that is complete within 123 bytes")
  func longReason() {
    let cases = [
      (String(repeating: "x", count: 200), String(repeating: "x", count: 123)),
      (String(repeating: "가", count: 42), String(repeating: "가", count: 41)),
      ("x" + String(repeating: "가", count: 41), "x" + String(repeating: "가", count: 40)),
      (String(repeating: "👨‍👩‍👧", count: 7), String(repeating: "👨‍👩‍👧", count: 6)),
      (String(repeating: "x", count: 122) + "é", String(repeating: "x", count: 122)),
    ]
    for (reason, expected) in cases {
      var output: [UInt8] = []
      FrameEncoder.appendClose(code: 1000, reason: reason, to: &output)
      #expect(closeFrame(Decoding.everyWay(output, role: .client))?.reason == expected)
    }
  }

  private func closeFrame(_ decoding: Decoding) -> CloseFrame? {
    guard case .close(let frame) = decoding.items.last else { return nil }
    return frame
  }
}
