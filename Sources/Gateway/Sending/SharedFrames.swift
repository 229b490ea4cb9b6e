// One message for many: framed once, and compressed once for each window size of its receivers.
//
// Owned by one shard's service and reused for every tick.
import Net
import WebSocket

package struct SharedFrames {
  private let kind: MessageKind
  private var plain = Frame()
  /// The compressed frames, by bits of the window, from 9; none before the first receiver that needs one.
  private var compressed: [Frame] = []
  /// Whether one of them may not be empty.
  private var hasCompressed = false
  /// See `NetLimits.compressTextFromBytes`; nil before the first receiver.
  private var compressFromBytes: Int?
  /// Compression made it no shorter.
  private var isIncompressible = false
  private static let windowBitsMin = 9
  /// The number of compressed messages so far.
  package private(set) var compressions = 0

  package init(_ kind: MessageKind) {
    self.kind = kind
  }

  /// Whether the message is still to be written.
  package var isEmpty: Bool { plain.isEmpty }

  package mutating func clear() {
    plain.clear()
    isIncompressible = false
    guard hasCompressed else { return }
    hasCompressed = false
    for index in compressed.indices { compressed[index].clear() }
  }

  /// Takes the message that `write` appends, if it is still to be written.
  package mutating func fill(_ write: (inout [UInt8]) -> Void) {
    if plain.isEmpty { plain.fill(kind, write) }
  }

  /// Sends the message with this peer's own part.
  ///
  /// - Returns: the length of the message, or nil when the connection was not open.
  package mutating func send(to connection: Connection, _ own: UnsafeRawBufferPointer) -> Int? {
    precondition(!plain.isEmpty, "a message is written before it is sent")
    let byteCount = plain.withPayload { $0.count }
    let compressFromBytes = compressFromBytes ?? connection.compressFromBytes(kind)
    self.compressFromBytes = compressFromBytes
    guard byteCount >= compressFromBytes, !isIncompressible, let bits = connection.deflateWindowBits else {
      return plain.withBytes { connection.send(frames: $0, own) } ? byteCount : nil
    }
    let index = bits - Self.windowBitsMin
    if !hasCompressed || compressed[index].isEmpty { compress(at: index, by: connection.deflater(windowBits: bits)) }
    let frame = isIncompressible ? plain : compressed[index]
    return frame.withBytes { connection.send(frames: $0, own) } ? byteCount : nil
  }

  private mutating func compress(at index: Int, by deflater: Deflater) {
    if compressed.isEmpty {
      compressed = Array(repeating: Frame(), count: 1 + PermessageDeflate.ownWindowBits - Self.windowBitsMin)
    }
    hasCompressed = true
    compressions += 1
    var isShorter = false
    compressed[index].fill(kind, isCompressed: true) { bytes in
      isShorter = plain.withPayload { deflater.compress($0, appendingTo: &bytes) }
    }
    if !isShorter {
      compressed[index].clear()
      isIncompressible = true
    }
  }
}
