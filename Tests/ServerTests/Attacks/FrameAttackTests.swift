// Frames that break a rule, over real sockets: each closes its own connection with the rule's code, and a player in
// another room of the same shard gets every tick.
import MadangProtocol
import TestSupport
import Testing
import WebSocket

@Suite struct FrameAttackTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Compression was negotiated before.
    var compresses = false
    let bytes: [UInt8]
    let code: UInt16

    init(_ name: String, _ bytes: [UInt8], _ code: UInt16, compresses: Bool = false) {
      testDescription = name
      self.bytes = bytes
      self.code = code
      self.compresses = compresses
    }
  }

  private static let badText: [UInt8] = [0x61, 0xC3, 0x28]

  static let attacks: [Attack] =
    [
      Attack("RSV1 without compression", RawFrame.client(0xC1, [0x7B]), 1002),
      Attack("RSV2", RawFrame.client(0xA1, [0x7B]), 1002),
      Attack("RSV3", RawFrame.client(0x91, [0x7B]), 1002),
      Attack("RSV2 with compression", RawFrame.client(0xE1, [0x7B]), 1002, compresses: true),
      Attack("RSV3 with compression", RawFrame.client(0x91, [0x7B]), 1002, compresses: true),
      Attack(
        "RSV1 on a continuation",
        RawFrame.client(0x41, [0x00]) + RawFrame.client(0xC0, [0x00]),
        1002,
        compresses: true
      ),
      Attack("RSV1 on a ping", RawFrame.client(0xC9), 1002, compresses: true),
      Attack("RSV1 on a close", RawFrame.client(0xC8, [3, 0xE8]), 1002, compresses: true),
      Attack("an unmasked frame", [0x81, 0x02, 0x7B, 0x7D], 1002),
      Attack("an unmasked ping", [0x89, 0x00], 1002),
      Attack("a ping of 126 bytes", RawFrame.client(0x89, Array(repeating: 0, count: 126)), 1002),
      Attack("a fragmented close", RawFrame.client(0x08, [3, 0xE8]), 1002),
      Attack("a message begun inside another", RawFrame.client(0x01, [0x7B]) + RawFrame.client(0x81, [0x7D]), 1002),
      Attack("a length in a longer form than needed", [0x81, 0xFE, 0, 5, 0, 0, 0, 0], 1002),
      Attack("a length of 64 bits with its highest bit set", [0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
      Attack("close code 1005", RawFrame.client(0x88, [3, 0xED]), 1002),
      Attack("close code 999", RawFrame.client(0x88, [3, 0xE7]), 1002),
      Attack("a close of one byte", RawFrame.client(0x88, [3]), 1002),
      Attack("a close reason that is no UTF-8", RawFrame.client(0x88, [3, 0xE8, 0xC3, 0x28]), 1007),
      Attack("text that is no UTF-8", RawFrame.client(0x81, badText), 1007),
      Attack(
        "no UTF-8 in a later fragment",
        RawFrame.client(0x01, Array(#"{"id":1}"#.utf8)) + RawFrame.client(0x00, badText),
        1007
      ),
      Attack(
        "a character that never ends, over two fragments",
        RawFrame.client(0x01, [0xEA]) + RawFrame.client(0x80, [0xB0]),
        1007
      ),
      Attack(
        "no UTF-8 in a compressed message",
        RawFrame.client(0xC1, RawFrame.deflated(Array(repeatElement(badText, count: 100).joined()))),
        1007,
        compresses: true
      ),
      Attack("data that is not compressed", RawFrame.client(0xC1, [0xFF, 0xFF, 0xFF]), 1007, compresses: true),
      Attack(
        "compressed data that breaks off",
        RawFrame.client(0xC1, RawFrame.deflated(Array(repeating: 0x20, count: 1_000)).dropLast(2)),
        1007,
        compresses: true
      ),
      Attack(
        "a megabyte in a kilobyte",
        RawFrame.client(0xC1, RawFrame.deflated(Array(repeating: 0, count: 1 << 20))),
        1009,
        compresses: true
      ),
      Attack("a message that is announced too long", RawFrame.header(0x81, announcing: 16_385), 1009),
      Attack("a gigabyte announced", RawFrame.header(0x82, announcing: 1 << 30), 1009),
      Attack(
        "fragments that together are too long",
        RawFrame.client(0x01, Array(repeating: 0x20, count: 16_000)) + RawFrame.header(0x80, announcing: 385),
        1009
      ),
      Attack("a flood of empty fragments", (0..<1_000).flatMap { RawFrame.client($0 == 0 ? 0x01 : 0x00) }, 1008),
    ] + [3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF].map { Attack("opcode \($0)", RawFrame.client(0x80 | $0), 1002) }

  @Test("A violation closes its own connection with the code of its rule", arguments: attacks)
  func attack(_ attack: Attack) throws {
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let offender = try upgraded(on: server, compresses: attack.compresses)
    try honest.tick()
    try offender.socket.send(attack.bytes)
    try honest.tick()
    #expect(try offender.awaitEnd() == attack.code)
    try honest.pass(seconds: 1)
  }

  @Test("A message in fragments of one byte is handled")
  func smallFragments() throws {
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let player = try server.player("player")
    let request = Array(#"{"id":7,"time":{}}"#.utf8)
    try player.socket.send(RawFrame.fragments(1, request, bytes: 1))
    try honest.tick()
    guard case .time = try player.reply(to: 7) else { throw TestFailure("not understood") }
  }

  @Test("A compression bomb does not affect the next compressed message, of any connection")
  func bombAndNext() throws {
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let bystander = try upgraded(on: server, compresses: true)
    let request = Array((#"{"id":7,"time":{}}"# + String(repeating: " ", count: 4_000)).utf8)
    for _ in 0..<3 {
      let bomber = try upgraded(on: server, compresses: true)
      try bomber.socket.send(RawFrame.client(0xC1, RawFrame.deflated(Array(repeating: 0, count: 1 << 20))))
      #expect(try bomber.awaitEnd() == 1009)
      try bystander.socket.send(RawFrame.client(0xC1, RawFrame.deflated(request)))
      guard case .time = try bystander.reply(to: 7) else { throw TestFailure("not understood") }
      try honest.tick()
    }
  }

  @Test("A message that trickles in without end is closed after half a minute, even if its sender answers every ping")
  func endlessMessage() throws {
    let server = try TestServer(shards: 1)
    let honest = try HonestPlayer(server)
    let player = try server.player("player")
    let message = RawFrame.client(0x81, Array(repeating: 0x20, count: 4_096))
    for second in 0..<30 {
      #expect(player.closeCode == nil, "after \(second) s")
      try player.socket.send([message[second]])
      try honest.pass(seconds: 1, player)
    }
    try honest.tick()
    #expect(try player.awaitEnd() == CloseStatus.policyViolation)
    try honest.pass(seconds: 1)
  }
}

/// Upgrades a player's connection, with or without compression.
private func upgraded(on server: TestServer, compresses: Bool) throws -> TestPlayer {
  let player = try TestPlayer(unconnectedTo: server.port)
  let request = UpgradeRequest(
    host: "127.0.0.1",
    path: "/v1/play",
    subprotocols: [Subprotocol.json.rawValue],
    nonce: Array(repeating: 7, count: 16),
    compresses: compresses
  )
  try player.socket.send(request.bytes)
  try player.finishUpgrade()
  try player.hello("offender")
  return player
}
