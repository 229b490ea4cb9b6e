// Random streams: one role decodes what the other encodes, cut at random, and meaningless bytes never trap. Each test
// draws everything from the seed that is its argument.
import SeededRandom
import Testing
import WebSocket

struct RandomStreamsTests {
  @Test(
    "One side's messages, in fragments with control frames between, are received by the other, however they are split",
    arguments: 1...60 as ClosedRange<UInt64>
  )
  func roundTrip(seed: UInt64) {
    for role in [Role.server, .client] {
      var random = SplitMix64(seed: seed)
      var stream: [UInt8] = []
      var expected: [DecodedItem] = []
      for _ in 0..<20 {
        appendMessage(to: &stream, expected: &expected, readBy: role, random: &random)
      }
      let whole = Decoding.of([stream[...]], role: role)
      #expect(whole == Decoding(expected))
      for _ in 0..<4 {
        #expect(Decoding.of(randomPieces(of: stream, random: &random), role: role) == whole)
      }
    }
  }

  @Test(
    "Random bytes never trap, and have the same result however they are split",
    arguments: 1...40 as ClosedRange<UInt64>
  )
  func garbage(seed: UInt64) {
    for role in [Role.server, .client] {
      var random = SplitMix64(seed: seed)
      for _ in 0..<100 {
        var stream = random.bytes(count: .random(in: 0...300, using: &random))
        // Half of the streams begin well, or hardly any would get past the first byte.
        if Bool.random(using: &random), stream.count > 1 {
          stream[0] = [0x01, 0x02, 0x81, 0x82, 0x88, 0x89, 0x8A].randomElement(using: &random) ?? 0x81
          stream[1] = (role == .server ? 0x80 : 0) | stream[1] & 0x7F
        }
        let whole = Decoding.of([stream[...]], role: role)
        let pieces = randomPieces(of: stream, random: &random)
        #expect(Decoding.of(pieces, role: role) == whole, "\(stream)")
      }
    }
  }

  @Test("A valid stream with one changed byte never traps", arguments: 1...40 as ClosedRange<UInt64>)
  func changedByte(seed: UInt64) {
    for role in [Role.server, .client] {
      var random = SplitMix64(seed: seed)
      for _ in 0..<20 {
        var stream: [UInt8] = []
        var items: [DecodedItem] = []
        for _ in 0..<3 { appendMessage(to: &stream, expected: &items, readBy: role, random: &random) }
        let place = Int.random(in: 0..<stream.count, using: &random)
        stream[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        let whole = Decoding.of([stream[...]], role: role)
        let pieces = randomPieces(of: stream, random: &random)
        #expect(Decoding.of(pieces, role: role) == whole, "changed at \(place)")
      }
    }
  }

  @Test(
    "Random heads never trap, and have the same result however they are split",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func garbageHeads(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let good = Array("GET /a?b HTTP/1.1\r\nHost: a\r\nConnection: x, y\r\nContent-Length: 0\r\n\r\n".utf8)
    let alphabet = Array("\r\n :\t,;=/?#GETHhost1.".utf8) + [0x00, 0x7F, 0x80, 0xFF]
    for _ in 0..<100 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = alphabet.randomElement(using: &random) ?? 0
      }
      _ = ParsedHead.everyWay(bytes)
    }
  }

  private func appendMessage(
    to stream: inout [UInt8],
    expected: inout [DecodedItem],
    readBy role: Role,
    random: inout SplitMix64
  ) {
    let kind: MessageKind = Bool.random(using: &random) ? .text : .binary
    let lengths = [0...20, 0...20, 100...300, 0...3_000]
    let count = Int.random(in: lengths.randomElement(using: &random) ?? 0...0, using: &random)
    let alphabet = ["a", "é", "가", "🏃", "~"]
    let payload =
      kind == .binary
      ? random.bytes(count: count)
      : (0..<count / 3).flatMap { _ in Array((alphabet.randomElement(using: &random) ?? "a").utf8) }

    var opcode = kind.opcode
    var rest = payload[...]
    while Int.random(in: 0..<3, using: &random) == 0 {
      let fragment = rest.prefix(Int.random(in: 0...rest.count, using: &random))
      append(opcode, isFinal: false, Array(fragment), to: &stream, readBy: role, random: &random)
      rest = rest.dropFirst(fragment.count)
      opcode = .continuation
      while Bool.random(using: &random) {
        let control = random.bytes(count: .random(in: 0...125, using: &random))
        let isPing = Bool.random(using: &random)
        append(isPing ? .ping : .pong, isFinal: true, control, to: &stream, readBy: role, random: &random)
        expected.append(isPing ? .ping(control) : .pong(control))
      }
    }
    append(opcode, isFinal: true, Array(rest), to: &stream, readBy: role, random: &random)
    expected.append(.message(kind, payload))
  }

  private func append(
    _ opcode: Opcode,
    isFinal: Bool,
    _ payload: [UInt8],
    to stream: inout [UInt8],
    readBy role: Role,
    random: inout SplitMix64
  ) {
    let mask = role == .server ? UInt32.random(in: 0 ... .max, using: &random) : nil
    payload.withUnsafeBytes {
      FrameEncoder.appendFrame(opcode, isFinal: isFinal, $0, mask: mask, to: &stream)
    }
  }

  private func randomPieces(of stream: [UInt8], random: inout SplitMix64) -> [ArraySlice<UInt8>] {
    let pieceBytesMax = [1, 7, 40, 2_000].randomElement(using: &random) ?? 1
    var pieces: [ArraySlice<UInt8>] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 0...pieceBytesMax, using: &random))
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}
