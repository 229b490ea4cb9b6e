// The items that a decoder makes of a stream of bytes, as a value that tests compare. The stream is fed whole, byte by
// byte, and cut at every place. Every vector of the tests goes through `Decoding.everyWay`.
import Testing
import WebSocket

/// An item of a decoder with bytes of its own.
enum DecodedItem: Equatable {
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

  static func text(_ text: String) -> DecodedItem {
    .message(.text, Array(text.utf8))
  }
}

/// All items and the error that a decoder made of a stream.
struct Decoding: Equatable {
  var items: [DecodedItem] = []
  var error: WebSocketError?

  init(_ items: [DecodedItem] = [], error: WebSocketError? = nil) {
    self.items = items
    self.error = error
  }

  /// Feeds the pieces one after the other, each in memory of its own that is gone at the next. Feeding continues after
  /// an error, to catch a decoder that does so too. With an inflater, compression counts as agreed on.
  static func of(
    _ pieces: [ArraySlice<UInt8>],
    role: Role,
    messageBytesMax: Int = 1 << 20,
    inflater: Inflater? = nil
  ) -> Decoding {
    var decoder = MessageDecoder(role: role, messageBytesMax: messageBytesMax, compression: inflater != nil)
    var decoding = Decoding()
    for piece in pieces {
      decoding.feed(piece, to: &decoder, inflater: inflater)
    }
    return decoding
  }

  /// Feeds one more piece to a decoder and notes the result.
  mutating func feed(_ piece: some Sequence<UInt8>, to decoder: inout MessageDecoder, inflater: Inflater? = nil) {
    var bytes = Array(piece)
    bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      do throws(WebSocketError) {
        while let item = try decoder.next(in: buffer, offset: &offset, inflater: inflater) {
          items.append(DecodedItem(item))
        }
      } catch {
        if self.error != nil { Issue.record("one error ends a connection") }
        self.error = error
        return
      }
      if offset != buffer.count { Issue.record("nil means that all is consumed") }
    }
  }

  /// Feeds the stream in every way and expects the same result each time.
  ///
  /// Streams of more than 600 bytes are cut only near their ends and at every 97th place.
  static func everyWay(
    _ stream: [UInt8],
    role: Role,
    messageBytesMax: Int = 1 << 20,
    inflater: Inflater? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Decoding {
    func decode(_ pieces: [ArraySlice<UInt8>]) -> Decoding {
      of(pieces, role: role, messageBytesMax: messageBytesMax, inflater: inflater)
    }
    let whole = decode([stream[...]])
    let dripped = decode(stream.indices.map { stream[$0...$0] })
    #expect(dripped == whole, "byte by byte", sourceLocation: sourceLocation)
    for cut in stream.indices where isCut(cut, in: stream) {
      let halves = decode([stream[..<cut], stream[cut...]])
      #expect(halves == whole, "cut at \(cut)", sourceLocation: sourceLocation)
    }
    return whole
  }

  private static func isCut(_ place: Int, in stream: [UInt8]) -> Bool {
    stream.count <= 600 || place < 150 || place > stream.count - 150 || place.isMultiple(of: 97)
  }
}
