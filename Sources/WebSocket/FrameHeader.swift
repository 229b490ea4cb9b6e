// The header of one frame, and its parser (RFC 6455 §5.2). Plain values.
//
//    0                   1                   2                   3
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//   +-+-+-+-+-------+-+-------------+-------------------------------+
//   |F|R|R|R| opcode|M| Payload len |    Extended payload length    |
//   |I|S|S|S|  (4)  |A|     (7)     |             (16/64)           |
//   |N|V|V|V|       |S|             |   (if payload len==126/127)   |
//   | |1|2|3|       |K|             |                               |
//   +-+-+-+-+-------+-+-------------+ - - - - - - - - - - - - - - - +
//   |     Extended payload length continued, if payload len == 127  |
//   + - - - - - - - - - - - - - - - +-------------------------------+
//   |                               |Masking-key, if MASK set to 1  |
//   +-------------------------------+-------------------------------+
//   | Masking-key (continued)       |          Payload Data         |
//   +-------------------------------- - - - - - - - - - - - - - - - +
//   :                     Payload Data continued ...                :
//   + - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - +
//   |                     Payload Data continued ...                |
//   +---------------------------------------------------------------+

/// The end of the connection on which this code runs.
package enum Role: Sendable {
  /// Receives masked frames, sends unmasked ones.
  case server
  /// Receives unmasked frames, sends masked ones.
  case client
}

/// The kind of a message's payload.
package enum MessageKind: Sendable {
  /// UTF-8.
  case text
  case binary

  /// The opcode of a message's first frame.
  package var opcode: Opcode {
    switch self {
    case .text: .text
    case .binary: .binary
    }
  }
}

/// The kind of a frame; all other values are reserved.
package enum Opcode: UInt8, Sendable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// Control frames are short, whole, and may stand between the fragments of a message (RFC 6455 §5.5).
  var isControl: Bool { rawValue & 0x8 != 0 }

  /// Whether this is the first frame of a message, which gives the kind and whether the message is compressed.
  var beginsMessage: Bool { self == .text || self == .binary }
}

/// The fields of a frame before its payload.
struct FrameHeader: Sendable {
  static let controlPayloadBytesMax = 125

  let isFinal: Bool
  /// RSV1: this is the first frame of a compressed message (RFC 7692 §6).
  let isCompressed: Bool
  let opcode: Opcode
  /// The first byte on the wire is the highest; nil when the payload is not masked.
  let mask: UInt32?
  /// From the wire: up to 2^63 - 1.
  let payloadBytes: Int

  /// The header at the start of `bytes` and its length, or nil when more bytes are needed. A byte that breaks a rule is
  /// refused as soon as it arrives. `takesCompressed` is true where RFC 7692 was agreed on.
  static func parse(
    _ bytes: UnsafeRawBufferPointer,
    role: Role,
    takesCompressed: Bool
  ) throws(WebSocketError) -> (header: FrameHeader, byteCount: Int)? {
    guard bytes.count >= 1 else { return nil }
    let first = bytes[0]
    let isCompressed = first & 0x40 != 0
    guard first & 0x30 == 0, !isCompressed || takesCompressed else { throw .reservedBitSet }
    guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode }
    guard !isCompressed || opcode.beginsMessage else { throw .reservedBitSet }
    let isFinal = first & 0x80 != 0
    guard isFinal || !opcode.isControl else { throw .controlFrameFragmented }

    guard bytes.count >= 2 else { return nil }
    let second = bytes[1]
    let isMasked = second & 0x80 != 0
    // RFC 6455 §5.1: a client masks every frame, a server none.
    switch role {
    case .server: guard isMasked else { throw .maskMissing }
    case .client: guard !isMasked else { throw .maskUnexpected }
    }
    let shortLength = second & 0x7F
    guard !opcode.isControl || Int(shortLength) <= controlPayloadBytesMax else { throw .controlFrameTooLong }

    let lengthEnd: Int
    let payloadBytes: Int
    switch shortLength {
    case 126:
      lengthEnd = 4
      guard bytes.count >= lengthEnd else { return nil }
      payloadBytes = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
      guard payloadBytes > 125 else { throw .lengthNotMinimal }
    case 127:
      lengthEnd = 10
      guard bytes.count >= lengthEnd else { return nil }
      let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
      guard length <= UInt64(Int64.max) else { throw .lengthNegative }
      guard length > UInt64(UInt16.max) else { throw .lengthNotMinimal }
      payloadBytes = Int(length)
    default:
      lengthEnd = 2
      payloadBytes = Int(shortLength)
    }

    var mask: UInt32?
    var headerEnd = lengthEnd
    if isMasked {
      headerEnd += 4
      guard bytes.count >= headerEnd else { return nil }
      mask = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: lengthEnd, as: UInt32.self))
    }
    let header = FrameHeader(
      isFinal: isFinal,
      isCompressed: isCompressed,
      opcode: opcode,
      mask: mask,
      payloadBytes: payloadBytes
    )
    return (header, headerEnd)
  }
}
