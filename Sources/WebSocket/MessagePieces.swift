// A message in pieces, some of which many messages share. Each piece is compressed by itself; the concatenated pieces
// are one compressed message (RFC 7692 §7.2.1).
//
// Pure functions but for the deflater. A flush ends a piece at a whole byte, and no piece refers to bytes of another.
// So a piece that was compressed once fits into any message, for a window as large as the deflater's.
// Decisions: 016 (docs/decisions).

package enum MessagePieces {
  /// The end of a piece that another one follows: the flush's empty block. Only a message's last piece omits it.
  private static let flush: [UInt8] = [0, 0, 0xFF, 0xFF]
  private static let storedBytesMax = 65_535

  /// Compresses a piece that is not the last.
  package static func compressed(_ piece: [UInt8], by deflater: Deflater) -> [UInt8] {
    var output: [UInt8] = []
    let isShorter = piece.withUnsafeBytes { deflater.compress($0, appendingTo: &output) }
    return isShorter ? output + flush : stored(piece)
  }

  /// A piece that is not the last, in uncompressed blocks: for a few bytes.
  package static func stored(_ piece: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(piece.count + 5 * (piece.count / storedBytesMax + 1))
    var rest = piece[...]
    while !rest.isEmpty {
      let block = rest.prefix(storedBytesMax)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      output += [0, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
      output += block
    }
    return output
  }

  /// The last piece of a message.
  package static func last(_ piece: [UInt8], by deflater: Deflater) -> [UInt8] {
    var output: [UInt8] = []
    if piece.withUnsafeBytes({ deflater.compress($0, appendingTo: &output) }) { return output }
    // The header of the empty block. The receiver puts the rest of the block back.
    return stored(piece) + [0]
  }
}

extension FrameEncoder {
  /// Appends a whole message as one frame of concatenated pieces; compressed ones are marked.
  package static func append(
    _ kind: MessageKind,
    pieces: [[UInt8]],
    isCompressed: Bool,
    mask: UInt32? = nil,
    to output: inout [UInt8]
  ) {
    let start = output.count
    appendHeader(
      kind.opcode,
      payloadBytes: pieces.reduce(0) { $0 + $1.count },
      mask: mask,
      to: &output
    )
    if isCompressed { output[start] |= compressedBit }
    let payload = output.count
    for piece in pieces { output += piece }
    apply(mask, to: &output, from: payload)
  }

  /// RSV1.
  private static let compressedBit: UInt8 = 0x40
}
