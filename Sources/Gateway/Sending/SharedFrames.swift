// One message for many: framed once, and compressed once for each window size of its receivers.
//
// Owned by one shard's service and reused for every tick.
import Net
import WebSocket

package struct SharedFrames {
  private let kind: MessageKind
  private var plain = Frame()
  /// The compressed frames, by bits of the window, from 9; made for the first receiver that needs one.
  private var compressed = [Frame](repeating: Frame(), count: 1 + PermessageDeflate.ownWindowBits - Self.windowBitsMin)
  /// See `NetLimits.compressTextFromBytes`.
  private var compressFromBytes = Int.max
  /// Compression made it no shorter.
  private var isIncompressible = false
  private static let windowBitsMin = 9
  /// The number of compressed messages so far.
  package private(set) var compressions = 0

  package init(_ kind: MessageKind) {
    self.kind = kind
  }

  package mutating func clear() {
    plain.clear()
    isIncompressible = false
    for index in compressed.indices { compressed[index].clear() }
  }

  /// Sends the message, written by `write` for the first receiver, with this peer's own part.
  ///
  /// - Returns: the length of the message, or nil when the connection was not open.
  package mutating func send(
    to connection: Connection,
    _ own: UnsafeRawBufferPointer,
    on core: ShardCore,
    _ write: (inout [UInt8]) -> Void
  ) -> Int? {
    if plain.isEmpty {
      plain.fill(kind, write)
      compressFromBytes = core.compressFromBytes(kind)
    }
    let byteCount = plain.withPayload { $0.count }
    guard byteCount >= compressFromBytes, !isIncompressible, let bits = connection.deflateWindowBits else {
      return plain.withBytes { connection.send(frames: $0, own) } ? byteCount : nil
    }
    let index = bits - Self.windowBitsMin
    if compressed[index].isEmpty { compress(at: index, by: core.deflater(windowBits: bits)) }
    let frame = isIncompressible ? plain : compressed[index]
    return frame.withBytes { connection.send(frames: $0, own) } ? byteCount : nil
  }

  private mutating func compress(at index: Int, by deflater: Deflater) {
    var isShorter = false
    compressions += 1
    compressed[index].fill(kind, isCompressed: true) { bytes in
      isShorter = plain.withPayload { deflater.compress($0, appendingTo: &bytes) }
    }
    if !isShorter {
      compressed[index].clear()
      isIncompressible = true
    }
  }
}
