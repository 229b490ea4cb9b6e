// One frame, made in place: the payload is written once, right behind room for its header.
//
// Owned by one shard's service and used again for every tick, so that a warm tick allocates nothing.
import WebSocket

package struct Frame {
  private var bytes: [UInt8] = []
  private var start = 0

  package init() {}

  package var isEmpty: Bool { bytes.isEmpty }

  package mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Makes the frame of what `write` appends; with `isCompressed`, what a deflater did.
  package mutating func fill(_ kind: MessageKind, isCompressed: Bool = false, _ write: (inout [UInt8]) -> Void) {
    clear()
    bytes.append(contentsOf: repeatElement(0, count: FrameEncoder.serverHeaderBytesMax))
    write(&bytes)
    start = FrameEncoder.finishServerFrame(kind, in: &bytes, isCompressed: isCompressed)
  }

  /// The whole frame; nothing when there is none.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(isEmpty ? $0 : UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// The message without its header.
  package func withPayload<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[FrameEncoder.serverHeaderBytesMax...])) }
  }
}
