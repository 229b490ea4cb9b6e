// One frame, made in place: the payload is written once, right behind room for its header.
//
// Owned by one shard's service and used again for every tick, so that a warm tick allocates nothing.
import WebSocket

struct Frame {
  private var bytes: [UInt8] = []
  private var start = 0

  var isEmpty: Bool { bytes.isEmpty }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Makes the frame of what `write` appends; with `isCompressed`, what a deflater did.
  mutating func fill(_ kind: MessageKind, isCompressed: Bool = false, _ write: (inout [UInt8]) -> Void) {
    clear()
    bytes.append(contentsOf: repeatElement(0, count: FrameEncoder.serverHeaderBytesMax))
    write(&bytes)
    start = FrameEncoder.finishServerFrame(kind, in: &bytes, isCompressed: isCompressed)
  }

  /// The whole frame; nothing when there is none.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(isEmpty ? $0 : UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// The message without its header.
  func withPayload<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[FrameEncoder.serverHeaderBytesMax...])) }
  }
}
