// A message in pieces, some of which many messages share: each piece is compressed by itself, and the pieces one behind the
// other are one compressed message (RFC 7692 §7.2.1).
//
// Pure functions but for the deflater. A flush ends a piece at a whole byte, and no piece refers to bytes of another, so a
// piece that was compressed once fits into any message, for a window as large as the deflater's.
// Decisions: 016 (docs/decisions).

package enum MessagePieces {
  /// Ends a piece that another one follows: the flush's empty block, which only a message's last piece goes without.
  private static let flush: [UInt8] = [0, 0, 0xFF, 0xFF]
  private static let storedBytesMax = 65_535

  /// Compresses a piece that others follow.
  package static func compressed(_ piece: [UInt8], by deflater: Deflater) -> [UInt8] {
    var output: [UInt8] = []
    let isShorter = piece.withUnsafeBytes { deflater.compress($0, appendingTo: &output) }
    return isShorter ? output + flush : stored(piece)
  }

  /// A piece that others follow as it is, in blocks that are not compressed: for a few bytes.
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
    // The header of the empty block whose rest the receiver puts back.
    return stored(piece) + [0]
  }
}

extension FrameEncoder {
  /// Appends a whole message as one frame, of pieces that lie one behind the other; compressed ones are marked as such.
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
