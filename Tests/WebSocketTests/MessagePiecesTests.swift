// Messages in pieces: any pieces, concatenated, are one message for the receiver.
import SeededRandom
import Testing
import WebSocket

struct MessagePiecesTests {
  private let inflater = Inflater()

  private func inflate(_ compressed: [UInt8]) throws -> [UInt8] {
    try compressed.withUnsafeBytes { try Array(inflater.inflate($0, bytesMax: 1 << 22)) }
  }

  private func piece(_ random: inout SplitMix64) -> [UInt8] {
    let count = Int.random(in: 0...3_000, using: &random)
    guard Bool.random(using: &random) else { return random.bytes(count: count) }
    return (0..<count).map { UInt8(truncatingIfNeeded: $0 % 17) }
  }

  @Test("Separately compressed pieces form one message", arguments: 1...30 as ClosedRange<UInt64>)
  func together(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let deflater = Deflater(windowBits: .random(in: 9...15, using: &random))
    for _ in 0..<10 {
      let (head, shared, tail) = (piece(&random), piece(&random), piece(&random))
      let message =
        MessagePieces.stored(head) + MessagePieces.compressed(shared, by: deflater)
        + MessagePieces.last(tail, by: deflater)
      #expect(try inflate(message) == head + shared + tail)
    }
  }

  @Test("A piece longer than a stored block takes several of them")
  func long() throws {
    var random = SplitMix64(seed: 7)
    let piece = random.bytes(count: 200_000)
    #expect(try inflate(MessagePieces.stored(piece) + [0]) == piece)
  }

  @Test("The frame of pieces is that of the whole message, marked if it is compressed")
  func frame() {
    let pieces: [[UInt8]] = [[1, 2], [], [3], [UInt8](repeating: 4, count: 300)]
    var expected: [UInt8] = []
    FrameEncoder.append(.binary, pieces.flatMap { $0 }, to: &expected)
    var frame: [UInt8] = []
    FrameEncoder.append(.binary, pieces: pieces, isCompressed: false, to: &frame)
    #expect(frame == expected)
    var marked: [UInt8] = []
    FrameEncoder.append(.text, pieces: pieces, isCompressed: true, to: &marked)
    #expect(marked[0] == 0x80 | 0x40 | 0x1 && marked[1...] == expected[1...])
  }
}
