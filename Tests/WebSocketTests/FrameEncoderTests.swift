// The encoder's output: read by the decoder of the other role, and byte for byte where the place matters.
import Testing
import WebSocket

struct FrameEncoderTests {
  @Test("A frame finished in place equals the appended frame", arguments: [0, 1, 125, 126, 65_535, 65_536])
  func inPlace(count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for kind in [MessageKind.text, .binary] {
      var appended: [UInt8] = []
      FrameEncoder.append(kind, payload, to: &appended)
      var buffer = [UInt8](repeating: 0xEE, count: FrameEncoder.serverHeaderBytesMax) + payload
      let start = FrameEncoder.finishServerFrame(kind, in: &buffer)
      #expect(Array(buffer[start...]) == appended)
      #expect(buffer[..<start].allSatisfy { $0 == 0xEE }, "bytes before the frame are unchanged")
      #expect(buffer.count == FrameEncoder.serverHeaderBytesMax + count)
    }
  }

  @Test("Frames are appended to the existing bytes")
  func appending() {
    var output: [UInt8] = [0xAA]
    FrameEncoder.append(.text, [0x61], to: &output)
    FrameEncoder.append(.binary, [0x62], mask: 0, to: &output)
    #expect(output == bytes("AA 81 01 61 82 81 00 00 00 00 62"))
  }

  @Test("A masked payload is the payload xored with the mask, byte by byte", arguments: 0...33)
  func masking(count: Int) {
    let payload = (0..<count).map { UInt8($0 * 5) }
    var output: [UInt8] = []
    FrameEncoder.append(.binary, payload, mask: 0x0102_03FF, to: &output)
    #expect(output == [0x82, 0x80 | UInt8(count), 1, 2, 3, 0xFF] + masked(payload, with: [1, 2, 3, 0xFF]))
  }

  @Test("Lengths take their shortest form")
  func lengths() {
    let expected = [
      (0, "82 00"), (125, "82 7d"), (126, "82 7e 00 7e"), (65_535, "82 7e ff ff"),
      (65_536, "82 7f 00 00 00 00 00 01 00 00"), (Int.max, "82 7f 7f ff ff ff ff ff ff ff"),
    ]
    for (payloadBytes, header) in expected {
      var output: [UInt8] = []
      FrameEncoder.appendHeader(.binary, payloadBytes: payloadBytes, to: &output)
      #expect(output == bytes(header))
    }
  }
}
