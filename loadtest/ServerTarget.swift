// The address of the server under test, and the request for a WebSocket.
//
// Values.
import ArgumentParser
import Foundation
import MadangProtocol
import Net
import WebSocket

/// The parts of a ws:// or wss:// URL.
package struct ServerURL: Equatable, Sendable {
  /// The host, without the brackets of an IPv6 address.
  package let host: String
  package let port: UInt16
  package let path: String
  /// The value of the Host header.
  package let authority: String
  /// Whether TLS is used.
  package let isSecure: Bool

  /// - Throws: `ValidationError` when `text` is no ws:// or wss:// URL.
  package init(_ text: String) throws {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, ["ws", "wss"].contains(scheme),
      let host = parts.host, !host.isEmpty
    else { throw ValidationError("\(text) is no ws:// or wss:// URL.") }
    isSecure = scheme == "wss"
    guard let port = UInt16(exactly: parts.port ?? (isSecure ? 443 : 80)) else {
      throw ValidationError("\(text) has a port out of range.")
    }
    self.host = host.trimmingCharacters(in: ["[", "]"])
    self.port = port
    path = parts.path.isEmpty ? "/v1/play" : parts.path
    authority = "\(host):\(port)"
  }
}

/// The server that all bots of a run connect to, and the encoding that they speak.
struct ServerTarget: Sendable {
  let address: ResolvedAddress
  let subprotocol: Subprotocol
  private let url: ServerURL
  /// Whether connections offer compression.
  private let compresses: Bool
  /// The client's context; nil for a server without TLS.
  private let tls: TLSContext?

  /// `trusting` names a file with the certificates to trust; nil for those of the system. `compresses` is whether
  /// compression is offered; nil offers it with JSON alone.
  init(url text: String, trusting file: String?, subprotocol: Subprotocol, compresses: Bool? = nil) throws {
    self.compresses = compresses ?? subprotocol.isText
    url = try ServerURL(text)
    tls = url.isSecure ? try TLSContext(trusting: file) : nil
    address = try ResolvedAddress(host: url.host, port: url.port)
    self.subprotocol = subprotocol
  }

  /// Connects and asks for a WebSocket, as `ShardCore.dial`.
  func dial(on core: ShardCore, context: AnyObject) throws(NetError) -> Connection {
    let request = UpgradeRequest(
      host: url.authority,
      path: url.path,
      subprotocols: [subprotocol.rawValue],
      nonce: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
      compresses: compresses
    )
    return try core.dial(address, request, tls: tls, messageBytesMax: 1 << 20, context: context)
  }

  /// Sends a position, which gets no answer.
  func send(_ move: WireMove, on connection: Connection) {
    guard subprotocol == .proto else { return send(.move(move), id: nil, on: connection) }
    move.binaryMessage.withUnsafeBytes { connection.send(.binary, $0) }
  }

  /// Sends one message. With an `id` it is a request that gets an answer.
  func send(_ body: WireClientMessage.OneOf_Body, id: UInt32?, on connection: Connection) {
    var message = WireClientMessage()
    if let id { message.id = id }
    message.body = body
    var bytes: [UInt8] = []
    subprotocol.append(message, to: &bytes)
    bytes.withUnsafeBytes { connection.send(subprotocol.isText ? .text : .binary, $0) }
  }
}

extension Subprotocol {
  /// The encoding that a flag names: json or proto.
  init?(flag: String) {
    switch flag {
    case "json": self = .json
    case "proto": self = .proto
    default: return nil
    }
  }
}
