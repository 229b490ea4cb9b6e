// The two encodings of the wire, named as the WebSocket handshake names them (RFC 6455 section 1.9).
//
// A value. Both carry the same schema, `madang.proto`; which one a connection speaks is settled by its handshake and never
// changes. What an encoding does to messages is in this type's extensions, a file for each: MessageCodec, MoveFix and
// TickWriter.

/// How the messages of a connection are encoded.
public enum Subprotocol: String, CaseIterable, Hashable, Sendable {
  /// proto3 JSON, one message in each text frame.
  case json = "madang.v1.json"
  /// The binary encoding of Protocol Buffers, one message in each binary frame.
  case proto = "madang.v1.proto"

  /// What a connection speaks whose handshake offers no subprotocol.
  public static let whenNoneIsOffered = Subprotocol.json

  /// Whether messages travel in text frames; otherwise in binary ones. A frame of the other kind is refused with 1003.
  public var isText: Bool { self == .json }
}
