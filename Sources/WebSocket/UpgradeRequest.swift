// The client's side of the opening handshake (RFC 6455 §4.1): bots, tests and commands. A value without randomness of
// its own.
import Cryptography

/// A request to change from HTTP to WebSocket.
package struct UpgradeRequest: Sendable {
  private let host: String
  private let path: String
  private let subprotocols: [String]
  private let compresses: Bool
  private let bearerToken: String?
  private let key: String

  /// - Parameters:
  ///   - host: the value of Host: a name or an address, with the port unless it is the scheme's own.
  ///   - path: path and query, escaped.
  ///   - subprotocols: the client's own, the preferred first; none is sent if empty.
  ///   - nonce: 16 bytes, random for each connection.
  ///   - compresses: whether compression is offered.
  ///   - bearerToken: the token of the field Authorization (RFC 6750 §2.1), without spaces; none is sent if nil.
  package init(
    host: String,
    path: String,
    subprotocols: [String],
    nonce: [UInt8],
    compresses: Bool = false,
    bearerToken: String? = nil
  ) {
    precondition(bearerToken?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ?? true, "the token is valid")
    self.bearerToken = bearerToken
    precondition(HTTPGrammar.isHost(host.utf8) && !host.isEmpty, "the host is valid")
    precondition(
      path.utf8.first == UInt8(ascii: "/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F },
      "the path is valid"
    )
    precondition(subprotocols.allSatisfy { HTTPGrammar.isToken($0.utf8) }, "subprotocols are tokens")
    precondition(nonce.count == 16, "a nonce has 16 bytes")
    self.host = host
    self.path = path
    self.subprotocols = subprotocols
    self.compresses = compresses
    key = Base64.encode(nonce)
  }

  /// The host without the port: the name that a certificate must have.
  package var hostName: String {
    let name = host.last == "]" ? host[...] : host.prefix(upTo: host.lastIndex(of: ":") ?? host.endIndex)
    return name.trimmingBrackets
  }

  /// The bytes to send.
  package var bytes: [UInt8] {
    var head = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
    if let bearerToken { head += "Authorization: Bearer \(bearerToken)\r\n" }
    if !subprotocols.isEmpty { head += "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))\r\n" }
    if compresses { head += "Sec-WebSocket-Extensions: \(PermessageDeflate.offer)\r\n" }
    return Array((head + "\r\n").utf8)
  }

  /// Checks the server's answer. Returns its choices: a subprotocol, nil for none, and compression, nil without.
  package func check(
    _ response: ResponseHead
  ) throws(UpgradeFailure) -> (subprotocol: String?, compression: PermessageDeflate?) {
    guard response.status == 101 else { throw .refused(status: response.status) }
    guard response.headers.list(of: "Upgrade", contains: "websocket") else {
      throw .notWebSocket("Upgrade does not name websocket.")
    }
    guard response.headers.list(of: "Connection", contains: "upgrade") else {
      throw .notWebSocket("Connection does not name Upgrade.")
    }
    guard response.values(of: "Sec-WebSocket-Accept") == [AcceptKey.make(for: key)] else {
      throw .notWebSocket("Sec-WebSocket-Accept is not the answer to this key.")
    }
    let compression = try compression(chosenIn: response)
    let chosen = response.values(of: "Sec-WebSocket-Protocol")
    guard chosen.count <= 1, chosen.allSatisfy(subprotocols.contains) else {
      throw .notOffered("The chosen subprotocol was not offered.")
    }
    return (chosen.first, compression)
  }

  private func compression(chosenIn response: ResponseHead) throws(UpgradeFailure) -> PermessageDeflate? {
    guard let extensions = WebSocketExtension.list(of: response.values(of: "Sec-WebSocket-Extensions")) else {
      throw .malformed("Sec-WebSocket-Extensions is not a list of extensions.")
    }
    guard extensions.count <= (compresses ? 1 : 0) else {
      throw .notOffered("More extensions were chosen than were offered.")
    }
    guard let answer = extensions.first else { return nil }
    return try PermessageDeflate(answer: answer)
  }
}

extension Substring {
  /// An IPv6 address without its brackets.
  fileprivate var trimmingBrackets: String {
    first == "[" && last == "]" ? String(dropFirst().dropLast()) : String(self)
  }
}
