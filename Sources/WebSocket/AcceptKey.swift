// The proof that a server has read the handshake (RFC 6455 §1.3, §4.2.2): a digest of the client's key.
// Pure functions. The digest is no secret; it only protects from servers that don't speak WebSocket.
import Cryptography

enum AcceptKey {
  /// The value of Sec-WebSocket-Accept for a Sec-WebSocket-Key, which is taken as text and never decoded.
  static func make(for key: String) -> String {
    Base64.encode(Digest.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }

  /// Whether `key` is 16 bytes in base64 (RFC 6455 §4.1).
  static func isValid(key: String) -> Bool {
    key.utf8.count == 24 && Base64.decode(key)?.count == 16
  }
}
