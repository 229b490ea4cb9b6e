// Turns a stream of bytes into messages and control frames (RFC 6455 §5, §6.2), for either role. A value without clock,
// socket or queue; it travels with its connection. One step function: any cuts give the same items. A frame that lies
// whole in the given bytes and is a whole message comes out in place, without copy or allocation. A compressed message
// is gathered as it came and inflated at its end, so that no state of zlib travels along.

/// Decodes the bytes of one peer, piece by piece.
package struct MessageDecoder: ~Copyable, Sendable {
  /// A decoded item. Payloads are unmasked, and valid until the next call, or the next use of the inflater.
  package enum Item {
    /// A whole message; text is valid UTF-8.
    case message(MessageKind, UnsafeRawBufferPointer)
    /// Up to 125 bytes, to be sent back in a pong.
    case ping(UnsafeRawBufferPointer)
    /// Up to 125 bytes.
    case pong(UnsafeRawBufferPointer)
    /// The last item.
    case close(CloseFrame)
  }

  /// A message that has begun to arrive and is not complete.
  private struct PartialMessage: Sendable {
    let kind: MessageKind
    /// Whether `payload` is compressed; `validator` is then not used.
    let isCompressed: Bool
    var payload: AssemblyBuffer
    var validator = UTF8Validator()
    var emptyFragments = 0
  }

  /// A frame whose header has been read and whose payload has not.
  private struct PartialFrame: Sendable {
    let header: FrameHeader
    var receivedBytes = 0
    var missingBytes: Int { header.payloadBytes - receivedBytes }
  }

  /// The parts of a frame and of a message that have arrived without the rest.
  private struct Parts: Sendable {
    var header = PartialHeader()
    var frame: PartialFrame?
    var message: PartialMessage?
    /// Separate from the message's payload, since a control frame may stand between a message's fragments.
    var controlPayload: AssemblyBuffer?

    var isEmpty: Bool { header.isEmpty && frame == nil && message == nil && controlPayload == nil }
  }

  /// In memory of its own where there is anything: mostly all messages have come whole.
  private enum Unfinished: Sendable {
    case nothing
    indirect case parts(Parts)
  }

  /// The number of fragments without a byte that a message may have. They are legal but carry nothing; a sender of many
  /// means to keep the server busy.
  package static let emptyFragmentsMax = 64

  private let role: Role
  private let takesCompressed: Bool
  private var isFinished = false
  /// The longest message that is accepted, from the next frame's header on; 0 or more.
  package var messageBytesMax: Int {
    didSet { precondition(messageBytesMax >= 0, "a length is not negative") }
  }
  private var unfinished = Unfinished.nothing
  /// Keeps the memory of the last item until the next call; idle connections hold none.
  private var delivered: AssemblyBuffer?

  /// - Parameters:
  ///   - role: this end's role: a server accepts masked frames only, a client unmasked ones only.
  ///   - messageBytesMax: the longest message accepted, in bytes over all its fragments, inflated if it was compressed;
  ///     0 or more.
  ///   - compression: whether messages may be compressed by RFC 7692; if not, a compressed one breaks the protocol.
  package init(role: Role, messageBytesMax: Int, compression: Bool = false) {
    precondition(messageBytesMax >= 0, "a length is not negative")
    self.role = role
    self.messageBytesMax = messageBytesMax
    takesCompressed = compression
  }

  /// Whether a part of a header, a frame or a message is kept here. A peer that never sends the rest holds this memory:
  /// the connection bounds the time.
  package var isMidMessage: Bool { !isFinished && hasParts }

  private var hasParts: Bool { if case .parts = unfinished { true } else { false } }

  private var parts: Parts {
    get { if case .parts(let parts) = unfinished { parts } else { Parts() } }
    set { unfinished = newValue.isEmpty ? .nothing : .parts(newValue) }
  }

  /// Takes the next item out of `bytes` from `offset` on, unmasking in place, and moves `offset` behind it.
  ///
  /// Nil when all of `bytes` is consumed. An unfinished frame is kept here, and the next call gets only new bytes.
  /// After a close frame or an error nothing more is decoded (RFC 6455 §5.5.1, §7.1.7): later bytes are consumed and
  /// give nil.
  ///
  /// Where compression was agreed on, an inflater must be given. One inflater serves all connections of a shard.
  package mutating func next(
    in bytes: UnsafeMutableRawBufferPointer,
    offset: inout Int,
    inflater: Inflater? = nil
  ) throws(WebSocketError) -> Item? {
    precondition(inflater != nil || !takesCompressed, "compressed messages need an inflater")
    precondition(offset >= 0 && offset <= bytes.count, "the offset is within the bytes")
    delivered = nil
    do {
      while !isFinished {
        let current: PartialFrame
        if hasParts, let frame = parts.frame {
          current = frame
        } else {
          guard let header = try takeHeader(from: UnsafeRawBufferPointer(bytes), &offset) else { return nil }
          try checkOrder(of: header)
          current = PartialFrame(header: header)
        }
        let end = offset + min(current.missingBytes, bytes.count - offset)
        let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<end])
        offset = end
        if let mask = current.header.mask {
          Masking.apply(mask, to: piece, payloadOffset: current.receivedBytes)
        }
        if let item = try take(UnsafeRawBufferPointer(piece), of: current, inflater) { return item }
        if hasParts, parts.frame != nil { return nil }
      }
      offset = bytes.count
      return nil
    } catch {
      isFinished = true
      throw error
    }
  }
}

