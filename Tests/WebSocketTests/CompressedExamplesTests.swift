// The examples of RFC 7692 §7.2.3, decoded with all cuts, and our own deflater's output for the same messages.
import Testing
import WebSocket

struct CompressedExamplesTests {
  private static let inputs: [(name: String, compressed: String, text: String)] = [
    ("one block, §7.2.3.1", "f2 48 cd c9 c9 07 00", "Hello"),
    ("a stored block, §7.2.3.3", "00 05 00 fa ff 48 65 6c 6c 6f 00", "Hello"),
    ("a last block in the middle, §7.2.3.4", "f3 48 cd c9 c9 07 00 00", "Hello"),
    ("two blocks, §7.2.3.5", "f2 48 05 00 00 00 ff ff ca c9 c9 07 00", "Hello"),
    ("an empty message, §7.2.3.6", "00", ""),
    ("two whole streams, one behind the other", "f3 48 cd c9 c9 07 00 f3 48 cd c9 c9 07 00 00", "HelloHello"),
    ("empty stored blocks alone", "00 00 00 ff ff 00 00 00 ff ff 00", ""),
    ("a last block that is the sender's flush", "01", ""),
  ]

  @Test("Each example is decoded from one frame, by both roles", arguments: 0..<8)
  func oneFrame(index: Int) {
    let (name, compressed, text) = Self.inputs[index]
    let inflater = Inflater()
    let frames = [
      (Role.client, serverFrame(0xC1, bytes(compressed)), DecodedItem.text(text)),
      (.server, clientFrame(0xC1, bytes(compressed)), .text(text)),
      (.server, clientFrame(0xC2, bytes(compressed)), .message(.binary, Array(text.utf8))),
    ]
    for (role, stream, expected) in frames {
      let decoding = Decoding.everyWay(stream + stream, role: role, inflater: inflater)
      #expect(decoding == Decoding([expected, expected]), "\(name)")
    }
  }

  @Test("Each example is decoded from two fragments, split at every place, with a ping between them", arguments: 0..<8)
  func fragments(index: Int) {
    let (name, compressed, text) = Self.inputs[index]
    let all = bytes(compressed)
    let inflater = Inflater()
    for cut in 0...all.count {
      let stream =
        clientFrame(0x41, Array(all[..<cut])) + clientFrame(0x89, [7]) + clientFrame(0x80, Array(all[cut...]))
        + clientFrame(0x81, [0x61])
      let decoding = Decoding.everyWay(stream, role: .server, inflater: inflater)
      #expect(decoding == Decoding([.ping([7]), .text(text), .text("a")]), "\(name), cut at \(cut)")
    }
  }

  @Test("A message that refers to the previous one, §7.2.3.2, is refused: there is no context takeover")
  func contextTakeover() {
    let stream = serverFrame(0xC1, bytes("f2 48 cd c9 c9 07 00")) + serverFrame(0xC1, bytes("f2 00 11 00 00"))
    let decoding = Decoding.everyWay(stream, role: .client, inflater: Inflater())
    #expect(decoding == Decoding([.text("Hello")], error: .invalidCompression))
  }

  @Test("The encoder's compressed messages are decoded unchanged, by both roles, and a short text is sent uncompressed")
  func encoding() {
    let long = Array(String(repeating: "Hello, 마당! ", count: 20).utf8)
    let deflater = Deflater(windowBits: 12)
    for (role, mask) in [(Role.client, nil), (.server, 0x37FA_213D as UInt32?)] {
      var stream: [UInt8] = [0xAA]
      for payload in [long, Array("Hello".utf8), [], long] {
        payload.withUnsafeBytes {
          FrameEncoder.appendCompressed(.text, $0, by: deflater, mask: mask, to: &stream)
        }
      }
      #expect(stream[..<2] == [0xAA, 0xC1], "appended to the existing bytes, with RSV1")
      #expect(stream.count < long.count)
      let decoding = Decoding.everyWay(Array(stream[1...]), role: role, inflater: Inflater())
      #expect(
        decoding == Decoding([.message(.text, long), .text("Hello"), .text(""), .message(.text, long)])
      )
      #expect(Decoding.of([stream[1...]], role: role) == Decoding(error: .reservedBitSet), "not negotiated")
    }
  }

  @Test(
    "A compressed broadcast finished in place equals the appended frame",
    arguments: [300, 3_000, 200_000]
  )
  func inPlace(count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7 &* 31) }
    let deflater = Deflater(windowBits: 12)
    var appended: [UInt8] = []
    var buffer = [UInt8](repeating: 0xEE, count: FrameEncoder.serverHeaderBytesMax)
    payload.withUnsafeBytes { bytes in
      FrameEncoder.appendCompressed(.binary, bytes, by: deflater, to: &appended)
      #expect(deflater.compress(bytes, appendingTo: &buffer))
    }
    let start = FrameEncoder.finishServerFrame(.binary, in: &buffer, isCompressed: true)
    #expect(Array(buffer[start...]) == appended)
    #expect(appended[0] == 0xC2)
    let decoding = Decoding.of([appended[...]], role: .client, messageBytesMax: count, inflater: Inflater())
    #expect(decoding == Decoding([.message(.binary, payload)]))
  }
}
