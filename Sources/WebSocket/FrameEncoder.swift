// Writes frames (RFC 6455 §5.2; the diagram stands above `FrameHeader`) and marks compressed messages by RSV1 (RFC 7692
// §6). Pure functions without validation; the given deflater compresses. A server's frames are not masked. A client's
// are, each with a new unpredictable mask (§5.3) that the caller draws.

/// Encodes frames for either role: without a mask for a server, with one for a client.
package enum FrameEncoder {
  /// The longest header of a frame without mask: the room that `finishServerFrame` needs in front of a payload.
  package static let serverHeaderBytesMax = 10
  private static let maskBytes = 4

  /// Appends a whole message as one frame.
  ///
  /// - Parameters:
  ///   - kind: the kind of the message.
  ///   - payload: the message; UTF-8 if text.
  ///   - mask: nil for a server; its first byte on the wire is the highest.
  ///   - output: the bytes to which the frame is appended.
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

  /// Appends a whole message as one frame, compressed if that makes it shorter: for a peer that agreed to it, with a
  /// window at least as large as the deflater's. The mask is as in `append`.
  package static func appendCompressed(
    _ kind: MessageKind,
    _ payload: UnsafeRawBufferPointer,
    by deflater: Deflater,
    mask: UInt32? = nil,
    to output: inout [UInt8]
  ) {
    // The header's length is known only behind the payload, so unused room for it is removed again.
    let start = output.count
    let payloadStart = start + serverHeaderBytesMax + maskBytes
    output.append(contentsOf: repeatElement(0, count: payloadStart - start))
    guard deflater.compress(payload, appendingTo: &output) else {
      output.removeLast(payloadStart - start)
      return appendFrame(kind.opcode, payload, mask: mask, to: &output)
    }
    let headerStart = putHeader(
      first(kind.opcode, isFinal: true, isCompressed: true),
      payloadBytes: output.count - payloadStart,
      mask: mask,
      before: payloadStart,
      in: &output
    )
    apply(mask, to: &output, from: payloadStart)
    output.removeSubrange(start..<headerStart)
  }

  /// Appends a ping with up to 125 bytes, which the peer sends back.
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
  ///   - code: a code that `CloseStatus.isAllowedInFrame`, or nil for an empty frame.
  ///   - reason: a text for logs, cut behind a whole character to 123 bytes. Without a code it is not sent.
  ///   - mask: nil for a server; its first byte on the wire is the highest.
  ///   - output: the bytes to which the frame is appended.
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
      "a control frame is unfragmented and short"
    )
    let first = first(opcode, isFinal: isFinal)
    if mask == nil, payloadBytes <= 125 {
      // Most answers' header.
      output.append(first)
      output.append(UInt8(payloadBytes))
      return
    }
    let bytes = 2 + lengthBytes(payloadBytes) + (mask == nil ? 0 : maskBytes)
    output.append(contentsOf: repeatElement(0, count: bytes))
    let end = output.count
    _ = putHeader(first, payloadBytes: payloadBytes, mask: mask, before: end, in: &output)
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
    apply(mask, to: &output, from: start)
  }

  /// Makes a server's frame around a message that was written in its place, so that a broadcast is encoded once and
  /// never copied.
  ///
  /// - Parameters:
  ///   - kind: the kind of the message.
  ///   - buffer: `serverHeaderBytesMax` bytes of any value, then the message. The header is written right in front of
  ///     the message.
  ///   - isCompressed: whether a `Deflater` wrote the message.
  /// - Returns: the index at which the frame starts; it ends with the buffer.
  package static func finishServerFrame(
    _ kind: MessageKind,
    in buffer: inout [UInt8],
    isCompressed: Bool = false
  ) -> Int {
    precondition(buffer.count >= serverHeaderBytesMax, "the buffer begins with space for the header")
    return putHeader(
      first(kind.opcode, isFinal: true, isCompressed: isCompressed),
      payloadBytes: buffer.count - serverHeaderBytesMax,
      mask: nil,
      before: serverHeaderBytesMax,
      in: &buffer
    )
  }
}

extension FrameEncoder {
  /// A frame's first byte.
  private static func first(_ opcode: Opcode, isFinal: Bool, isCompressed: Bool = false) -> UInt8 {
    (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
  }

  /// The number of bytes that follow the seven bits of the shortest length.
  private static func lengthBytes(_ payloadBytes: Int) -> Int {
    switch payloadBytes {
    case 0...125: 0
    case 126...Int(UInt16.max): 2
    default: 8
    }
  }

  /// Writes a header, from its end backwards, into the bytes of `buffer` right before `end`; returns the index of its
  /// start.
  private static func putHeader(
    _ first: UInt8,
    payloadBytes: Int,
    mask: UInt32?,
    before end: Int,
    in buffer: inout [UInt8]
  ) -> Int {
    var start = end
    func put(_ value: UInt64, byteCount: Int) {
      for index in 0..<byteCount {
        start -= 1
        buffer[start] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }
    if let mask { put(UInt64(mask), byteCount: maskBytes) }
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    let lengthBytes = lengthBytes(payloadBytes)
    put(UInt64(payloadBytes), byteCount: lengthBytes)
    let short: UInt8 = lengthBytes == 0 ? UInt8(payloadBytes) : lengthBytes == 2 ? 126 : 127
    put(UInt64(maskBit | short), byteCount: 1)
    put(UInt64(first), byteCount: 1)
    return start
  }

  static func apply(_ mask: UInt32?, to output: inout [UInt8], from start: Int) {
    guard let mask else { return }
    output.withUnsafeMutableBytes {
      Masking.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), payloadOffset: 0)
    }
  }
}
