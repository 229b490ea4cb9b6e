// The same script in one TCP segment and cut in two at every byte: the same outcome, over the move between shards too.
import MadangProtocol
import TestSupport
import Testing

@Suite struct SegmentsTests {
  /// The bytes of a player who knows a code, from the first to the last.
  private func script(_ player: TestPlayer, code: String) -> [UInt8] {
    var hello = WireHello()
    hello.nickname = "나래"
    hello.deviceSecret = "a secret that is new \(UInt64.random(in: 1_000_000_000_000_000_000 ... .max))"
    var bytes = TestPlayer.upgradeRequest(player.subprotocol)
    bytes += player.frame(.hello(hello), id: 1)
    bytes += player.frame(.joinRoom(TestPlayer.join(code)), id: 2)
    bytes += player.frame(.startGame(WireStartGame()), id: 3)
    bytes += player.frame(.chat(TestPlayer.chat("다 왔다")), id: 4)
    bytes += player.frame(.move(TestPlayer.move(375_665_000, 1_269_780_000)), id: 5)
    bytes += player.frame(.leaveRoom(WireLeaveRoom()), id: 6)
    // On the shard where it is by now: a room of its own, in the same segment.
    var create = WireCreateRoom()
    create.solo = true
    bytes += player.frame(.createRoom(create), id: 7)
    bytes += player.frame(.startGame(WireStartGame()), id: 8)
    bytes += player.frame(.chat(TestPlayer.chat("혼자")), id: 9)
    return bytes
  }

  /// The script's outcome, without the values that are drawn anew each time.
  private func outcome(_ player: TestPlayer, host: TestPlayer, _ server: TestServer) throws -> [String] {
    try player.finishUpgrade()
    var lines: [String] = []
    for id in UInt32(1)...9 {
      switch try player.reply(to: id) {
      case .welcome(let welcome): lines.append("welcome \(welcome.hasRoom)")
      case .room(let room):
        lines.append("room \(room.phase) \(room.lastEvent) \(room.you.seat) \(room.players.map(\.nickname))")
      case let other: lines.append("\(other)")
      }
    }
    try server.passTick()
    var last = false
    while !last {
      let tick = try host.tick()
      lines += tick.events.map { "\($0.number) \($0.body.map(\.name) ?? "none") \($0.chat.text)" }
      last = tick.events.contains { $0.phase.phase == .ended }
    }
    return lines
  }

  @Test("One segment, and each of its truncations", arguments: [Subprotocol.json, .proto])
  func everyCut(subprotocol: Subprotocol) throws {
    let server = try TestServer(shards: 2)
    var expected: [String]?
    var length = 1
    var cut = 0
    var moved = 0
    while cut < length {
      let host = try server.player("가람")
      let room = try host.createRoom()
      // Connections go to the shards in turn: every other cut is made by a player on the host's own shard.
      if cut % 2 == 1 { _ = try TestSocket(port: server.port) }
      let player = try TestPlayer(unconnectedTo: server.port, subprotocol: subprotocol)
      let bytes = script(player, code: room.code)
      length = bytes.count
      let before = server.report()
      if cut > 0 {
        try player.socket.send(bytes[..<cut])
        // The first part has been read and handled before the second is sent.
        _ = try server.report { $0.net.bytesIn == before.net.bytesIn + cut }
      }
      try player.socket.send(bytes[cut...])
      let outcome = try outcome(player, host: host, server)
      if let expected { #expect(outcome == expected, "cut at \(cut)") } else { expected = outcome }
      moved += server.report().net.connectionsAdopted - before.net.connectionsAdopted
      cut += 1
    }
    #expect(length > 300)
    #expect(moved > length / 3 && moved < length)
    #expect(expected?.first == "welcome false")
  }
}

extension WireEvent.OneOf_Body {
  /// The event's name on the wire.
  var name: String {
    switch self {
    case .joined: "joined"
    case .left: "left"
    case .held: "held"
    case .back: "back"
    case .host: "host"
    case .phase: "phase"
    case .timeUp: "timeUp"
    case .chat: "chat"
    case .captured: "captured"
    case .hostAct: "hostAct"
    }
  }
}
