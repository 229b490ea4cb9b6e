// Messages in several frames, control frames between them (RFC 6455 §5.4), and the place of decoded bytes.
import Testing
import WebSocket

struct FragmentsTests {
  @Test("Fragments are delivered as one message of the first one's kind", arguments: [MessageKind.text, .binary])
  func fragments(kind: MessageKind) {
    let stream =
      clientFrame(kind.opcode.rawValue, Array("가".utf8)) + clientFrame(0x00, Array("나다".utf8))
      + clientFrame(0x00) + clientFrame(0x80, Array("라".utf8))
    #expect(Decoding.everyWay(stream, role: .server) == Decoding([.message(kind, Array("가나다라".utf8))]))
  }

  @Test("Empty messages and empty fragments are accepted")
  func emptyFragments() {
    let stream =
      clientFrame(0x81) + clientFrame(0x82) + clientFrame(0x01) + clientFrame(0x00) + clientFrame(0x80)
    let expected = Decoding([.text(""), .message(.binary, []), .text("")])
    #expect(Decoding.everyWay(stream, role: .server) == expected)
  }

  @Test("Control frames between fragments are delivered at once and do not change the message")
  func controlBetween() {
    let stream =
      clientFrame(0x01, Array("He".utf8)) + clientFrame(0x89, [1, 2, 3]) + clientFrame(0x00, Array("ll".utf8))
      + clientFrame(0x8A) + clientFrame(0x89) + clientFrame(0x80, Array("o".utf8)) + clientFrame(0x82, [9])
    let expected = Decoding([.ping([1, 2, 3]), .pong([]), .ping([]), .text("Hello"), .message(.binary, [9])])
    #expect(Decoding.everyWay(stream, role: .server) == expected)
  }

  @Test("A close frame between fragments ends the stream")
  func closeBetween() {
    let stream = clientFrame(0x01, Array("He".utf8)) + clientFrame(0x88, [0x03, 0xE8]) + clientFrame(0x80, [0x6C])
    let decoding = Decoding.everyWay(stream, role: .server)
    #expect(decoding.items.count == 1)
    guard case .close(let frame) = decoding.items.first else {
      Issue.record("no close frame came out")
      return
    }
    #expect(frame.code == 1000)
    #expect(decoding.error == nil)
  }

  @Test("A continuation without a message is refused, at the start and after a whole message")
  func continuationOfNothing() {
    for first: UInt8 in [0x00, 0x80] {
      let alone = clientFrame(first, [0x41])
      #expect(Decoding.everyWay(alone, role: .server) == Decoding(error: .continuationUnexpected))
      let behind = clientFrame(0x81, [0x41]) + alone
      #expect(Decoding.everyWay(behind, role: .server) == Decoding([.text("A")], error: .continuationUnexpected))
      let finished = clientFrame(0x01, [0x41]) + clientFrame(0x80, [0x41]) + alone
      #expect(Decoding.everyWay(finished, role: .server) == Decoding([.text("AA")], error: .continuationUnexpected))
    }
  }

  @Test("A new message within an unfinished one is refused", arguments: [0x81, 0x82, 0x01, 0x02] as [UInt8])
  func messageWithinMessage(first: UInt8) {
    let stream = clientFrame(0x01, [0x41]) + clientFrame(first, [0x41])
    #expect(Decoding.everyWay(stream, role: .server) == Decoding(error: .continuationMissing))
    let behindEmpty = clientFrame(0x02) + clientFrame(first, [0x41])
    #expect(Decoding.everyWay(behindEmpty, role: .server) == Decoding(error: .continuationMissing))
  }

  @Test("A whole message lies in the received bytes, also when its header arrived before")
  func inPlace() throws {
    let frame = clientFrame(0x82, [1, 2, 3, 4, 5])
    for headerCount in [0, 3, 6] {
      var decoder = MessageDecoder(role: .server, messageBytesMax: 100)
      var decoding = Decoding()
      decoding.feed(frame[..<headerCount], to: &decoder)
      var rest = Array(frame[headerCount...])
      try rest.withUnsafeMutableBytes { buffer in
        var offset = 0
        guard case .message(.binary, let payload) = try decoder.next(in: buffer, offset: &offset) else {
          Issue.record("no message came out")
          return
        }
        #expect(payload.baseAddress == UnsafeRawPointer(buffer.baseAddress?.advanced(by: 6 - headerCount)))
        #expect(Array(payload) == [1, 2, 3, 4, 5])
      }
    }
  }

  @Test("Payloads are unmasked at every length, alignment and split")
  func unmasking() {
    let mask: [UInt8] = [0x01, 0xFE, 0x80, 0x7F]
    for count in 0...40 {
      let payload = (0..<count).map { UInt8($0 * 3) }
      let frame: [UInt8] = [0x82, 0x80 | UInt8(count)] + mask + masked(payload, with: mask)
      // Pings in front move the frame to other alignments.
      for front in 0..<8 {
        let pings = clientFrame(0x89, [UInt8](repeating: 0, count: front))
        let stream = pings + frame
        #expect(Decoding.of([stream[...]], role: .server).items.last == .message(.binary, payload))
      }
      #expect(Decoding.everyWay(frame, role: .server) == Decoding([.message(.binary, payload)]))
    }
  }
}