extension MessageDecoder {
  /// Takes a frame's header, whose first bytes may be kept. Nil while it is incomplete.
  @inline(__always)
  private mutating func takeHeader(
    from input: UnsafeRawBufferPointer,
    _ offset: inout Int
  ) throws(WebSocketError) -> FrameHeader? {
    if !hasParts || parts.header.isEmpty {
      let rest = UnsafeRawBufferPointer(rebasing: input[offset...])
      if let whole = try FrameHeader.parse(rest, role: role, takesCompressed: takesCompressed) {
        offset += whole.byteCount
        return whole.header
      }
    }
    return try parts.header.take(from: input, offset: &offset, role: role, takesCompressed: takesCompressed)
  }

  /// Checks that a message's frames follow each other, control frames apart (RFC 6455 §5.4), and that the message's
  /// length is within the limit before any of the frame's payload is taken.
  @inline(__always)
  private func checkOrder(of header: FrameHeader) throws(WebSocketError) {
    guard !header.opcode.isControl else { return }
    let bytesMax: Int
    if header.opcode == .continuation {
      guard let message = parts.message else { throw .continuationUnexpected }
      bytesMax = payloadBytesMax(isCompressed: message.isCompressed) - message.payload.count
    } else {
      guard !hasParts || parts.message == nil else { throw .continuationMissing }
      bytesMax = payloadBytesMax(isCompressed: header.isCompressed)
    }
    guard header.payloadBytes <= bytesMax else { throw .messageTooLong }
  }

  /// The most bytes that a message's frames may carry. A compressed message takes nine bits for a byte at worst, and a
  /// little for its blocks. The bound of 1 GiB keeps the sum from overflowing.
  private func payloadBytesMax(isCompressed: Bool) -> Int {
    guard isCompressed else { return messageBytesMax }
    let bytesMax = min(messageBytesMax, 1 << 30)
    return bytesMax + bytesMax / 8 + 64
  }

