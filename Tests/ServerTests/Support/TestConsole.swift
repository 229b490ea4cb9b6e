// A console without a page: the feed over a plain socket, its messages read by another JSON reader than ours.
//
// Used by one test at a time. Time passes by `step`, which the server answers with an overview.
import Foundation
import Net
import TestSupport
import WebSocket

final class TestConsole {
  typealias Object = [String: Any]

  let socket: TestSocket
  private let clock: ManualClock
  private let port: UInt16
  /// Received messages that the test has not taken yet.
  private(set) var inbox: [Object] = []
  private(set) var closeCode: UInt16?
  private(set) var closeReason = ""
  private(set) var overviews = 0
  private(set) var compresses = false
  private var decoder: MessageDecoder
  private let inflater = Inflater()
  private var lastID = 0

  init(
    _ operators: TestOperators,
    _ fields: String...,
    compresses: Bool = false,
    prepare: (TestSocket) -> Void = { _ in }
  ) throws {
    socket = try TestSocket(port: operators.port)
    prepare(socket)
    clock = operators.game.clock
    port = operators.port
    let offered = compresses ? ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"] : []
    let all = (fields.isEmpty ? [TestOperators.bearer] : fields) + offered
    try socket.send(Array(Self.request(port: operators.port, all).utf8))
    var (head, behind) = try socket.finishUpgrade()
    self.compresses = !head.values(of: "Sec-WebSocket-Extensions").isEmpty
    decoder = MessageDecoder(role: .client, messageBytesMax: 1 << 24, compression: self.compresses)
    try consume(&behind)
  }

  static func request(path: String = "/console/feed", host: String? = nil, port: UInt16, _ fields: [String]) -> String {
    let lines =
      [
        "GET \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      ] + fields
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  // Sending.

  func send(_ text: String) throws {
    try socket.send(TestPlayer.frame(.text, Array(text.utf8)))
  }

  /// Asks with a number of its own and waits for the reply.
  func ask(_ members: String) throws -> Object {
    lastID += 1
    try send("{\"id\":\(lastID),\(members)}")
    return try first { $0["reply"] as? Int == self.lastID }
  }

  /// Watches a view and waits for its first message.
  func watch(_ view: String, _ members: String = "") throws -> Object {
    inbox.removeAll { $0[view] != nil }
    try send("{\"watch\":\"\(view)\"\(members.isEmpty ? "" : ",\(members)")}")
    return try received(view)
  }

  // Reading.

  /// The next message of a kind.
  func received(_ name: String) throws -> Object {
    let message = try first { $0[name] != nil }
    guard let body = message[name] as? Object else { throw TestFailure("\(name) is no object: \(message)") }
    return body
  }

  /// The next message that fits, waiting for it if need be.
  func first(where fits: (Object) -> Bool) throws -> Object {
    while true {
      if let index = inbox.firstIndex(where: fits) { return inbox.remove(at: index) }
      try read()
    }
  }

  /// Takes the first message that fits and has come already; nil without one.
  func take(_ fits: (Object) -> Bool) -> Object? {
    inbox.firstIndex(where: fits).map { inbox.remove(at: $0) }
  }

  /// Lets time pass until a message of the view fits; earlier ones are dropped.
  func received(_ name: String, where fits: (Object) -> Bool) throws -> Object {
    for _ in 0..<60 {
      while let index = inbox.firstIndex(where: { $0[name] != nil }) {
        if let body = inbox.remove(at: index)[name] as? Object, fits(body) { return body }
      }
      try step()
    }
    throw TestFailure("never received: \(name)")
  }

  /// Lets half a second pass, up to its overview.
  func step() throws {
    try pump()
    let before = overviews
    // The answer shows that the beat has been.
    for _ in 0..<2 {
      clock.advance(milliseconds: 254)
      _ = try TestHTTP.get("/healthz", port: port)
    }
    while overviews == before { try read() }
  }

  func awaitEnd() throws -> UInt16? {
    while closeCode == nil {
      var bytes = try socket.receive()
      if bytes.isEmpty { return closeCode }
      try consume(&bytes)
    }
    return closeCode
  }

  /// Reads received bytes without waiting.
  func pump() throws {
    while socket.hasInput, closeCode == nil { try read() }
  }

  private func read() throws {
    guard closeCode == nil else { throw TestFailure("closed with \(closeCode ?? 0): \(closeReason)") }
    var bytes = try socket.receive()
    guard !bytes.isEmpty else { throw TestFailure("the feed has ended") }
    try consume(&bytes)
  }

  private func consume(_ bytes: inout [UInt8]) throws {
    try bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      while let item = try decoder.next(in: buffer, offset: &offset, inflater: inflater) {
        switch item {
        case .message(let kind, let payload):
          let json = try JSONSerialization.jsonObject(with: Data(payload))
          guard kind == .text, let object = json as? Object else { throw TestFailure("no object") }
          if object["overview"] != nil { overviews += 1 }
          inbox.append(object)
        case .ping(let payload):
          var pong: [UInt8] = []
          FrameEncoder.appendPong(payload, mask: 1, to: &pong)
          try socket.send(pong)
        case .pong: break
        case .close(let frame):
          closeCode = frame.code ?? 1005
          closeReason = frame.reason
          return
        }
      }
    }
  }
}

extension [String: Any] {
  /// A member that is an object; empty where it is none.
  func object(_ name: String) -> [String: Any] { self[name] as? [String: Any] ?? [:] }
  /// A member that is a list of objects; empty where it is none.
  func rows(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }
  func int(_ name: String) -> Int? { self[name] as? Int }
  func text(_ name: String) -> String? { self[name] as? String }
}
