// The two encodings of the wire, with their names in the WebSocket handshake (RFC 6455 section 1.9).
//
// A value. Both carry the same schema, `madang.proto`; the handshake chooses a connection's encoding, which never
// changes. This type's extensions encode and decode messages, a file for each: MessageCodec, MoveFix and TickWriter.

/// The encoding of a connection's messages.
public enum Subprotocol: String, CaseIterable, Hashable, Sendable {
  /// proto3 JSON, one message in each text frame.
  case json = "madang.v1.json"
  /// The binary encoding of Protocol Buffers, one message in each binary frame.
  case proto = "madang.v1.proto"

  /// The encoding of a connection whose handshake offers no subprotocol.
  public static let whenNoneIsOffered = Subprotocol.json

  /// Whether messages travel in text frames; otherwise in binary ones. A frame of the other kind is refused with 1003.
  public var isText: Bool { self == .json }
}
