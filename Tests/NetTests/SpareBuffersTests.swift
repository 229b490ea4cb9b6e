// The buffers that a shard lends to send queues.
import Net
import Testing

@Suite struct SpareBuffersTests {
  private func buffer(capacity: Int) -> [UInt8] {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(capacity)
    return buffer
  }

  @Test("A buffer that was given back is lent again, the newest first")
  func lent() {
    let spare = SpareBuffers()
    #expect(spare.take().capacity == 0)
    spare.giveBack(buffer(capacity: 100))
    spare.giveBack(buffer(capacity: 1_000))
    #expect(spare.take().capacity >= 1_000)
    #expect((100..<1_000).contains(spare.take().capacity))
    #expect(spare.take().capacity == 0)
  }

  @Test("Buffers that are large, have no memory, or are too many are not kept")
  func kept() {
    let spare = SpareBuffers()
    spare.giveBack([])
    spare.giveBack(buffer(capacity: SpareBuffers.bytesMax + 1))
    #expect(spare.take().capacity == 0)
    for _ in 0..<SpareBuffers.countMax + 10 { spare.giveBack(buffer(capacity: 100)) }
    var count = 0
    while spare.take().capacity > 0 { count += 1 }
    #expect(count == SpareBuffers.countMax)
  }
}
