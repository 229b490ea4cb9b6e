// Bad input over real sockets: each kind ends as its own error or close code, without effect on others.
import MadangProtocol
import TestSupport
import Testing
import WebSocket

@Suite struct BadInputTests {
  /// A peer's bytes, and the server's close code.
  static let fatal: [(name: String, bytes: [UInt8], code: UInt16)] = [
    ("an unmasked frame", [0x81, 0x02, 0x7B, 0x7D], 1002),
    ("a reserved bit", [0xC1, 0x80, 0, 0, 0, 0], 1002),
    ("a reserved opcode", [0x83, 0x80, 0, 0, 0, 0], 1002),
    ("a fragmented ping", [0x09, 0x80, 0, 0, 0, 0], 1002),
    ("a continuation of nothing", [0x80, 0x80, 0, 0, 0, 0], 1002),
    ("text that is no UTF-8", TestPlayer.frame(.text, [0xC3, 0x28]), 1007),
    ("binary in the JSON subprotocol", TestPlayer.frame(.binary, [1, 2, 3]), 1003),
    ("a message too long", TestPlayer.frame(.text, Array(repeating: 0x20, count: 16_385)), 1009),
    ("a length that is announced and too long", [0x81, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 1009),
  ]

  @Test("Malformed frames close their own connection with the right code", arguments: fatal.indices)
  func fatalFrames(index: Int) throws {
    let (name, bytes, code) = Self.fatal[index]
    let server = try TestServer()
    let bystander = try server.player("bystander")
    let offender = try server.player("offender")
    let room = try bystander.createRoom()
    _ = try offender.joinRoom(room.code)
    try offender.socket.send(bytes)
    #expect(try offender.awaitEnd() == code, "\(name)")
    try bystander.expectOk(.chat(TestPlayer.chat("still here")))
  }

  /// A player's text, and the error that answers it.
  static let refused: [(text: String, code: WireErrorCode)] = [
    ("", .malformed), ("{", .malformed), ("[]", .malformed), ("null", .malformed),
    (#"{"id":"x"}"#, .malformed), (#"{"id":-1}"#, .malformed), (#"{"id":1,"chat":5}"#, .malformed),
    (#"{"id":1,"createRoom":{"mode":"CHESS"}}"#, .malformed),
    (#"{"id":1,"createR\u006fom":{"mode":"CHESS"}}"#, .malformed),
    (#"{"id":1,"chat":{"text":"a"},"time":{}}"#, .malformed),
    ("{}", .unknownBody), (#"{"id":1,"dance":{}}"#, .unknownBody),
    (#"{"id":1,"giveUpRun":{}}"#, .notInRoom), (#"{"id":1,"findLands":{"withinM":5}}"#, .outOfRange),
    (#"{"id":1,"landRanking":{}}"#, .landNotFound), (#"{"id":1,"roomGames":{}}"#, .notInRoom),
    (#"{"id":1,"proposeLand":{}}"#, .outOfRange), (#"{"id":1,"proposeLand":{"name":"a"}}"#, .gameNotFound),
    (#"{"id":1,"landProposals":{"limit":0}}"#, .outOfRange), (#"{"id":1,"gameTrack":{}}"#, .gameNotFound),
    (#"{"id":1,"shareGame":{"gameId":"?"}}"#, .gameNotFound), (#"{"id":1,"unshareGame":{}}"#, .gameNotFound),
    (#"{"id":1,"showWay":{"show":true}}"#, .gameNotFound),
    (String(repeating: #"{"hello":"#, count: 300), .malformed),
  ]

  @Test("Undecodable messages are answered with errors, and the connection continues", arguments: refused.indices)
  func refusedMessages(index: Int) throws {
    let (text, code) = Self.refused[index]
    let server = try TestServer()
    let player = try server.player("player")
    try player.send(text: text)
    let message = try player.first { _ in true }
    #expect(message.error.code == code, "\(text)")
    #expect(!message.error.message.isEmpty)
    _ = try player.createRoom()
  }

  @Test("Unknown fields are ignored, refused by a strict server, and told once where the operator wants them")
  func unknownFields() throws {
    let text = #"{"id":1,"createRoom":{"mode":"FOOTPRINT","colour":"red"}}"#
    let lenientServer = try TestServer()
    let lenient = try lenientServer.player("player")
    try lenient.send(text: text)
    guard case .room = try lenient.reply(to: 1) else { throw TestFailure("no room") }

    let strictServer = try TestServer { $0.gateway.unknownFields = .refused }
    let strict = try strictServer.player("player")
    try strict.send(text: text)
    let error = try strict.first { _ in true }.error
    #expect(error.code == .malformed && error.message == "createRoom.colour: this server knows no such field")
    try strict.send(text: #"{"id":2,"dance":{}}"#)
    #expect(try strict.reply(to: 2) == .error(WireError(.unknownBody, "dance: this server knows no such field")))

    let told = ToldOperator()
    let server = try TestServer(shards: 1) {
      $0.gateway.unknownFields = .reported
      $0.notifyOperator = { told.add($0) }
    }
    let player = try server.player("player")
    for _ in 0..<3 { try player.send(text: text) }
    _ = try player.request(.time(WireTimeRequest()))
    let fields = told.all.filter { $0 == .gateway(.unknownField("createRoom.colour: this server knows no such field")) }
    #expect(fields.count == 1)
  }

  @Test("Garbage in the binary subprotocol is an error, too")
  func binaryGarbage() throws {
    let server = try TestServer()
    let player = try server.player("player", .proto)
    try player.socket.send(TestPlayer.frame(.binary, [0xFF, 0xFF, 0xFF]))
    #expect(try player.first { _ in true }.error.code == .malformed)
    try player.socket.send(TestPlayer.frame(.binary, []))
    #expect(try player.first { _ in true }.error.code == .unknownBody)
    _ = try player.createRoom()
  }

  @Test("A player who has used up the burst is delayed, and nothing is refused")
  func slowed() throws {
    let server = try TestServer()
    let player = try server.player("player")
    // Hello was the first message of the burst.
    for _ in 1..<60 { _ = try player.request(.time(WireTimeRequest())) }
    let before = server.report().net.messagesIn
    try player.send(.time(WireTimeRequest()), id: 100)
    for _ in 0..<3 {
      server.clock.advance(milliseconds: 60)
      #expect(server.report().net.messagesIn == before)
    }
    server.clock.advance(milliseconds: 80)
    guard case .time = try player.reply(to: 100) else { throw TestFailure("refused") }
  }

  /// This number of requests in one piece, numbered from 0.
  private func questions(_ count: UInt32, _ player: TestPlayer) -> [UInt8] {
    var piece: [UInt8] = []
    for id in 0..<count { piece += player.frame(.time(WireTimeRequest()), id: id) }
    return piece
  }

  @Test("A player over the rate gets an error; after five seconds the connection is closed")
  func tooOften() throws {
    let server = try TestServer()
    let bystander = try server.player("bystander")
    let player = try server.player("player")
    try player.socket.send(questions(100, player))
    for id: UInt32 in 0..<59 {
      guard case .time = try player.reply(to: id) else { throw TestFailure("\(id) was refused") }
    }
    guard case .error(let error) = try player.reply(to: 59) else { throw TestFailure("not refused") }
    #expect(error.code == .rateLimited)
    #expect(error.retryAfterMs == 250)
    for id: UInt32 in 60..<100 { _ = try player.reply(to: id) }
    // Half a second brings ten tokens and two looks; eleven messages at a time are too many.
    let tooMuch = questions(11, player)
    var elapsedMs = 0
    while player.closeCode == nil {
      let read = server.report().net.messagesIn + 11
      try player.socket.send(tooMuch)
      server.clock.advance(milliseconds: 500)
      elapsedMs += 500
      // A second without a message over the rate would end the count.
      while player.closeCode == nil, server.report().net.messagesIn < read { try player.pump() }
      if elapsedMs > 10_000 { throw TestFailure("never closed") }
    }
    #expect(player.closeCode == CloseCode.rateLimited.rawValue)
    // The server may read a message only after the clock has moved on.
    #expect(elapsedMs >= 5_000)
    _ = try bystander.request(.time(WireTimeRequest()))
  }

  @Test("A flood of messages is closed at once, and a player in another room misses no tick")
  func flood() throws {
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let flooder = try server.player("flooder")
    let message = TestPlayer.frame(.text, Array("{}".utf8))
    try flooder.socket.send(Array(repeatElement(message, count: 1_000).joined()))
    while flooder.closeCode == nil {
      // The kernel may have brought it in two pieces, with a pause between.
      for _ in 0..<3 { try honest.tick() }
      try flooder.pump()
    }
    #expect(flooder.closeCode == CloseCode.rateLimited.rawValue)
    let refusals = flooder.inbox.count { $0.error.code == .rateLimited }
    #expect(refusals == Limits.overRateAnswersMax)
    try honest.pass(seconds: 1)
  }

  @Test("Two hundred pings a second are answered; the next one closes the connection")
  func pings() throws {
    let server = try TestServer(shards: 1)
    let player = try server.player("player")
    let before = server.report().net
    var ping: [UInt8] = []
    FrameEncoder.appendPing(UnsafeRawBufferPointer(start: nil, count: 0), mask: 1, to: &ping)
    try player.socket.send(Array(repeatElement(ping, count: 200).joined()))
    let after = try server.report { $0.net.bytesIn == before.bytesIn + 200 * ping.count }.net
    #expect(after.bytesOut - before.bytesOut == 200 * 2)
    _ = try player.request(.time(WireTimeRequest()))
    try player.socket.send(ping)
    #expect(try player.awaitEnd() == CloseStatus.policyViolation)
  }

  /// Invalid requests.
  static let heads: [(head: String, status: Int)] = [
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET /\nHost: a\n\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 8_192) + "\r\n\r\n", 431),
    ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 65) + "\r\n", 431),
    (
      "GET /v1/play HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 8\r\n\r\n", 426
    ),
    (
      "GET /v1/play HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n\r\n", 400
    ),
    (
      "GET /v1/play HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Protocol: madang.v9\r\n\r\n", 400
    ),
    (
      "GET /elsewhere HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n", 404
    ),
  ]

  @Test("Bad request heads are answered with their status, and the connection ends", arguments: heads.indices)
  func badHeads(index: Int) throws {
    let (head, status) = Self.heads[index]
    let server = try TestServer()
    #expect(try TestHTTP.send(head, port: server.port).status == status, "\(head.prefix(80))")
    #expect(try TestHTTP.get("/healthz", port: server.port).status == 200)
  }

  @Test("A head that trickles in gets a timeout answer after ten seconds")
  func drip() throws {
    let server = try TestServer()
    let socket = try TestSocket(port: server.port)
    _ = try server.report { $0.net.connectionsAccepted == 1 }
    for byte in "GET /healthz".utf8 {
      try socket.send([byte])
      server.clock.advance(seconds: 1)
      _ = server.report()
      if socket.hasInput { break }
    }
    let answer = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
  }

  @Test("A silent connection is closed after ten seconds without an answer")
  func silence() throws {
    let server = try TestServer()
    let socket = try TestSocket(port: server.port)
    _ = try server.report { $0.net.connectionsAccepted == 1 }
    server.clock.advance(seconds: 9)
    _ = server.report()
    #expect(!socket.hasInput)
    server.clock.advance(seconds: 2)
    #expect(try socket.receiveToEnd().isEmpty)
  }
}
