// Frames that break a rule of RFC 6455 §5: each ends the connection with its error, behind any bytes and for all cuts.
import Testing
import WebSocket

struct FrameRulesTests {
  @Test("A set reserved bit is refused, in every frame", arguments: [0x10, 0x20, 0x40, 0x70] as [UInt8])
  func reservedBits(bit: UInt8) {
    for first: UInt8 in [0x81, 0x82, 0x01, 0x88, 0x89, 0x8A] {
      expectError(.reservedBitSet, in: clientFrame(first | bit, [1, 2]))
    }
  }

  @Test("A reserved opcode is refused", arguments: [3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF] as [UInt8])
  func reservedOpcodes(opcode: UInt8) {
    expectError(.reservedOpcode, in: clientFrame(0x80 | opcode))
    expectError(.reservedOpcode, in: clientFrame(opcode, [1]))
  }

  @Test("A fragmented control frame is refused", arguments: [0x08, 0x09, 0x0A] as [UInt8])
  func fragmentedControl(first: UInt8) {
    expectError(.controlFrameFragmented, in: clientFrame(first, [3, 0xE8]))
  }

  @Test("A control frame of 125 bytes is accepted, and a longer one is not", arguments: [0x89, 0x8A] as [UInt8])
  func controlLength(first: UInt8) {
    let payload = [UInt8](repeating: 7, count: 125)
    let item: DecodedItem = first == 0x89 ? .ping(payload) : .pong(payload)
    #expect(Decoding.everyWay(clientFrame(first, payload), role: .server) == Decoding([item]))
    expectError(.controlFrameTooLong, in: clientFrame(first, payload + [7]))
    expectError(.controlFrameTooLong, in: clientFrame(0x88, [3, 0xE8] + payload))
  }

  @Test("A server refuses unmasked frames, a client masked ones")
  func masks() {
    expectError(.maskMissing, in: serverFrame(0x81, [0x41]))
    expectError(.maskMissing, in: serverFrame(0x89))
    expectError(.maskUnexpected, in: clientFrame(0x81, [0x41]), role: .client)
    expectError(.maskUnexpected, in: clientFrame(0x88), role: .client)
  }

  @Test(
    "A length in a longer form than necessary is refused",
    arguments: [
      "82 7e 00 00", "82 7e 00 7d", "82 7f 00 00 00 00 00 00 00 00", "82 7f 00 00 00 00 00 00 00 7e",
      "82 7f 00 00 00 00 00 00 ff ff",
    ]
  )
  func longLengths(header: String) {
    expectError(.lengthNotMinimal, in: bytes(header), role: .client)
  }

  @Test("Lengths at the borders of the three forms are accepted", arguments: [0, 1, 125, 126, 127, 65_535, 65_536])
  func borderLengths(count: Int) {
    let payload = [UInt8](repeating: 0xAB, count: count)
    let stream = serverFrame(0x82, payload) + serverFrame(0x89)
    let whole = Decoding([.message(.binary, payload), .ping([])])
    #expect(Decoding.of([stream[...]], role: .client) == whole)
    for cut in [1, 2, 3, 4, 9, 10, 11, stream.count - 1] where cut < stream.count {
      #expect(Decoding.of([stream[..<cut], stream[cut...]], role: .client) == whole, "cut at \(cut)")
    }
  }

  @Test("A length of 64 bits with its highest bit set is refused")
  func negativeLength() {
    expectError(.lengthNegative, in: bytes("82 7f 80 00 00 00 00 00 00 00"), role: .client)
    expectError(.lengthNegative, in: bytes("82 7f ff ff ff ff ff ff ff ff"), role: .client)
  }

  @Test("Messages before an error are still delivered, and none after it")
  func itemsBeforeError() {
    let good = clientFrame(0x81, Array("a".utf8)) + clientFrame(0x89, [1])
    let stream = good + clientFrame(0x83) + good
    #expect(Decoding.everyWay(stream, role: .server) == Decoding([.text("a"), .ping([1])], error: .reservedOpcode))
  }

  @Test("A broken header byte is refused before the rest of the header arrives")
  func earlyRefusal() {
    #expect(Decoding.of([[0xC1]], role: .server).error == .reservedBitSet)
    #expect(Decoding.of([[0x83]], role: .server).error == .reservedOpcode)
    #expect(Decoding.of([[0x09]], role: .server).error == .controlFrameFragmented)
    #expect(Decoding.of([[0x81, 0x05]], role: .server).error == .maskMissing)
    #expect(Decoding.of([[0x89, 0xFE]], role: .server).error == .controlFrameTooLong)
  }

  @Test("Every error has a close code that may be sent and a reason that fits a close frame")
  func errorsFitCloseFrames() {
    for error in WebSocketError.allCases {
      let expected: UInt16 =
        switch error {
        case .invalidUTF8, .invalidCompression: 1007
        case .tooManyEmptyFragments: 1008
        case .messageTooLong: 1009
        default: 1002
        }
      #expect(error.closeCode == expected)
      var output: [UInt8] = []
      FrameEncoder.appendClose(code: error.closeCode, reason: error.reason, to: &output)
      #expect(Array(output[4...]) == Array(error.reason.utf8), "\(error)")
      #expect(!error.reason.isEmpty)
    }
  }

  private func expectError(
    _ error: WebSocketError,
    in stream: [UInt8],
    role: Role = .server,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let decoding = Decoding.everyWay(stream, role: role, sourceLocation: sourceLocation)
    #expect(decoding == Decoding(error: error), sourceLocation: sourceLocation)
  }
}
