// Bodies compressed for browsers: the form of RFC 1952, and nil where nothing is saved. A real browser proves that
// browsers read it (scripts/browser-test).
import SeededRandom
import Testing
import WebSocket

struct GzipTests {
  @Test("A long repetitive body becomes shorter, in the form of RFC 1952, the same each time")
  func compresses() throws {
    let text = Array(String(repeating: "마당 madang ", count: 500).utf8)
    let packed = try #require(Gzip.compress(text))
    #expect(packed.count < text.count / 10)
    #expect(packed.starts(with: [0x1F, 0x8B, 8]), "gzip, by deflate")
    #expect(packed[4..<8].allSatisfy { $0 == 0 }, "no time")
    let length = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(length == text.count)
    #expect(Gzip.compress(text) == packed)
  }

  @Test("An empty, a short and a random body stay unchanged")
  func gainsNothing() {
    var random = SplitMix64(seed: 7)
    #expect(Gzip.compress([]) == nil)
    #expect(Gzip.compress([1, 2, 3]) == nil)
    #expect(Gzip.compress(random.bytes(count: 5_000)) == nil)
  }
}
