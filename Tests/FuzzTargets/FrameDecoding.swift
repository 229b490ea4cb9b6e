// The result of a frame decoder for a stream, as a value to compare, and the properties of each item.
import WebSocket

/// All items of a stream, and its end.
struct FrameDecoding: Equatable {
  private(set) var items: [FrameItem] = []
  private(set) var error: WebSocketError?

  /// Feeds the pieces, each in memory of its own that ends with it and is gone at the next. Feeding continues behind
  /// the end, since a connection reads on too.
  init(_ pieces: [UnsafeRawBufferPointer], role: Role, messageBytesMax: Int, compression: Bool) {
    var decoder = MessageDecoder(role: role, messageBytesMax: messageBytesMax, compression: compression)
    let inflater = compression ? Inflater() : nil
    for piece in pieces {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
      defer { bytes.deallocate() }
      bytes.copyMemory(from: piece)
      feed(bytes, to: &decoder, inflater)
    }
  }

  private mutating func feed(
    _ bytes: UnsafeMutableRawBufferPointer,
    to decoder: inout MessageDecoder,
    _ inflater: Inflater?
  ) {
    var offset = 0
    while true {
      let start = offset
      do throws(WebSocketError) {
        guard let item = try decoder.next(in: bytes, offset: &offset, inflater: inflater) else { break }
        mustHold(error == nil, "no item follows an error")
        items.append(FrameItem(item))
      } catch {
        mustHold(self.error == nil, "an error is reported once")
        self.error = error
      }
      mustHold(start <= offset && offset <= bytes.count, "the offset advances within the bytes")
    }
    mustHold(offset == bytes.count, "all bytes are consumed if there is no item")
  }
}

/// An item of a decoder with bytes of its own.
enum FrameItem: Equatable {
  case message(MessageKind, [UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case close(CloseFrame)

  init(_ item: MessageDecoder.Item) {
    switch item {
    case .message(let kind, let payload): self = .message(kind, Array(payload))
    case .ping(let payload): self = .ping(Array(payload))
    case .pong(let payload): self = .pong(Array(payload))
    case .close(let frame): self = .close(frame)
    }
  }

  func check(messageBytesMax: Int) {
    switch self {
    case .message(let kind, let payload):
      mustHold(payload.count <= messageBytesMax, "no message is over the limit")
      // The standard library's own validation, which the decoder does not use.
      mustHold(kind == .binary || String(validating: payload, as: UTF8.self) != nil, "text is UTF-8")
    case .ping(let payload), .pong(let payload):
      mustHold(payload.count <= 125, "a control frame is short")
    case .close(let frame):
      mustHold(frame.reason.utf8.count <= 123, "a close reason is short")
      mustHold(frame.code.map(CloseStatus.isAllowedInFrame) ?? frame.reason.isEmpty, "a close code may be sent")
    }
  }

  /// Appends the item as this project's encoder writes it.
  func append(to bytes: inout [UInt8], mask: UInt32?) {
    switch self {
    case .message(let kind, let payload): FrameEncoder.append(kind, payload, mask: mask, to: &bytes)
    case .ping(let payload): payload.withUnsafeBytes { FrameEncoder.appendPing($0, mask: mask, to: &bytes) }
    case .pong(let payload): payload.withUnsafeBytes { FrameEncoder.appendPong($0, mask: mask, to: &bytes) }
    case .close(let frame): FrameEncoder.appendClose(code: frame.code, reason: frame.reason, mask: mask, to: &bytes)
    }
  }
}
