// One frame, made in place: the payload is written once, right behind space for its header.
//
// Owned by one shard's service and reused for every tick, so that a warm tick allocates nothing.
import WebSocket

package struct Frame {
  private var bytes: [UInt8] = []
  private var start = 0

  package init() {}

  package var isEmpty: Bool { bytes.isEmpty }

  package mutating func clear() {
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
  }

  /// Fills the frame with the bytes that `write` appends; `isCompressed` marks a deflater's output.
  package mutating func fill(_ kind: MessageKind, isCompressed: Bool = false, _ write: (inout [UInt8]) -> Void) {
    clear()
    bytes.append(contentsOf: repeatElement(0, count: FrameEncoder.serverHeaderBytesMax))
    write(&bytes)
    start = FrameEncoder.finishServerFrame(kind, in: &bytes, isCompressed: isCompressed)
  }

  /// Calls `body` with the whole frame; with no bytes when it is empty.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(isEmpty ? $0 : UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// Calls `body` with the message without its header.
  package func withPayload<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[FrameEncoder.serverHeaderBytesMax...])) }
  }
}
