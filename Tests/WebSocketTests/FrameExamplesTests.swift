// The examples of RFC 6455 §5.7, decoded with all cuts, and encoded to the very bytes.
import Testing
import WebSocket

struct FrameExamplesTests {
  private let hello = Array("Hello".utf8)

  @Test("A single-frame unmasked text message is decoded by a client")
  func unmaskedText() {
    #expect(Decoding.everyWay(bytes("81 05 48 65 6c 6c 6f"), role: .client) == Decoding([.text("Hello")]))
  }

  @Test("A single-frame masked text message is decoded by a server")
  func maskedText() {
    let stream = bytes("81 85 37 fa 21 3d 7f 9f 4d 51 58")
    #expect(Decoding.everyWay(stream, role: .server) == Decoding([.text("Hello")]))
  }

  @Test("A fragmented unmasked text message is delivered whole")
  func fragmentedText() {
    let stream = bytes("01 03 48 65 6c") + bytes("80 02 6c 6f")
    #expect(Decoding.everyWay(stream, role: .client) == Decoding([.text("Hello")]))
  }

  @Test("An unmasked ping and its masked pong carry the same bytes")
  func pingAndPong() {
    #expect(Decoding.everyWay(bytes("89 05 48 65 6c 6c 6f"), role: .client) == Decoding([.ping(hello)]))
    let pong = bytes("8a 85 37 fa 21 3d 7f 9f 4d 51 58")
    #expect(Decoding.everyWay(pong, role: .server) == Decoding([.pong(hello)]))
  }

  @Test("256 bytes of binary take a length of 16 bits, 64 KiB one of 64 bits")
  func longBinary() {
    let short = (0..<256).map { UInt8($0) }
    #expect(Decoding.everyWay(bytes("82 7e 01 00") + short, role: .client) == Decoding([.message(.binary, short)]))
    let long = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let stream = bytes("82 7f 00 00 00 00 00 01 00 00") + long
    let whole = Decoding.of([stream[...]], role: .client)
    #expect(whole == Decoding([.message(.binary, long)]))
    let pieces = stride(from: 0, to: stream.count, by: 1_460).map { stream[$0..<min($0 + 1_460, stream.count)] }
    #expect(Decoding.of(pieces, role: .client) == whole)
  }

  @Test("The encoder writes the same examples")
  func encoding() {
    var output: [UInt8] = []
    FrameEncoder.append(.text, hello, to: &output)
    FrameEncoder.append(.text, hello, mask: 0x37FA_213D, to: &output)
    hello.withUnsafeBytes { payload in
      FrameEncoder.appendFrame(.text, isFinal: false, UnsafeRawBufferPointer(rebasing: payload[..<3]), to: &output)
      FrameEncoder.appendFrame(.continuation, UnsafeRawBufferPointer(rebasing: payload[3...]), to: &output)
      FrameEncoder.appendPing(payload, to: &output)
      FrameEncoder.appendPong(payload, mask: 0x37FA_213D, to: &output)
    }
    FrameEncoder.appendHeader(.binary, payloadBytes: 256, to: &output)
    FrameEncoder.appendHeader(.binary, payloadBytes: 65_536, to: &output)
    #expect(
      output
        == bytes("81 05 48 65 6c 6c 6f") + bytes("81 85 37 fa 21 3d 7f 9f 4d 51 58")
        + bytes("01 03 48 65 6c 80 02 6c 6f") + bytes("89 05 48 65 6c 6c 6f")
        + bytes("8a 85 37 fa 21 3d 7f 9f 4d 51 58") + bytes("82 7e 01 00 82 7f 00 00 00 00 00 01 00 00")
    )
  }
}
