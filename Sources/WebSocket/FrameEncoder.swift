// Writes frames (RFC 6455 §5.2; the diagram stands above `FrameHeader`). Pure functions, apart from all validation.
// A server's frames are not masked, a client's are, each with a new unpredictable mask (§5.3) that the caller draws.

/// Encodes frames for either role: without a mask for a server, with one for a client.
package enum FrameEncoder {
  /// The longest header of a frame without mask: what `finishServerFrame` needs in front of a payload.
  package static let serverHeaderBytesMax = 10

  /// Appends a whole message as one frame.
  ///
  /// - Parameters:
  ///   - kind: what the message holds.
  ///   - payload: the message; UTF-8 if text.
  ///   - mask: nil for a server; its first byte on the wire is the highest.
  ///   - output: where the frame is appended.
  package static func append(
    _ kind: MessageKind,
    _ payload: UnsafeRawBufferPointer,
    mask: UInt32? = nil,
    to output: inout [UInt8]
  ) {
    appendFrame(kind.opcode, payload, mask: mask, to: &output)
  }

  /// Appends a whole message as one frame.
  package static func append(_ kind: MessageKind, _ payload: [UInt8], mask: UInt32? = nil, to output: inout [UInt8]) {
    payload.withUnsafeBytes { append(kind, $0, mask: mask, to: &output) }
  }

  /// Appends a ping with up to 125 bytes that the peer sends back.
  package static func appendPing(_ payload: UnsafeRawBufferPointer, mask: UInt32? = nil, to output: inout [UInt8]) {
    appendFrame(.ping, payload, mask: mask, to: &output)
  }

  /// Appends a pong; the answer to a ping carries that ping's payload, up to 125 bytes.
  package static func appendPong(_ payload: UnsafeRawBufferPointer, mask: UInt32? = nil, to output: inout [UInt8]) {
    appendFrame(.pong, payload, mask: mask, to: &output)
  }

  /// Appends a close frame.
  ///
  /// - Parameters:
  ///   - code: a code that `CloseStatus.isAllowedInFrame`, or nil for a frame that says nothing.
  ///   - reason: for who reads logs; cut behind a whole character to 123 bytes. Without a code it is not sent.
  ///   - mask: nil for a server; its first byte on the wire is the highest.
  ///   - output: where the frame is appended.
  package static func appendClose(
    code: UInt16?,
    reason: String = "",
    mask: UInt32? = nil,
    to output: inout [UInt8]
  ) {
    var payload: [UInt8] = []
    if let code {
      precondition(CloseStatus.isAllowedInFrame(code), "this code is never sent")
      payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
      for character in reason {
        guard payload.count + character.utf8.count <= FrameHeader.controlPayloadBytesMax else { break }
        payload.append(contentsOf: character.utf8)
      }
    }
    payload.withUnsafeBytes { appendFrame(.close, $0, mask: mask, to: &output) }
  }

  /// Appends a frame's header alone; `payloadBytes` bytes of payload must follow, masked if `mask` is given.
  /// With `isFinal` false, or the opcode `continuation`, it is a fragment of a message.
  package static func appendHeader(
    _ opcode: Opcode,
    isFinal: Bool = true,
    payloadBytes: Int,
    mask: UInt32? = nil,
    to output: inout [UInt8]
  ) {
    precondition(
      !opcode.isControl || isFinal && payloadBytes <= FrameHeader.controlPayloadBytesMax,
      "a control frame is whole and short"
    )
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    output.append((isFinal ? 0x80 : 0) | opcode.rawValue)
    switch payloadBytes {
    case 0...125:
      output.append(maskBit | UInt8(payloadBytes))
    case 126...Int(UInt16.max):
      output.append(maskBit | 126)
      withUnsafeBytes(of: UInt16(payloadBytes).bigEndian) { output.append(contentsOf: $0) }
    default:
      output.append(maskBit | 127)
      withUnsafeBytes(of: UInt64(payloadBytes).bigEndian) { output.append(contentsOf: $0) }
    }
    if let mask { withUnsafeBytes(of: mask.bigEndian) { output.append(contentsOf: $0) } }
  }

  /// Appends a whole frame or a fragment.
  package static func appendFrame(
    _ opcode: Opcode,
    isFinal: Bool = true,
    _ payload: UnsafeRawBufferPointer,
    mask: UInt32? = nil,
    to output: inout [UInt8]
  ) {
    appendHeader(opcode, isFinal: isFinal, payloadBytes: payload.count, mask: mask, to: &output)
    let start = output.count
    output.append(contentsOf: payload)
    guard let mask else { return }
    output.withUnsafeMutableBytes {
      Masking.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), payloadOffset: 0)
    }
  }

  /// Makes a server's frame of a message that was written into its place, so that a broadcast is encoded once and
  /// never copied.
  ///
  /// - Parameters:
  ///   - kind: what the message holds.
  ///   - buffer: `serverHeaderBytesMax` bytes of any value, then the message. The header is written right in front of
  ///     the message.
  /// - Returns: where the frame starts; it ends with the buffer.
  package static func finishServerFrame(_ kind: MessageKind, in buffer: inout [UInt8]) -> Int {
    precondition(buffer.count >= serverHeaderBytesMax, "room for the header comes first")
    var header: [UInt8] = []
    appendHeader(kind.opcode, payloadBytes: buffer.count - serverHeaderBytesMax, to: &header)
    let start = serverHeaderBytesMax - header.count
    buffer.replaceSubrange(start..<serverHeaderBytesMax, with: header)
    return start
  }
}
