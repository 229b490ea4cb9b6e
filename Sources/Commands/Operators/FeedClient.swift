// The client of a running server's console feed, for commands: acts and queries, one after the other.
//
// Used by one thread; blocks. Everything that the feed says besides is dropped.
// Decisions: 107 (docs/decisions).
import ArgumentParser
import ConsoleProtocol
import Cryptography
import Glibc
import WebSocket

final class FeedClient {
  private let link: OperatorLink
  private let socket: OperatorSocket
  private var decoder = MessageDecoder(role: .client, messageBytesMax: 16 * 1_024 * 1_024)
  /// Received bytes that are not decoded yet.
  private var bytes: [UInt8] = []
  private var lastID: Int32 = 0

  /// The time in which the server answers, at the latest when it finds that its disk is full.
  private static let patienceSeconds = 120
  /// The least time between two requests: the feed takes 20 a second.
  private static let pauseMicroseconds: UInt32 = 60_000

  /// Opens a feed.
  ///
  /// - Throws: `ValidationError` where no server takes the link's token.
  init(_ link: OperatorLink) throws {
    self.link = link
    socket = try OperatorSocket(to: link, patienceSeconds: Self.patienceSeconds)
    let request = UpgradeRequest(
      host: link.authority,
      path: "/console/feed",
      subprotocols: [],
      nonce: RandomBytes.make(count: 16),
      bearerToken: link.token
    )
    try socket.send(request.bytes)
    var parser = ResponseHeadParser()
    while true {
      bytes += try received()
      let parsed: (head: ResponseHead, byteCount: Int)?
      do {
        parsed = try bytes.withUnsafeBytes { try parser.parse($0) }
        guard let parsed else { continue }
        _ = try request.check(parsed.head)
        bytes.removeFirst(parsed.byteCount)
        return
      } catch {
        throw ValidationError("\(link.host):\(link.port) opens no console: \(error).")
      }
    }
  }

  /// Does something; `members` are those of the action, as JSON.
  ///
  /// - Returns: the outcome in words.
  /// - Throws: `ValidationError` with the server's reason why nothing was done.
  func act(_ name: String, _ members: [UInt8] = Array("{}".utf8)) throws -> String {
    try reply(to: name, members).text
  }

  /// Does something; `members` are those of the action, as JSON.
  ///
  /// - Returns: the whole reply.
  /// - Throws: `ValidationError` with the server's reason why nothing was done.
  func reply(to act: String, _ members: [UInt8]) throws -> FeedReply {
    try ask(.with { $0.act = act }, members)
  }

  /// Asks something; `members` are those of the query, as JSON.
  func query(_ name: String, _ members: [UInt8] = Array("{}".utf8)) throws -> FeedReply {
    try ask(.with { $0.query = name }, members)
  }

  private func ask(_ request: FeedRequest, _ members: [UInt8]) throws -> FeedReply {
    if lastID > 0 { usleep(Self.pauseMicroseconds) }
    lastID += 1
    var request = request
    request.id = lastID
    var json = request.consoleJSON
    if members.count > 2 {
      json.removeLast()
      json += [UInt8(ascii: ",")] + members.dropFirst()
    }
    var frame: [UInt8] = []
    let mask = RandomBytes.make(count: 4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    FrameEncoder.append(.text, json, mask: mask, to: &frame)
    try socket.send(frame)
    let reply = try reply()
    guard reply.ok else {
      let code = reply.hasCode ? " (\(reply.code.printable(100)))" : ""
      throw ValidationError("the server has done nothing: \(reply.error.printable(2_000))\(code).")
    }
    return reply
  }

  /// The next reply with the last request's number.
  private func reply() throws -> FeedReply {
    while true {
      if let reply = try nextReply(), reply.reply == lastID { return reply }
    }
  }

  /// The next message if it is a reply; nil for another.
  private func nextReply() throws -> FeedReply? {
    while true {
      var offset = 0
      let message = try bytes.withUnsafeMutableBytes { (bytes) throws -> [UInt8]? in
        switch try? decoder.next(in: bytes, offset: &offset) {
        case .message(_, let payload): return Array(payload)
        case .close(let frame):
          throw ValidationError("\(link.host):\(link.port) has closed the console: \(frame.reason.printable).")
        // The server pings only clients that are silent for longer than a command is.
        case .ping, .pong, nil: return nil
        }
      }
      bytes.removeFirst(offset)
      if let message { return try? FeedReply(consoleJSON: message) }
      if bytes.isEmpty { bytes = try received() }
    }
  }

  private func received() throws -> [UInt8] {
    let piece = try socket.receive()
    guard !piece.isEmpty else { throw ValidationError("\(link.host):\(link.port) has ended the connection.") }
    return piece
  }
}
