// Deflater and inflater by themselves: one reads the other's output, time and memory are bounded for any input, and
// broken data is refused. Random tests draw everything from the seed that is their argument.
import SeededRandom
import Testing
import WebSocket

struct InflaterTests {
  private let inflater = Inflater()

  private func inflate(_ compressed: [UInt8], bytesMax: Int = 1 << 20) -> Result<[UInt8], WebSocketError> {
    compressed.withUnsafeBytes { bytes in
      do throws(WebSocketError) {
        return .success(Array(try inflater.inflate(bytes, bytesMax: bytesMax)))
      } catch {
        return .failure(error)
      }
    }
  }

  private func compressed(_ payload: [UInt8], windowBits: Int = 12) -> [UInt8]? {
    var output: [UInt8] = []
    let deflater = Deflater(windowBits: windowBits)
    return payload.withUnsafeBytes { deflater.compress($0, appendingTo: &output) } ? output : nil
  }

  @Test(
    "Compressed data is inflated unchanged, at exactly its bound and not below",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let deflater = Deflater(windowBits: .random(in: 9...15, using: &random))
    for _ in 0..<20 {
      let payload = randomPayload(&random)
      let before = random.bytes(count: .random(in: 0...20, using: &random))
      var output = before
      guard payload.withUnsafeBytes({ deflater.compress($0, appendingTo: &output) }) else {
        #expect(output == before, "unchanged when it would not be shorter")
        continue
      }
      #expect(Array(output[..<before.count]) == before)
      #expect(output.count - before.count < payload.count)
      let compressed = Array(output[before.count...])
      #expect(inflate(compressed, bytesMax: payload.count) == .success(payload))
      #expect(inflate(compressed, bytesMax: payload.count - 1) == .failure(.messageTooLong))
    }
  }

  @Test("A message is always compressed to the same bytes, whatever came before, without an allocation")
  func independence() {
    let deflater = Deflater(windowBits: 12)
    let payload = Array(String(repeating: "{\"seat\":1}", count: 90).utf8)
    var output: [UInt8] = []
    output.reserveCapacity(2_000)
    var results: Set<[UInt8]> = []
    var places: Set<UnsafeRawPointer?> = []
    for before in ["", "{\"seat\":", String(repeating: "xyz", count: 200)] {
      for bytes in [Array(before.utf8), payload] {
        output.removeAll(keepingCapacity: true)
        _ = bytes.withUnsafeBytes { deflater.compress($0, appendingTo: &output) }
        places.insert(output.withUnsafeBytes(\.baseAddress))
      }
      // A copy of its own: the array must not share its memory.
      results.insert(output.map { $0 })
    }
    #expect(results.count == 1)
    #expect(places.count == 1, "the array was never replaced by a larger one")
  }

  @Test("A window reaches as far back as it is large")
  func windows() {
    var random = SplitMix64(seed: 7)
    let block = random.bytes(count: 2_000)
    #expect(compressed(block + block, windowBits: 9) == nil, "the repetition lies beyond 512 bytes")
    #expect((compressed(block + block, windowBits: 12)?.count ?? .max) < 2_200)
  }

  @Test("A compression bomb is refused as soon as it is too long, costs no memory, and affects no later message")
  func bombs() throws {
    let zeros = try #require(compressed([UInt8](repeating: 0, count: 1 << 20), windowBits: 15))
    #expect(zeros.count < 8_192)
    #expect(inflate(zeros, bytesMax: 4_096) == .failure(.messageTooLong))
    #expect(inflater.outputBytes <= 4_097)
    #expect(inflate(zeros, bytesMax: (1 << 20) - 1) == .failure(.messageTooLong))
    #expect(inflate(bytes("f2 48 cd c9 c9 07 00")) == .success(Array("Hello".utf8)))
    #expect(inflater.outputBytes <= 65_536, "unused memory is released")
    #expect(inflate(zeros) == .success([UInt8](repeating: 0, count: 1 << 20)))
    #expect(inflater.outputBytes <= (1 << 20) + 1)
  }

  @Test("Empty blocks inflate to nothing, however many there are", arguments: ["00 00 00 ff ff", "03 00"])
  func emptyBlocks(block: String) {
    let blocks = (0..<10_000).flatMap { _ in bytes(block) }
    #expect(inflate(blocks + [0x00], bytesMax: 0) == .success([]))
    #expect(inflate(blocks, bytesMax: 0) == .failure(.invalidCompression))
  }

  @Test(
    "Broken data is refused",
    arguments: [
      // Nothing; the reserved type of a block; a stored block whose length disagrees with its complement.
      "", "07 00", "06 00", "00 05 00 fa fe 48 65 6c 6c 6f 00",
      // The middle of a block of each type; its end without the flush; a flush that was not cut off.
      "f2 48 cd", "00 05 00 fa ff 48 65", "05 c1 81", "f2 48 cd c9 c9 07", "f2 48 cd c9 c9 07 00 00 00 ff ff",
      "f3 48 cd c9 c9 07 00",
      // Bytes behind the flush; a distance back beyond the start; a preset dictionary or a header of zlib or gzip.
      "f2 48 cd c9 c9 07 00 48", "f2 00 11 00 00", "78 9c f2 48 cd c9 c9 07 00", "78 bb 00 00 00 01 00",
      "1f 8b 08 00 00 00 00 00",
    ]
  )
  func broken(hexadecimal: String) {
    #expect(inflate(bytes(hexadecimal)) == .failure(.invalidCompression))
    let stream = clientFrame(0xC2, bytes(hexadecimal))
    let decoding = Decoding.everyWay(stream, role: .server, inflater: inflater)
    #expect(decoding == Decoding(error: .invalidCompression))
  }

  @Test("A message truncated at any byte is refused")
  func cutOff() throws {
    let payload = (0..<40).flatMap { Array("{\"seat\":\($0),\"points\":\($0 * $0 * 31)}".utf8) }
    let whole = try #require(compressed(payload))
    for count in 0..<whole.count {
      #expect(inflate(Array(whole[..<count])) == .failure(.invalidCompression), "cut at \(count)")
    }
  }

  @Test(
    "Changed bytes and random bytes never trap, nor exceed the bound",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func noise(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      var data = compressed(randomPayload(&random)) ?? random.bytes(count: .random(in: 0...200, using: &random))
      for _ in 0..<Int.random(in: 1...3, using: &random) where !data.isEmpty {
        data[Int.random(in: data.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      let bytesMax = Int.random(in: 0...3_000, using: &random)
      let first = inflate(data, bytesMax: bytesMax)
      if case .success(let inflated) = first { #expect(inflated.count <= bytesMax) }
      #expect(inflate(data, bytesMax: bytesMax) == first, "the same result again")
      #expect(inflater.outputBytes <= 4_096)
    }
  }

  /// A payload that is repetitive or not, of a length near the critical sizes.
  private func randomPayload(_ random: inout SplitMix64) -> [UInt8] {
    let lengths = [0...8, 0...300, 800...1_000, 4_000...4_200, 8_000...9_000]
    let count = Int.random(in: lengths.randomElement(using: &random) ?? 0...0, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return random.bytes(count: count)
    case 1: return [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count)
    default:
      let words = (0..<8).map { _ in random.bytes(count: .random(in: 1...12, using: &random)) }
      var payload: [UInt8] = []
      while payload.count < count { payload += words.randomElement(using: &random) ?? [0] }
      return payload
    }
  }
}
