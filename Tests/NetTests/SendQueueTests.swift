// The queue of unsent bytes by itself: bytes come out as they went in, in any portions that the kernel takes.
import SeededRandom
import Glibc
import Net
import Testing

@Suite struct SendQueueTests {
  private func append(_ bytes: some Sequence<UInt8>, to queue: inout SendQueue) {
    Array(bytes).withUnsafeBytes { queue.append($0) }
  }

  @Test("Waiting bytes are counted, taken from the front, and dropped when sent")
  func frontToBack() {
    var queue = SendQueue()
    #expect(queue.isEmpty)
    append([1, 2, 3], to: &queue)
    queue.bytes.append(4)
    #expect(queue.count == 4)
    queue.drop(0)
    queue.drop(2)
    #expect(queue.count == 2)
    #expect(queue.withUnsent { Array($0) } == [3, 4])
    append([5], to: &queue)
    #expect(queue.withUnsent { Array($0) } == [3, 4, 5])
    queue.drop(3)
    #expect(queue.isEmpty)
    #expect(queue.bytes.isEmpty)
    #expect(queue.withUnsent { $0.count } == 0)
  }

  @Test("A compacted queue has the same waiting bytes and no sent ones")
  func compact() {
    var queue = SendQueue()
    queue.compact()
    #expect(queue.heldBytes == 0)
    append([1, 2, 3], to: &queue)
    queue.drop(1)
    #expect(queue.heldBytes == 3)
    queue.compact()
    #expect(queue.heldBytes == 2)
    append([9], to: &queue)
    #expect(queue.withUnsent { Array($0) } == [2, 3, 9])
  }

  @Test("Sent bytes do not accumulate before the waiting ones")
  func memory() {
    var queue = SendQueue()
    for _ in 0..<1_000 {
      append(repeatElement(7, count: 10_000), to: &queue)
      if queue.count > 100_000 { queue.drop(9_999) }
      #expect(queue.bytes.count <= 2 * queue.count + 64 * 1_024 + 10_000)
    }
  }

  @Test("A queue that was long releases its memory while it is drained")
  func memoryWhileDrained() {
    var queue = SendQueue()
    append(repeatElement(7, count: 1_000_000), to: &queue)
    queue.drop(900_000)
    #expect(queue.count == 100_000)
    #expect(queue.heldBytes == 100_000)
    #expect(queue.bytes.capacity < 200_000)
  }

  @Test("A random sequence of operations gives every byte once and in order")
  func randomLife() {
    let seed = UInt64.random(in: .min ... .max)
    print("send queue: seed \(seed)")
    var generator = SplitMix64(seed: seed)
    var queue = SendQueue()
    var model: [UInt8] = []
    for step in 0..<1_000 {
      if Bool.random(using: &generator) {
        let count = Int.random(in: 0...60_000, using: &generator)
        // Pieces meet at random places; these bytes reveal any shift there.
        let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: count)
        append(piece, to: &queue)
        model += piece
      } else {
        let count = Int.random(in: 0...model.count, using: &generator)
        queue.drop(count)
        model.removeFirst(count)
      }
      #expect(queue.count == model.count)
      #expect(queue.withUnsent { unsent in model.withUnsafeBytes { areEqual(unsent, $0) } }, "step \(step)")
    }
  }

  private func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return left.isEmpty }
    return memcmp(leftStart, rightStart, left.count) == 0
  }
}
