// Hints of memory: what they cover, and that they outlive their objects.
import Net
import Testing

private final class Big {
  var bytes = InlineArray<1_000, UInt8>(repeating: 0)
}

@Suite struct MemoryHintTests {
  @Test("A hint covers each byte of its object", arguments: [1, 48, 64, 65, 1_000, 16_000])
  func covers(bytes: Int) {
    let object = Big()
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    let lines = MemoryHint(object, bytes: bytes).lines
    #expect(lines.lowerBound <= address)
    #expect(lines.lowerBound > address - 64)
    #expect(lines.upperBound >= address + UInt(bytes))
    #expect(lines.upperBound < address + UInt(bytes) + 64)
    #expect(lines.lowerBound.isMultiple(of: 64))
  }

  @Test("A hint of nothing covers nothing, and one of an object that is gone does no harm")
  func gone() {
    #expect(MemoryHint().lines.isEmpty)
    MemoryHint().give()
    var object: Big? = Big()
    weak let left = object
    let hint = object.map { MemoryHint($0, bytes: 1_000) }
    object = nil
    #expect(left == nil)
    hint?.give()
  }
}
