// The bounds of messages' lengths over real sockets, each to the byte: before a session, behind it, and of the kinds
// that come often; in both encodings, whole, in fragments and compressed.
import MadangProtocol
import TestSupport
import Testing
import WebSocket

@Suite struct MessageLengthTests {
  /// The way on which a message comes.
  enum Form: CaseIterable, Sendable {
    case whole, fragments, compressed, compressedFragments

    var compresses: Bool { self == .compressed || self == .compressedFragments }

    func frames(_ message: [UInt8], _ subprotocol: Subprotocol) -> [UInt8] {
      let opcode: UInt8 = subprotocol.isText ? 1 : 2
      switch self {
      case .whole: return RawFrame.client(0x80 | opcode, message)
      case .fragments: return RawFrame.fragments(opcode, message, bytes: 1_500)
      case .compressed: return RawFrame.client(0xC0 | opcode, RawFrame.deflated(message))
      case .compressedFragments:
        let payload = RawFrame.deflated(message)
        let (first, rest) = (payload.prefix(payload.count / 2), payload.dropFirst(payload.count / 2))
        return RawFrame.client(0x40 | opcode, Array(first)) + RawFrame.client(0x80, Array(rest))
      }
    }
  }

  static let ways = [Subprotocol.json, .proto].flatMap { subprotocol in Form.allCases.map { (subprotocol, $0) } }

  /// A message of exactly this length: with spaces behind it in JSON, with an unknown field in the binary encoding.
  static func message(
    _ body: WireClientMessage.OneOf_Body,
    id: UInt32,
    _ subprotocol: Subprotocol,
    byteCount: Int
  ) -> [UInt8] {
    var message = WireClientMessage()
    message.id = id
    message.body = body
    var bytes: [UInt8] = []
    subprotocol.append(message, to: &bytes)
    let missing = byteCount - bytes.count
    if subprotocol.isText { return bytes + Array(repeating: 0x20, count: missing) }
    // Field 2,000 has its length in two bytes, for 128 to 16,383 bytes.
    let count = missing - 4
    precondition((128...16_383).contains(count), "two bytes for the length")
    return bytes + [0x82, 0x7D, UInt8(count & 0x7F | 0x80), UInt8(count >> 7)] + Array(repeating: 0x20, count: count)
  }

  private static func time(_ id: UInt32, _ subprotocol: Subprotocol, byteCount: Int) -> [UInt8] {
    message(.time(WireTimeRequest()), id: id, subprotocol, byteCount: byteCount)
  }

  private func connect(_ server: TestServer, _ subprotocol: Subprotocol, _ form: Form) throws -> TestPlayer {
    try TestPlayer(port: server.port, subprotocol: subprotocol, compresses: form.compresses)
  }

  @Test("Before a session a message has 4,096 bytes, and a longer one closes the connection", arguments: ways)
  func beforeWelcome(subprotocol: Subprotocol, form: Form) throws {
    let server = try TestServer(shards: 1)
    let player = try connect(server, subprotocol, form)
    try player.socket.send(form.frames(Self.time(7, subprotocol, byteCount: 4_096), subprotocol))
    guard case .time = try player.reply(to: 7) else { throw TestFailure("not understood") }
    try player.socket.send(form.frames(Self.time(8, subprotocol, byteCount: 4_097), subprotocol))
    #expect(try player.awaitEnd() == 1009)
    #expect(player.inbox.isEmpty)
  }

  @Test("Behind its welcome a message has 16,384 bytes, and a longer one closes the connection", arguments: ways)
  func behindWelcome(subprotocol: Subprotocol, form: Form) throws {
    let server = try TestServer(shards: 1)
    let player = try connect(server, subprotocol, form)
    _ = try player.hello("가람")
    for (id, byteCount) in [(70, 4_097), (71, 16_384)] as [(UInt32, Int)] {
      try player.socket.send(form.frames(Self.time(id, subprotocol, byteCount: byteCount), subprotocol))
      guard case .time = try player.reply(to: id) else { throw TestFailure("not understood") }
    }
    try player.socket.send(form.frames(Self.time(72, subprotocol, byteCount: 16_385), subprotocol))
    #expect(try player.awaitEnd() == 1009)
    #expect(player.inbox.isEmpty)
  }

  /// Requests that come often, with the number of bytes that each may have.
  static let frequent: [WireClientMessage.OneOf_Body] = [
    .move(TestPlayer.move(0, 0)), .moves(WireMoves()), .tap(WireTap()), .chat(TestPlayer.chat("a")),
  ]

  @Test("A move, moves, a tap and a chat have 4,096 bytes behind it too; longer ones are refused", arguments: ways)
  func frequent(subprotocol: Subprotocol, form: Form) throws {
    let server = try TestServer(shards: 1)
    let player = try connect(server, subprotocol, form)
    _ = try player.hello("가람")
    _ = try player.createRoom()
    var id: UInt32 = 100
    for body in Self.frequent {
      for (byteCount, isTooLong) in [(4_096, false), (4_097, true), (16_384, true)] {
        id += 1
        let message = Self.message(body, id: id, subprotocol, byteCount: byteCount)
        try player.socket.send(form.frames(message, subprotocol))
        let answer = try player.reply(to: id)
        if case .error(let error) = answer {
          #expect((error.code == .messageTooLong) == isTooLong, "\(body) of \(byteCount) bytes: \(error.code)")
        } else {
          #expect(!isTooLong, "\(body) of \(byteCount) bytes: \(answer)")
        }
      }
    }
  }

  @Test("A connection that goes to another shard takes its bound along")
  func handoff() throws {
    let server = try TestServer(shards: 2)
    let host = try server.player("가람")
    let room = try host.createRoom()
    // One of both was on another shard than the room.
    for name in ["나래", "다온"] {
      let player = try server.player(name)
      _ = try player.joinRoom(room.code)
      try player.socket.send(Form.whole.frames(Self.time(7, .json, byteCount: 16_384), .json))
      guard case .time = try player.reply(to: 7) else { throw TestFailure("not understood") }
      try player.socket.send(Form.whole.frames(Self.time(8, .json, byteCount: 16_385), .json))
      #expect(try player.awaitEnd() == 1009)
    }
  }

  @Test("A message of 16 KiB that says nothing is an error, in both encodings")
  func garbage() throws {
    let server = try TestServer(shards: 1)
    for (subprotocol, byte) in [(Subprotocol.json, UInt8(ascii: "[")), (.proto, 0xFF)] {
      let player = try server.player("가람", subprotocol)
      let garbage = [UInt8](repeating: byte, count: 16_384)
      try player.socket.send(Form.whole.frames(garbage, subprotocol))
      #expect(try player.first { _ in true }.error.code == .malformed)
      _ = try player.createRoom()
    }
  }

  @Test("A capsule's text has its 1,000 characters and 4,000 bytes", arguments: [Subprotocol.json, .proto])
  func capsule(subprotocol: Subprotocol) throws {
    let server = try TestServer(shards: 1)
    let player = try server.player("가람", subprotocol)
    for text in [String(repeating: "가", count: 1_000), String(repeating: "😀", count: 1_000)] {
      _ = try player.bury(atM: 0) { $0.text = text }
    }
    #expect(try player.buryRefusal { $0.text = String(repeating: "가", count: 1_001) } == .textTooLong)
    #expect(try player.buryRefusal { $0.text = String(repeating: "👨‍👩‍👧‍👦", count: 400) } == .textTooLong)
  }
}
