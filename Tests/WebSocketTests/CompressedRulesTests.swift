// The rules of compressed messages (RFC 7692 §6, §7.2): the frames that may set RSV1, and the cost of a compressed
// message.
import Testing
import WebSocket

struct CompressedRulesTests {
  private static let hello = bytes("f2 48 cd c9 c9 07 00")

  @Test(
    "RSV1 is set only on the first frame of a message, and only with negotiated compression; RSV2 and RSV3 never are"
  )
  func reservedBits() {
    // Opcode and FIN, and whether a message has begun before.
    let frames: [(first: UInt8, isWithinMessage: Bool)] = [
      (0x81, false), (0x82, false), (0x01, false), (0x02, false), (0x00, true), (0x80, true), (0x88, false),
      (0x89, false), (0x8A, false), (0x89, true), (0x8A, true),
    ]
    for (first, isWithinMessage) in frames {
      for bits in [0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70] as [UInt8] {
        let before = isWithinMessage ? clientFrame(0x41, Self.hello) : []
        let stream = before + clientFrame(first | bits, first & 0x0F == 8 ? [] : Self.hello)
        let agreed = Decoding.everyWay(stream, role: .server, inflater: Inflater())
        let isAllowed = bits == 0x40 && [1, 2].contains(first & 0x0F)
        let row = "first byte \(first | bits), within a message: \(isWithinMessage)"
        #expect(agreed.error == (isAllowed ? nil : .reservedBitSet), "\(row)")
        #expect(agreed.items.count == (isAllowed && first & 0x80 != 0 ? 1 : 0), "\(row)")
        #expect(Decoding.everyWay(stream, role: .server).error == .reservedBitSet, "\(row), not negotiated")
      }
    }
  }

  @Test("A misplaced RSV1 is refused with its first byte; a reserved opcode is refused as such")
  func earlyRefusal() {
    for first in [0xC0, 0x40, 0xC8, 0xC9, 0xCA, 0xA1, 0x91, 0xF1] as [UInt8] {
      #expect(Decoding.of([[first]], role: .server, inflater: Inflater()).error == .reservedBitSet)
    }
    #expect(Decoding.of([[0xC3]], role: .server, inflater: Inflater()).error == .reservedOpcode)
  }

  @Test("With negotiated compression uncompressed messages are accepted as usual")
  func plainMessages() {
    let stream =
      clientFrame(0x81, Array("가".utf8)) + clientFrame(0xC1, Self.hello) + clientFrame(0x01, [0xEA, 0xB0])
      + clientFrame(0x80, [0x80]) + clientFrame(0x82, [0xFF])
    let expected = Decoding([.text("가"), .text("Hello"), .text("가"), .message(.binary, [0xFF])])
    #expect(Decoding.everyWay(stream, role: .server, inflater: Inflater()) == expected)
  }

  @Test(
    "Compressed text must be UTF-8 after inflation, and need not be before",
    arguments: [[0xFF], [0xEA, 0xB0]]
  )
  func text(payload: [UInt8]) {
    let stored = [0x00, UInt8(payload.count), 0x00, ~UInt8(payload.count), 0xFF] + payload + [0x00]
    for fragmented in [clientFrame(0xC1, stored), clientFrame(0x41, stored) + clientFrame(0x80)] {
      let decoding = Decoding.everyWay(fragmented, role: .server, inflater: Inflater())
      #expect(decoding == Decoding(error: .invalidUTF8))
    }
    let binary = Decoding.everyWay(clientFrame(0xC2, stored), role: .server, inflater: Inflater())
    #expect(binary == Decoding([.message(.binary, payload)]))
  }

  @Test(
    "The limit applies to the inflated message: exactly the limit is accepted, one byte more is not",
    arguments: [1, 100, 4_096]
  )
  func inflatedLimit(messageBytesMax: Int) {
    let payload = [UInt8](repeating: 0x61, count: messageBytesMax)
    for (excess, expected) in [
      (0, Decoding([.message(.text, payload)])), (1, Decoding(error: .messageTooLong)),
    ] {
      let stream = clientFrame(0xC1, stored(payload + [UInt8](repeating: 0x61, count: excess)))
      let decoding = Decoding.everyWay(stream, role: .server, messageBytesMax: messageBytesMax, inflater: Inflater())
      #expect(decoding == expected)
    }
  }

  @Test("The compressed bytes have a limit of their own, checked at the header and over all fragments")
  func compressedLimit() {
    let messageBytesMax = 480
    let compressedBytesMax = messageBytesMax * 9 / 8 + 64
    // Only empty blocks, which inflate to nothing.
    let empties = (0..<compressedBytesMax / 5).flatMap { _ in bytes("00 00 00 ff ff") }
    let taken = clientFrame(0x42, empties) + clientFrame(0x80, [0x00])
    let tooLong = clientFrame(0x42, empties) + clientFrame(0x80, announcing: compressedBytesMax - empties.count + 1)
    let header = clientFrame(0xC2, announcing: compressedBytesMax + 1)
    let all: [(stream: [UInt8], expected: Decoding)] = [
      (taken, Decoding([.message(.binary, [])])), (tooLong, Decoding(error: .messageTooLong)),
      (header, Decoding(error: .messageTooLong)), (clientFrame(0xC2, announcing: compressedBytesMax), Decoding()),
      (clientFrame(0x82, announcing: messageBytesMax + 1), Decoding(error: .messageTooLong)),
    ]
    for (stream, expected) in all {
      let decoding = Decoding.everyWay(
        stream,
        role: .server,
        messageBytesMax: messageBytesMax,
        inflater: Inflater()
      )
      #expect(decoding == expected)
    }
  }

  @Test("The largest limits and lengths neither trap nor are allocated")
  func largestLengths() {
    let announced = clientFrame(0xC2, [1, 2, 3], announcing: .max)
    let decoding = Decoding.everyWay(announced, role: .server, messageBytesMax: .max, inflater: Inflater())
    #expect(decoding == Decoding(error: .messageTooLong))
    let stream = clientFrame(0xC1, Self.hello)
    let whole = Decoding.everyWay(stream, role: .server, messageBytesMax: .max, inflater: Inflater())
    #expect(whole == Decoding([.text("Hello")]))
  }

  @Test("Two connections of a shard share an inflater in the middle of their messages")
  func sharedInflater() {
    let inflater = Inflater()
    var one = MessageDecoder(role: .server, messageBytesMax: 100, compression: true)
    var other = MessageDecoder(role: .server, messageBytesMax: 100, compression: true)
    var decodings = [Decoding(), Decoding()]
    let frame = clientFrame(0xC1, Self.hello)
    for byte in frame {
      decodings[0].feed([byte], to: &one, inflater: inflater)
      decodings[1].feed([byte], to: &other, inflater: inflater)
    }
    #expect(decodings == [Decoding([.text("Hello")]), Decoding([.text("Hello")])])
  }

  /// The payload in stored blocks of the greatest length.
  private func stored(_ payload: [UInt8]) -> [UInt8] {
    let count = UInt16(payload.count)
    let length = [UInt8(count & 0xFF), UInt8(count >> 8)]
    return [0x00] + length + length.map { ~$0 } + payload + [0x00]
  }
}
