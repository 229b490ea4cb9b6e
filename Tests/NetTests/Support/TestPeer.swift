// A WebSocket client for tests: sees every frame, and answers none by itself.
//
// Used by one test at a time.
import TestSupport
import WebSocket

final class TestPeer {
  enum Item: Equatable {
    case text(String)
    case binary([UInt8])
    case ping
    case pong([UInt8])
    case close(UInt16?, String)
    /// Bytes behind a close frame, which are always wrong.
    case afterClose(byteCount: Int)
    /// The server has ended or reset the connection.
    case end
  }

  private let stream: any ByteStream
  /// The TCP connection, with or without TLS on it.
  var socket: TestSocket { stream.socket }
  private var decoder = MessageDecoder(role: .client, messageBytesMax: 1 << 24)
  private var inbox: [Item] = []
  private var isClosed = false

  /// Connects and upgrades.
  convenience init(port: UInt16) throws {
    try self.init(TestSocket(port: port))
  }

  /// Upgrades a connected stream.
  convenience init(_ stream: any ByteStream) throws {
    try stream.send(Self.upgradeRequest())
    try self.init(awaitingUpgradeOn: stream)
  }

  /// Reads the answer to the upgrade request that the test has sent.
  init(awaitingUpgradeOn stream: any ByteStream) throws {
    self.stream = stream
    var behind = try stream.finishUpgrade().behind
    try consume(&behind)
  }

  static func upgradeRequest(path: String = "/") -> [UInt8] {
    UpgradeRequest(
      host: "127.0.0.1",
      path: path,
      subprotocols: [CommandService.subprotocol],
      nonce: Array(repeating: 7, count: 16)
    ).bytes
  }

  static func frame(_ text: String) -> [UInt8] {
    var frame: [UInt8] = []
    FrameEncoder.append(.text, Array(text.utf8), mask: 0x1234_5678, to: &frame)
    return frame
  }

  static func closeFrame(_ code: UInt16?) -> [UInt8] {
    var frame: [UInt8] = []
    FrameEncoder.appendClose(code: code, mask: 0x1234_5678, to: &frame)
    return frame
  }

  static func pingFrame(_ payload: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    payload.withUnsafeBytes { FrameEncoder.appendPing($0, mask: 0x1234_5678, to: &frame) }
    return frame
  }

  func send(_ text: String) throws {
    try stream.send(Self.frame(text))
  }

  func send(binary payload: [UInt8]) throws {
    var frame: [UInt8] = []
    FrameEncoder.append(.binary, payload, mask: 0x1234_5678, to: &frame)
    try stream.send(frame)
  }

  /// Sends bytes unchanged.
  func send(raw bytes: [UInt8]) throws {
    try stream.send(bytes)
  }

  /// The next item, once it has come.
  func next() throws -> Item {
    while inbox.isEmpty {
      var bytes = try stream.receive()
      if bytes.isEmpty { inbox.append(.end) } else { try consume(&bytes) }
    }
    return inbox.removeFirst()
  }

  func next(_ count: Int) throws -> [Item] {
    try (0..<count).map { _ in try next() }
  }

  /// All items until the server ends the connection, without that end.
  func rest() throws -> [Item] {
    var items: [Item] = []
    while true {
      let item = try next()
      if item == .end { return items }
      items.append(item)
    }
  }

  /// The numbers of the flood messages, in order, and the first item that is none.
  func flood() throws -> (numbers: [UInt32], behind: Item) {
    var numbers: [UInt32] = []
    while true {
      let item = try next()
      guard case .binary(let bytes) = item, bytes.count == CommandService.floodBytes else { return (numbers, item) }
      numbers.append(bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) })
    }
  }

  private func consume(_ bytes: inout [UInt8]) throws {
    try bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      while !isClosed, let item = try decoder.next(in: buffer, offset: &offset) {
        switch item {
        case .message(.text, let payload): inbox.append(.text(String(decoding: payload, as: UTF8.self)))
        case .message(.binary, let payload): inbox.append(.binary(Array(payload)))
        case .ping: inbox.append(.ping)
        case .pong(let payload): inbox.append(.pong(Array(payload)))
        case .close(let frame):
          inbox.append(.close(frame.code, frame.reason))
          isClosed = true
        }
      }
      if offset < buffer.count { inbox.append(.afterClose(byteCount: buffer.count - offset)) }
    }
  }
}