  /// Takes the next unmasked piece of a frame's payload. Returns the item that it completes, or nil.
  private mutating func take(
    _ piece: UnsafeRawBufferPointer,
    of current: PartialFrame,
    _ inflater: Inflater?
  ) throws(WebSocketError) -> Item? {
    guard piece.count == current.missingBytes else {
      var advanced = current
      advanced.receivedBytes += piece.count
      parts.frame = advanced
      // Nothing is gathered before a byte arrives: a payload that then comes whole is still taken in place.
      guard !piece.isEmpty else { return nil }
      if current.header.opcode.isControl {
        gatherControl(piece, of: current.header)
      } else {
        parts.message = try gathered(piece, of: current.header)
      }
      return nil
    }
    if hasParts, parts.frame != nil { parts.frame = nil }
    let liesWhole = current.receivedBytes == 0
    switch current.header.opcode {
    case .text where current.header.isFinal && liesWhole:
      return try .message(.text, validated(current.header.isCompressed ? inflated(piece, inflater) : piece))
    case .binary where current.header.isFinal && liesWhole:
      return try .message(.binary, current.header.isCompressed ? inflated(piece, inflater) : piece)
    case .text, .binary, .continuation:
      let soFar = try gathered(piece, of: current.header)
      guard current.header.isFinal else {
        parts.message = soFar
        return nil
      }
      if soFar.isCompressed {
        let bytes = try inflated(soFar.payload.bytes, inflater)
        return .message(soFar.kind, soFar.kind == .text ? try validated(bytes) : bytes)
      }
      guard soFar.validator.isAtBoundary else { throw .invalidUTF8 }
      return .message(soFar.kind, deliver(soFar.payload))
    case .ping:
      return .ping(liesWhole ? piece : completeControl(piece, of: current.header))
    case .pong:
      return .pong(liesWhole ? piece : completeControl(piece, of: current.header))
    case .close:
      let close = try CloseFrame(payload: liesWhole ? piece : completeControl(piece, of: current.header))
      isFinished = true
      return .close(close)
    }
  }

  private func inflated(
    _ compressed: UnsafeRawBufferPointer,
    _ inflater: Inflater?
  ) throws(WebSocketError) -> UnsafeRawBufferPointer {
    guard let inflater else { preconditionFailure("a compressed message has an inflater") }
    return try inflater.inflate(compressed, bytesMax: messageBytesMax)
  }

  /// The bytes of a whole text.
  private func validated(_ text: UnsafeRawBufferPointer) throws(WebSocketError) -> UnsafeRawBufferPointer {
    var validator = UTF8Validator()
    guard validator.accepts(text), validator.isAtBoundary else { throw .invalidUTF8 }
    return text
  }

  /// The message with one more piece, taken out of the parts so that its buffer is changed in place.
  private mutating func gathered(
    _ piece: UnsafeRawBufferPointer,
    of header: FrameHeader
  ) throws(WebSocketError) -> PartialMessage {
    var soFar =
      parts.message.take()
      ?? PartialMessage(
        kind: header.opcode == .text ? .text : .binary,
        isCompressed: header.isCompressed,
        payload: AssemblyBuffer(announcedBytes: header.payloadBytes)
      )
    if header.payloadBytes == 0 {
      soFar.emptyFragments += 1
      guard soFar.emptyFragments <= Self.emptyFragmentsMax else { throw .tooManyEmptyFragments }
    }
    if soFar.kind == .text, !soFar.isCompressed {
      guard soFar.validator.accepts(piece) else { throw .invalidUTF8 }
    }
    soFar.payload.append(piece, bytesMax: payloadBytesMax(isCompressed: soFar.isCompressed))
    return soFar
  }

  private mutating func gatherControl(_ piece: UnsafeRawBufferPointer, of header: FrameHeader) {
    var soFar = parts.controlPayload.take() ?? AssemblyBuffer(announcedBytes: header.payloadBytes)
    soFar.append(piece, bytesMax: header.payloadBytes)
    parts.controlPayload = soFar
  }

  private mutating func completeControl(
    _ piece: UnsafeRawBufferPointer,
    of header: FrameHeader
  ) -> UnsafeRawBufferPointer {
    gatherControl(piece, of: header)
    guard let whole = parts.controlPayload.take() else {
      preconditionFailure("a complete control payload was gathered")
    }
    return deliver(whole)
  }

  /// Keeps the bytes of an item alive until the next call.
  private mutating func deliver(_ payload: AssemblyBuffer) -> UnsafeRawBufferPointer {
    delivered = payload
    return payload.bytes
  }
}
