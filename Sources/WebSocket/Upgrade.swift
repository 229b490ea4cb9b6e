// The server's side of the opening handshake (RFC 6455 §4.2). A value made from a request that passes every rule. Other
// code decides before which clients may connect (Origin, limits, addresses).

/// An accepted change from HTTP to WebSocket.
package struct Upgrade: Sendable {
  /// The subprotocol that both sides speak; nil when the client offered none.
  package let subprotocol: String?
  /// The agreement on compression; nil when no message may be compressed.
  package let compression: PermessageDeflate?
  private let acceptKey: String
  /// The value of Sec-WebSocket-Extensions, if it is sent.
  private let extensions: String?

  /// Whether the request asks for WebSocket at all. If so, `accept` judges it.
  package static func isRequested(by head: RequestHead) -> Bool {
    head.headers.list(of: "Upgrade", contains: "websocket")
  }

  /// Accepts the request, or throws the fault in it.
  ///
  /// - Parameters:
  ///   - head: a request that `isRequested(by:)` is true of.
  ///   - subprotocols: the server's own, the preferred first.
  ///   - compresses: whether compression is agreed to when the client makes an acceptable offer.
  /// - Returns: the answer.
  /// - Throws: 400 for a handshake that breaks a rule or offers only unknown subprotocols, 426 for another version.
  package static func accept(
    _ head: RequestHead,
    subprotocols: [String],
    compresses: Bool = false
  ) throws(HTTPFailure) -> Upgrade {
    guard head.minorVersion >= 1 else { throw .badRequest("WebSocket begins with HTTP/1.1.") }
    guard head.method == "GET" else { throw .badRequest("WebSocket begins with GET.") }
    guard isRequested(by: head) else { throw .badRequest("Upgrade does not name websocket.") }
    guard head.headers.list(of: "Connection", contains: "upgrade") else {
      throw .badRequest("Connection does not name Upgrade.")
    }
    let versions = head.values(of: "Sec-WebSocket-Version")
    guard versions.count <= 1 else { throw .badRequest("Sec-WebSocket-Version appears twice.") }
    guard versions == ["13"] else { throw .webSocketVersionNotSupported }
    let keys = head.values(of: "Sec-WebSocket-Key")
    guard keys.count == 1, AcceptKey.isValid(key: keys[0]) else {
      throw .badRequest("Sec-WebSocket-Key is not 16 bytes in base64.")
    }
    guard let offers = WebSocketExtension.list(of: head.values(of: "Sec-WebSocket-Extensions")) else {
      throw .badRequest("Sec-WebSocket-Extensions is not a list of extensions.")
    }
    let subprotocol = try choose(from: subprotocols, offered: head)
    let compression = compresses ? PermessageDeflate.accept(offers) : nil
    return Upgrade(
      subprotocol: subprotocol,
      compression: compression?.agreed,
      acceptKey: AcceptKey.make(for: keys[0]),
      extensions: compression?.answer
    )
  }

  /// The bytes of the answer; everything behind them is WebSocket frames.
  package var response: [UInt8] {
    var head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Accept: \(acceptKey)\r\n"
    if let subprotocol { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    if let extensions { head += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
    return Array((head + "\r\n").utf8)
  }

  /// RFC 6455 allows a connection without a common subprotocol. Here the two sides would not understand each other, so
  /// the client is refused at once.
  private static func choose(from ours: [String], offered head: RequestHead) throws(HTTPFailure) -> String? {
    guard !head.values(of: "Sec-WebSocket-Protocol").isEmpty else { return nil }
    let offered = head.headers.listElements(of: "Sec-WebSocket-Protocol")
    guard !offered.isEmpty, offered.allSatisfy({ HTTPGrammar.isToken($0.utf8) }) else {
      throw .badRequest("Sec-WebSocket-Protocol is not a list of tokens.")
    }
    guard let common = ours.first(where: offered.contains) else {
      throw .badRequest("None of the offered subprotocols is spoken.")
    }
    return common
  }
}
