// Encoded fences: read back as written, and never a trap on damaged bytes.
import Game
import SeededRandom
import Testing

@Suite("Fences: encoding")
struct FenceCodingTests {
  private func fences() throws -> [Fence] {
    let ground = TestGround(lngE7: 1_799_999_000)
    var random = SplitMix64(seed: 20_261_206)
    return [
      try ground.circle(1, radiusM: 5),
      try ground.circle(UInt128.max, radiusM: 50_000, dwellS: 86_400, opensAt: 0, closesAt: 4_000_000_000),
      try ground.circle(3, radiusM: 77, closesAt: 7),
      try ground.polygon(4, [(0, 0), (50, 0), (0, 50)], dwellS: 1),
      try ground.polygon(5, TestGround.star(&random, 0, 0, radiusM: 9_000, corners: 1_000)),
    ]
  }

  @Test("A fence is read back as it was written, and takes much less than 64 KiB")
  func roundTrip() throws {
    for fence in try fences() {
      let bytes = fence.encoded
      #expect(bytes.count < 13_000)
      let read = try Fence(encoded: bytes)
      #expect(read == fence)
      #expect(read.encoded == bytes)
    }
  }

  @Test("Cut, longer and changed bytes are a fault or another fence")
  func damage() throws {
    var random = SplitMix64(seed: 20_261_207)
    for fence in try fences() {
      let bytes = fence.encoded
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
        #expect(throws: JournalFault.self) { try Fence(encoded: Array(bytes.prefix(length))) }
      }
      #expect(throws: JournalFault.self) { try Fence(encoded: bytes + [0]) }
      for _ in 0..<(bytes.count > 1_000 ? 100 : 3_000) {
        var changed = bytes
        for _ in 0..<random.draw(1...3) {
          changed[random.draw(0...changed.count - 1)] = UInt8(truncatingIfNeeded: random.next())
        }
        guard let read = try? Fence(encoded: changed) else { continue }
        let again = try Fence(encoded: read.encoded)
        #expect(again == read)
      }
    }
    #expect(throws: JournalFault.self) { try Fence(encoded: Array(repeating: 0, count: 65_537)) }
  }
}
