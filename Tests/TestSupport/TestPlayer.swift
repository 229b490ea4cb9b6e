// A player's client for tests: messages over a plain socket, in either subprotocol.
//
// Used by one test at a time. Answers pings when it reads, so a test that lets time pass must read now and then.
import MadangProtocol
import WebSocket

package final class TestPlayer {
  package let socket: TestSocket
  package let subprotocol: Subprotocol
  /// The received messages that no test has asked for yet.
  package private(set) var inbox: [WireServerMessage] = []
  /// The code of the server's close frame; nil before it.
  package private(set) var closeCode: UInt16?
  package private(set) var hasEnded = false
  /// The number of bytes received behind the upgrade.
  package private(set) var bytesIn = 0
  /// The payloads of the received pongs.
  package private(set) var pongs: [[UInt8]] = []
  /// Off for a peer that has gone silent.
  package var answersPings = true
  private var decoder = MessageDecoder(role: .client, messageBytesMax: 1 << 24)
  private let inflater = Inflater()
  /// Whether compression was agreed on.
  package private(set) var compresses = false
  private var lastID: UInt32 = 0

  /// Connects and upgrades; with `compresses` compression is offered.
  package init(
    port: UInt16,
    path: String = "/v1/play",
    subprotocol: Subprotocol = .json,
    compresses: Bool = false,
    from source: UInt32? = nil
  ) throws {
    socket = try TestSocket(port: port, from: source)
    self.subprotocol = subprotocol
    try socket.send(Self.upgradeRequest(path: path, subprotocol, compresses: compresses))
    try finishUpgrade()
  }

  /// Connects and sends nothing yet; `finishUpgrade` reads the answer to the head that the test sends.
  package init(unconnectedTo port: UInt16, subprotocol: Subprotocol = .json) throws {
    socket = try TestSocket(port: port)
    self.subprotocol = subprotocol
  }

  package static func upgradeRequest(
    path: String = "/v1/play",
    _ subprotocol: Subprotocol = .json,
    compresses: Bool = false
  ) -> [UInt8] {
    UpgradeRequest(
      host: "127.0.0.1",
      path: path,
      subprotocols: [subprotocol.rawValue],
      nonce: Array(repeating: 7, count: 16),
      compresses: compresses
    ).bytes
  }

  package func finishUpgrade() throws {
    var (head, behind) = try socket.finishUpgrade()
    compresses = !head.values(of: "Sec-WebSocket-Extensions").isEmpty
    decoder = MessageDecoder(role: .client, messageBytesMax: 1 << 24, compression: compresses)
    try consume(&behind)
  }

  // Sending.

  private var kind: MessageKind { subprotocol.isText ? .text : .binary }

  package static func frame(_ kind: MessageKind, _ payload: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    payload.withUnsafeBytes { FrameEncoder.append(kind, $0, mask: 0x1234_5678, to: &frame) }
    return frame
  }

  /// The frame of one message, to be sent by the test itself.
  package func frame(_ body: WireClientMessage.OneOf_Body, id: UInt32?) -> [UInt8] {
    var message = WireClientMessage()
    if let id { message.id = id }
    message.body = body
    var payload: [UInt8] = []
    subprotocol.append(message, to: &payload)
    return Self.frame(kind, payload)
  }

  package func send(_ body: WireClientMessage.OneOf_Body, id: UInt32? = nil) throws {
    try socket.send(frame(body, id: id))
  }

  package func send(text: String) throws {
    try socket.send(Self.frame(.text, Array(text.utf8)))
  }

  /// Sends a request and waits for its answer; earlier messages stay in the inbox.
  package func request(_ body: WireClientMessage.OneOf_Body) throws -> WireServerMessage.OneOf_Body {
    lastID += 1
    try send(body, id: lastID)
    return try reply(to: lastID)
  }

  // Reading.

  package func reply(to id: UInt32) throws -> WireServerMessage.OneOf_Body {
    let message = try first { $0.hasReplyTo && $0.replyTo == id }
    guard let body = message.body else { throw TestFailure("an answer without a body") }
    return body
  }

  /// Takes the first message that fits out of the inbox, waiting for it if need be.
  package func first(where fits: (WireServerMessage) -> Bool) throws -> WireServerMessage {
    var seen = 0
    while true {
      if let index = inbox[seen...].firstIndex(where: fits) { return inbox.remove(at: index) }
      seen = inbox.count
      try read()
    }
  }

  /// The next tick.
  package func tick() throws -> WireTick {
    let message = try first {
      if case .tick = $0.body { true } else { false }
    }
    guard case .tick(let tick) = message.body else { throw TestFailure("no tick") }
    return tick
  }

  /// The next tick, if one has already come.
  package func takeTick() -> WireTick? {
    let index = inbox.firstIndex { if case .tick = $0.body { true } else { false } }
    return index.map { inbox.remove(at: $0).tick }
  }

  /// The first event that fits, of the ticks that come; other ticks are dropped.
  package func event(where fits: (WireEvent) -> Bool) throws -> WireEvent {
    while true {
      if let event = try tick().events.first(where: fits) { return event }
    }
  }

  /// Takes all ticks out of the inbox and returns their events.
  package func takeEvents() -> [WireEvent] {
    var events: [WireEvent] = []
    inbox.removeAll { message in
      guard case .tick(let tick) = message.body else { return false }
      events += tick.events
      return true
    }
    return events
  }

  /// Takes the messages out of the inbox that `read` makes something of, and returns that.
  package func takeAll<Item>(_ read: (WireServerMessage) -> Item?) -> [Item] {
    var items: [Item] = []
    inbox.removeAll { message in
      guard let item = read(message) else { return false }
      items.append(item)
      return true
    }
    return items
  }

  /// Waits for the server's close frame, or for the end without one.
  package func awaitEnd() throws -> UInt16? {
    while !hasEnded, closeCode == nil { try readOnce() }
    return closeCode
  }

  /// Whether an answer, or anything else, has come and is not read yet.
  package var hasInput: Bool { socket.hasInput }

  /// Reads the received bytes without waiting, so that pings are answered.
  package func pump() throws {
    while socket.hasInput, !hasEnded { try readOnce() }
  }

  private func read() throws {
    guard !hasEnded, closeCode == nil else {
      throw TestFailure("the connection ended with \(closeCode.map(String.init) ?? "no close frame")")
    }
    try readOnce()
  }

  private func readOnce() throws {
    var bytes = try socket.receive()
    bytesIn += bytes.count
    if bytes.isEmpty {
      hasEnded = true
      return
    }
    try consume(&bytes)
  }

  private func consume(_ bytes: inout [UInt8]) throws {
    try bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      while let item = try decoder.next(in: buffer, offset: &offset, inflater: inflater) {
        switch item {
        case .message(_, let payload):
          inbox.append(try subprotocol.decodeServerMessage(payload))
        case .ping(let payload):
          guard answersPings else { continue }
          var pong: [UInt8] = []
          FrameEncoder.appendPong(payload, mask: 1, to: &pong)
          try socket.send(pong)
        case .pong(let payload):
          pongs.append(Array(payload))
        case .close(let frame):
          closeCode = frame.code ?? 1005
          return
        }
      }
    }
  }
}
