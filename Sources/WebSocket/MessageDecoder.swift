// Turns a stream of bytes into messages and control frames (RFC 6455 §5, §6.2), for either role. A value without clock,
// socket or queue; it travels with its connection. One step function: whatever the cuts, the same items come out.
// A frame that lies whole in the given bytes and is a whole message comes out in place, without copy or allocation.

/// Decodes what one peer sends, piece by piece.
package struct MessageDecoder: Sendable {
  /// What a peer has sent. Payloads are unmasked, and good until the next call.
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

  /// A message of which something has arrived and more is to come.
  private struct PartialMessage: Sendable {
    let kind: MessageKind
    var payload: AssemblyBuffer
    var validator = UTF8Validator()
  }

  /// A frame whose header is read and whose payload is not.
  private struct PartialFrame: Sendable {
    let header: FrameHeader
    var receivedBytes = 0
    var missingBytes: Int { header.payloadBytes - receivedBytes }
  }

  private let role: Role
  private let messageBytesMax: Int
  private var partialHeader = PartialHeader()
  private var frame: PartialFrame?
  private var message: PartialMessage?
  /// Apart from the message's, for a control frame may stand between a message's fragments.
  private var controlPayload: AssemblyBuffer?
  /// Keeps the memory of the last item until the next call; idle connections hold none.
  private var delivered: AssemblyBuffer?
  private var isFinished = false

  /// - Parameters:
  ///   - role: this end's role: a server takes masked frames only, a client unmasked ones only.
  ///   - messageBytesMax: the longest message taken, in bytes of payload over all its fragments; 0 or more.
  package init(role: Role, messageBytesMax: Int) {
    precondition(messageBytesMax >= 0, "a length")
    self.role = role
    self.messageBytesMax = messageBytesMax
  }

  /// Takes the next item out of `bytes` from `offset` on, unmasking in place, and moves `offset` behind it.
  ///
  /// Nil when all of `bytes` is consumed: what belongs to an unfinished frame is kept here, and the next call gets new
  /// bytes only. After a close frame or an error nothing more is decoded (RFC 6455 §5.5.1, §7.1.7): what still arrives
  /// is consumed and answered with nil.
  package mutating func next(
    in bytes: UnsafeMutableRawBufferPointer,
    offset: inout Int
  ) throws(WebSocketError) -> Item? {
    precondition(offset >= 0 && offset <= bytes.count, "an offset into the bytes")
    delivered = nil
    do {
      while !isFinished {
        let current: PartialFrame
        if let frame {
          current = frame
        } else {
          let input = UnsafeRawBufferPointer(bytes)
          guard let header = try partialHeader.take(from: input, offset: &offset, role: role) else { return nil }
          try checkOrder(of: header)
          current = PartialFrame(header: header)
        }
        let end = offset + min(current.missingBytes, bytes.count - offset)
        let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<end])
        offset = end
        if let mask = current.header.mask {
          Masking.apply(mask, to: piece, payloadOffset: current.receivedBytes)
        }
        if let item = try take(UnsafeRawBufferPointer(piece), of: current) { return item }
        if frame != nil { return nil }
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
  /// A message's frames follow each other, control frames apart (RFC 6455 §5.4); and its length is known to be within
  /// the limit before any of a frame's payload is taken.
  private func checkOrder(of header: FrameHeader) throws(WebSocketError) {
    guard !header.opcode.isControl else { return }
    if header.opcode == .continuation {
      guard message != nil else { throw .continuationUnexpected }
    } else {
      guard message == nil else { throw .continuationMissing }
    }
    guard header.payloadBytes <= messageBytesMax - (message?.payload.count ?? 0) else { throw .messageTooLong }
  }

  /// Takes the next piece of a frame's payload, already unmasked: the item that it completes, or nil.
  private mutating func take(
    _ piece: UnsafeRawBufferPointer,
    of current: PartialFrame
  ) throws(WebSocketError) -> Item? {
    guard piece.count == current.missingBytes else {
      var advanced = current
      advanced.receivedBytes += piece.count
      frame = advanced
      // Nothing is gathered before something is there: what then comes whole is still taken in place.
      guard !piece.isEmpty else { return nil }
      if current.header.opcode.isControl {
        gatherControl(piece, of: current.header)
      } else {
        message = try gathered(piece, of: current.header)
      }
      return nil
    }
    frame = nil
    let liesWhole = current.receivedBytes == 0
    switch current.header.opcode {
    case .text where current.header.isFinal && liesWhole:
      var validator = UTF8Validator()
      guard validator.accepts(piece), validator.isAtBoundary else { throw .invalidUTF8 }
      return .message(.text, piece)
    case .binary where current.header.isFinal && liesWhole:
      return .message(.binary, piece)
    case .text, .binary, .continuation:
      let soFar = try gathered(piece, of: current.header)
      guard current.header.isFinal else {
        message = soFar
        return nil
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

  /// The message with one more piece, taken out of `message` so that its buffer is changed in place.
  private mutating func gathered(
    _ piece: UnsafeRawBufferPointer,
    of header: FrameHeader
  ) throws(WebSocketError) -> PartialMessage {
    var soFar =
      message.take()
      ?? PartialMessage(
        kind: header.opcode == .text ? .text : .binary,
        payload: AssemblyBuffer(announcedBytes: header.payloadBytes)
      )
    if soFar.kind == .text {
      guard soFar.validator.accepts(piece) else { throw .invalidUTF8 }
    }
    soFar.payload.append(piece, bytesMax: messageBytesMax)
    return soFar
  }

  private mutating func gatherControl(_ piece: UnsafeRawBufferPointer, of header: FrameHeader) {
    var soFar = controlPayload.take() ?? AssemblyBuffer(announcedBytes: header.payloadBytes)
    soFar.append(piece, bytesMax: header.payloadBytes)
    controlPayload = soFar
  }

  private mutating func completeControl(
    _ piece: UnsafeRawBufferPointer,
    of header: FrameHeader
  ) -> UnsafeRawBufferPointer {
    gatherControl(piece, of: header)
    guard let whole = controlPayload.take() else { preconditionFailure("it was gathered just now") }
    return deliver(whole)
  }

  /// Keeps the bytes of an item alive until the next call.
  private mutating func deliver(_ payload: AssemblyBuffer) -> UnsafeRawBufferPointer {
    delivered = payload
    return payload.bytes
  }
}
