// Each metric moves when its event happens, and by as much.
import Game
import MadangProtocol
import Net
import Server
import Store
import TestSupport
import Testing
import WebSocket

@Suite struct MetricsTests {
  @Test("Every metric of the catalogue is exported with help and type, whatever has happened, and no other one is")
  func complete() throws {
    let metrics = try TestOperators().metrics()
    #expect(metrics.names == Set(MetricCatalogue.all.map(\.name)))
    for name in metrics.names { #expect(metrics.text.contains("# HELP \(name) ")) }
  }

  @Test("Counters end in _total, times are in seconds, and no label names a player or a room")
  func names() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("가람")
    let room = try player.createRoom()
    let metrics = try operators.metrics()
    for line in metrics.text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
      let words = line.split(separator: " ")
      #expect((words[3] == "counter") == words[2].hasSuffix("_total"), "\(line)")
      #expect(!["_ms", "_milliseconds", "_microseconds", "_kb"].contains { words[2].contains($0) }, "\(line)")
    }
    #expect(!metrics.text.contains(room.code))
    #expect(!metrics.text.contains("가람"))
    let series = metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(series.count < 1_000)
  }

  @Test("Connections and players: opened, closed by code, resumed by outcome")
  func connections() throws {
    let operators = try TestOperators()
    let before = try operators.metrics()
    let player = try TestPlayer(port: operators.game.port)
    let token = try player.hello("가람").sessionToken
    _ = try player.createRoom()
    let open = try operators.metrics()
    #expect(open["madang_connections"] == 1)
    #expect(open["madang_players_connected"] == 1)
    #expect(try open.rise(of: "madang_websockets_opened_total", since: before) == 1)
    let back = try TestPlayer(port: operators.game.port)
    _ = try back.resume(token)
    #expect(try player.awaitEnd() == CloseCode.replaced.rawValue)
    player.socket.endSending()
    let stranger = try TestPlayer(port: operators.game.port)
    #expect(throws: (any Error).self) { try stranger.resume("no session's") }
    stranger.socket.reset()
    _ = try operators.game.report { $0.connections == 1 }
    let after = try operators.metrics()
    #expect(try after.rise(of: "madang_websockets_closed_total{code=\"4504\"}", since: open) == 1)
    #expect(try after.rise(of: "madang_websockets_closed_total{code=\"NONE\"}", since: open) == 1)
    #expect(try after.rise(of: "madang_resumes_total{outcome=\"IN_ROOM\"}", since: open) == 1)
    #expect(try after.rise(of: "madang_resumes_total{outcome=\"BAD_TOKEN\"}", since: open) == 1)
    #expect(try after.rise(of: "madang_connections_closed_total", since: open) == 2)
    withExtendedLifetime(back) {}
  }

  @Test("Fences, capsules, their openings and bytes, and presences at rest are counted as they are now")
  func places() throws {
    let store = try TestFences.store([TestFences.circle(1, northM: 0, radiusM: 50)])
    let operators = try TestOperators(store: store.store)
    let player = try operators.game.player("가람")
    try player.watchPlaces()
    _ = try player.walk(toM: 0)
    let capsule = try player.bury(atM: 0) { $0.everyone = true }
    let reader = try operators.game.player("나래")
    try reader.watchPlaces()
    _ = try reader.walk(toM: 0)
    _ = try reader.open(capsule)
    try reader.expectOk(.unwatchPlaces(WireUnwatchPlaces()))
    // A scrape has the totals as they were some seconds ago, and begins the next read.
    var metrics = try operators.metrics()
    for _ in 0..<100 where metrics["madang_capsule_openings"] != 1 {
      operators.game.clock.advance(seconds: 3)
      metrics = try operators.metrics()
    }
    #expect(metrics["madang_capsules"] == 1 && metrics["madang_capsule_openings"] == 1)
    #expect(metrics["madang_capsule_bytes"] == Double("첫눈".utf8.count + "여기 있었다.".utf8.count))
    #expect(metrics["madang_fences"] == 1 && metrics["madang_presences_resting"] == 1)
    #expect(metrics["madang_place_watchers"] == 1)
    #expect(operators.game.perform(.removeFences([FenceID(1)])).isDone)
    #expect(try operators.metrics()["madang_fences"] == 0)
    withExtendedLifetime((player, reader)) {}
  }

  @Test("A close code invented by a peer makes no series of its own")
  func closeCodes() throws {
    let operators = try TestOperators()
    let before = try operators.metrics()
    for code in [3_999, 4_321, 1_000] as [UInt16] {
      let player = try operators.game.player("player")
      var frame: [UInt8] = []
      FrameEncoder.appendClose(code: code, reason: "", mask: 1, to: &frame)
      try player.socket.send(frame)
      _ = try player.awaitEnd()
    }
    _ = try operators.game.report { $0.connections == 0 }
    let after = try operators.metrics()
    #expect(try after.rise(of: "madang_websockets_closed_total{code=\"OTHER\"}", since: before) == 2)
    #expect(try after.rise(of: "madang_websockets_closed_total{code=\"1000\"}", since: before) == 1)
    #expect(!after.text.contains("code=\"3999\"") && !after.text.contains("code=\"4321\""))
  }

  @Test("Messages and bytes by type and direction, in both encodings; errors by code", arguments: Subprotocol.allCases)
  func messages(subprotocol: Subprotocol) throws {
    let operators = try TestOperators(shards: 1)
    let player = try operators.game.player("가람", subprotocol)
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    let before = try operators.metrics()
    let move = WireClientMessage.OneOf_Body.move(TestPlayer.move(375_665_000, 1_269_780_000))
    let lengths = try (1...3).map { id in
      let frame = player.frame(move, id: UInt32(100 + id))
      try player.socket.send(frame)
      return frame.count
    }
    for id in 1...3 { _ = try player.reply(to: UInt32(100 + id)) }
    _ = try player.refusal(of: .joinRoom(TestPlayer.join("x")))
    try operators.game.passTick()
    _ = try player.tick()
    let after = try operators.metrics()
    func rise(_ series: String) throws -> Double { try after.rise(of: series, since: before) }
    #expect(try rise("madang_messages_received_total{type=\"move\"}") == 3)
    // A client's short frame has 2 bytes of header and 4 of mask.
    let bytes = Double(lengths.reduce(0) { $0 + $1 - 6 })
    #expect(try rise("madang_messages_received_bytes_total{type=\"move\"}") == bytes)
    #expect(try rise("madang_messages_received_total{type=\"joinRoom\"}") == 1)
    #expect(try rise("madang_messages_sent_total{type=\"ok\"}") == 3)
    #expect(try rise("madang_messages_sent_total{type=\"error\"}") == 1)
    #expect(try rise("madang_messages_sent_total{type=\"tick\"}") >= 1)
    #expect(try rise("madang_messages_sent_bytes_total{type=\"tick\"}") > 0)
    #expect(try rise("madang_errors_total{code=\"ALREADY_IN_ROOM\"}") == 1)
    #expect(try rise("madang_network_received_bytes_total") >= Double(lengths.reduce(0, +)))
    #expect(try rise("madang_network_sent_bytes_total") > 0)
  }

  @Test("Undecodable messages and messages over the rate have types of their own")
  func badMessages() throws {
    let operators = try TestOperators(shards: 1)
    let player = try operators.game.player("가람")
    let before = try operators.metrics()
    try player.send(text: "no message")
    try player.send(text: "{\"id\":7}")
    _ = try player.reply(to: 7)
    var flood: [UInt8] = []
    for _ in 0..<100 { flood += player.frame(.time(WireTimeRequest()), id: 1) }
    try player.socket.send(flood)
    while try operators.metrics().rise(of: "madang_messages_received_total{type=\"OVER_RATE\"}", since: before) < 30 {
      operators.game.clock.advance(milliseconds: 10)
    }
    let after = try operators.metrics()
    #expect(try after.rise(of: "madang_messages_received_total{type=\"MALFORMED\"}", since: before) == 1)
    #expect(try after.rise(of: "madang_messages_received_total{type=\"UNKNOWN_BODY\"}", since: before) == 1)
    #expect(try after.rise(of: "madang_messages_over_rate_total{outcome=\"REFUSED\"}", since: before) >= 30)
    #expect(try after.rise(of: "madang_errors_total{code=\"RATE_LIMITED\"}", since: before) >= 30)
  }

  @Test("Rooms and players by mode and phase; joins, and those refused by reason")
  func rooms() throws {
    let operators = try TestOperators()
    let host = try operators.game.player("host")
    let room = try host.createRoom { $0.capacity = 2 }
    let guest = try operators.game.player("guest")
    _ = try guest.joinRoom(room.code)
    let late = try operators.game.player("late")
    #expect(try late.refusal(of: .joinRoom(TestPlayer.join(room.code))).code == .roomFull)
    #expect(try late.refusal(of: .joinRoom(TestPlayer.join("nonsense"))).code == .badCode)
    #expect(try late.refusal(of: .joinRoom(TestPlayer.join("\(RoomCode(drawing: 7))"))).code == .roomNotFound)
    #expect(try host.refusal(of: .joinRoom(TestPlayer.join(room.code))).code == .alreadyInRoom)
    let lobby = try operators.metrics()
    #expect(lobby["madang_rooms{mode=\"FOOTPRINT\",phase=\"LOBBY\"}"] == 1)
    #expect(lobby["madang_players{mode=\"FOOTPRINT\",phase=\"LOBBY\"}"] == 2)
    #expect(lobby["madang_joins_total"] == 2)
    for reason in ["ROOM_FULL", "BAD_CODE", "ROOM_NOT_FOUND", "ALREADY_IN_ROOM"] {
      #expect(lobby["madang_joins_refused_total{reason=\"\(reason)\"}"] == 1, "\(reason)")
    }
    #expect(lobby["madang_joins_refused_total{reason=\"GAME_ON\"}"] == 0)
    try host.expectOk(.startGame(WireStartGame()))
    let playing = try operators.metrics()
    #expect(playing["madang_rooms{mode=\"FOOTPRINT\",phase=\"LOBBY\"}"] == 0)
    #expect(playing["madang_rooms{mode=\"FOOTPRINT\",phase=\"PLAYING\"}"] == 1)
    #expect(playing["madang_players{mode=\"FOOTPRINT\",phase=\"PLAYING\"}"] == 2)
    withExtendedLifetime(late) {}
  }

  @Test("Ticks: their delay and duration, each one")
  func ticks() throws {
    let operators = try TestOperators(shards: 1)
    let player = try operators.game.player("가람")
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    try operators.game.passTick()
    _ = try player.tick()
    let before = try operators.metrics()
    try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    // The machine stood still for two seconds.
    operators.game.clock.advance(seconds: 2)
    _ = try player.tick()
    let after = try operators.metrics()
    let name = "madang_tick_lateness_seconds"
    #expect(try after.rise(of: "\(name)_count", since: before) == 1)
    #expect(try after.rise(of: "\(name)_bucket{le=\"1\"}", since: before) == 0)
    #expect(try after.rise(of: "\(name)_bucket{le=\"+Inf\"}", since: before) == 1)
    #expect(try after.rise(of: "\(name)_sum", since: before) > 1.5)
    #expect(try after.rise(of: "madang_tick_duration_seconds_count", since: before) == 1)
    #expect(after["madang_suspects"] == 0)
  }

  @Test("Fixes that were not accepted, by verdict")
  func verdicts() throws {
    let operators = try TestOperators(shards: 1)
    let player = try operators.game.player("가람")
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    for _ in 0..<5 {
      try operators.game.passSecond()
      try player.expectOk(.move(TestPlayer.move(385_665_000, 1_269_780_000)))
      var mocked = TestPlayer.move(375_665_000, 1_269_780_000)
      mocked.mocked = true
      try operators.game.passSecond()
      try player.expectOk(.move(mocked))
    }
    let metrics = try operators.metrics()
    #expect(metrics["madang_fix_verdicts_total{verdict=\"MOCKED\"}"] == 5)
    #expect(metrics["madang_fix_verdicts_total{verdict=\"SET_ASIDE\"}"] == 5)
    #expect(metrics["madang_fix_verdicts_total{verdict=\"OFF_THE_MAP\"}"] == 0)
    #expect(metrics["madang_suspects"] == 1)
  }

  @Test("Counted taps, and batches by outcome")
  func taps() throws {
    let operators = try TestOperators(store: TestSchools.store())
    let player = try operators.game.player("가람")
    #expect(try player.refusal(of: .tap(TestPlayer.taps(1, 1))).code == .schoolNeeded)
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try player.tap(1, 30)
    _ = try player.tap(1, 30)
    #expect(try player.refusal(of: .tap(TestPlayer.taps(9, 1))).code == .batchGap)
    let metrics = try operators.metrics()
    #expect(metrics["madang_taps_total"] == 30)
    #expect(metrics["madang_errors_total{code=\"BATCH_GAP\"}"] == 1)
    for outcome in ["COUNTED", "AGAIN", "BATCH_GAP", "SCHOOL_NEEDED"] {
      #expect(metrics["madang_tap_batches_total{outcome=\"\(outcome)\"}"] == 1, "\(outcome)")
    }
  }

  @Test("An abnormal batch counts once in every metric, however often it is sent")
  func abnormalTaps() throws {
    let operators = try TestOperators(store: TestSchools.store())
    let player = try operators.game.player("가람")
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    for batch in UInt32(1)...3 {
      for _ in 1...2 { #expect(try player.refusal(of: .tap(TestPlayer.taps(batch, 1_000))).code == .abnormalTaps) }
    }
    let metrics = try operators.metrics()
    #expect(metrics["madang_tap_batches_total{outcome=\"ABNORMAL_TAPS\"}"] == 3)
    #expect(metrics["madang_tap_batches_total{outcome=\"AGAIN\"}"] == 3)
    let taps = try operators.stats()["taps"] as? [String: Any]
    #expect(taps?["abnormalBatches"] as? Int == 3 && taps?["batches"] as? Int == 6)
    #expect(operators.game.report().play.taps.abnormalBatches == 3)
  }

  @Test("Commits: duration and size, lag of the journal, and failure of the store")
  func commits() throws {
    let store = StubbornStore()
    let operators = try TestOperators(shards: 1, store: store)
    let player = try operators.game.player("가람")
    _ = try player.createRoom()
    _ = try operators.game.report { $0.isCommitted }
    let before = try operators.metrics()
    #expect(before["madang_commit_duration_seconds_count"] ?? 0 > 0)
    #expect(before["madang_journal_lag_seconds"] == 0)
    #expect(before["madang_store_failing"] == 0)
    store.hold()
    try player.send(.chat(TestPlayer.chat("anything")), id: 900)
    while store.heldCount == 0 { _ = operators.game.report() }
    operators.game.clock.advance(seconds: 3)
    #expect(try operators.metrics()["madang_journal_lag_seconds"] ?? 0 >= 3)
    store.release()
    _ = try player.reply(to: 900)
    let after = try operators.metrics()
    #expect(try after.rise(of: "madang_commit_duration_seconds_count", since: before) >= 1)
    #expect(try after.rise(of: "madang_commit_duration_seconds_sum", since: before) >= 3)
    #expect(try after.rise(of: "madang_commit_size_bytes_sum", since: before) > 0)
    #expect(after["madang_journal_lag_seconds"] == 0)
    let guest = try operators.game.player("guest")
    store.fail(with: .full)
    try player.send(.chat(TestPlayer.chat("more")), id: 901)
    _ = try operators.game.report { $0.commits.failures > 0 }
    let failing = try operators.metrics()
    #expect(failing["madang_store_failing"] == 1)
    #expect(failing["madang_commit_failures_total"] ?? 0 >= 1)
    let series = "madang_joins_refused_total{reason=\"STORE_UNAVAILABLE\"}"
    #expect(failing[series] == 0)
    #expect(try guest.refusal(of: .joinRoom(TestPlayer.join("x"))).code == .storeUnavailable)
    #expect(try operators.metrics()[series] == 1)
  }

  @Test("A player who reads nothing: waiting bytes, conflated ticks, and dropped messages in the end")
  func slowPlayer() throws {
    let operators = try TestOperators(shards: 1) {
      // More than the kernel may still take behind the test's back.
      $0.netLimits.behindBytes = 32 * 1_024
      $0.netLimits.kernelSendBytes = 4_096
      $0.netLimits.pongSeconds = 100_000
      $0.netLimits.stallSeconds = 100_000
    }
    let server = operators.game
    let host = try server.player("host")
    let slow = try TestPlayer(unconnectedTo: server.port)
    slow.socket.shrinkReceiveBuffer()
    try slow.socket.send(TestPlayer.upgradeRequest())
    try slow.finishUpgrade()
    try slow.hello("slow")
    _ = try slow.joinRoom(try host.createRoom { $0.durationS = 7_200 }.code)
    try host.expectOk(.startGame(WireStartGame()))
    let conflated = "madang_messages_conflated_total{type=\"tick\"}"
    var behind = try operators.metrics()
    for _ in 0..<2_000 where behind[conflated] == 0 {
      try host.expectOk(.chat(TestPlayer.chat(String(repeating: "가", count: 100))))
      server.clock.advance(seconds: 1)
      _ = server.report()
      try host.pump()
      behind = try operators.metrics()
    }
    #expect(behind[conflated] ?? 0 > 0)
    #expect(behind["madang_send_queue_bytes"] ?? 0 > 0)
    #expect(behind["madang_connections_behind"] == 1)
    slow.socket.reset()
    _ = try server.report { $0.connections == 1 }
    let after = try operators.metrics()
    #expect(after["madang_send_queue_bytes"] == 0)
    #expect(try after.rise(of: "madang_send_queue_dropped_bytes_total", since: behind) > 0)
  }

  @Test("The round-trip time of each connection is sampled regularly, without a message")
  func roundTrips() throws {
    let operators = try TestOperators(shards: 1)
    let player = try operators.game.player("가람")
    let before = try operators.metrics()
    try operators.game.pass(seconds: 60, player)
    let after = try operators.metrics()
    #expect(try after.rise(of: "madang_round_trip_seconds_count", since: before) >= 2)
    #expect(after["madang_round_trip_seconds_bucket{le=\"1\"}"] == after["madang_round_trip_seconds_count"])
  }

  @Test("Each shard exports its own usage, and the process its total")
  func shardsAndProcess() throws {
    let operators = try TestOperators(shards: 3)
    let players = try (0..<3).map { try operators.game.player("player \($0)") }
    let rooms = try players.map { try $0.createRoom() }
    let metrics = try operators.metrics()
    #expect(rooms.count == 3)
    for shard in 0..<3 {
      #expect(metrics["madang_shard_connections{shard=\"\(shard)\"}"] == 1)
      #expect(metrics["madang_shard_rooms{shard=\"\(shard)\"}"] == 1)
      #expect(metrics["madang_shard_turns_total{shard=\"\(shard)\"}"] ?? 0 > 0)
      #expect(metrics["madang_shard_calls_total{shard=\"\(shard)\"}"] ?? 0 > 0)
      #expect(metrics["madang_shard_cpu_seconds_total{shard=\"\(shard)\"}"] ?? 0 > 0)
    }
    for name in ["resident_memory_bytes", "virtual_memory_bytes", "open_fds", "max_fds", "cpu_seconds_total"] {
      #expect(metrics["process_\(name)"] ?? 0 > 0, "\(name)")
    }
    #expect(metrics["process_start_time_seconds"] == 1_790_000_000)
  }

  @Test("Refused operators are counted")
  func operatorRefusals() throws {
    let operators = try TestOperators()
    let before = try operators.metrics()
    #expect(try operators.get("/stats").status == 401)
    #expect(try operators.get("/stats", host: "evil.example", TestOperators.bearer).status == 403)
    let after = try operators.metrics()
    #expect(try after.rise(of: "madang_operator_refusals_total", since: before) == 2)
  }

  @Test("A second scrape counts no event again")
  func differences() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("가람")
    let first = try operators.metrics()
    let second = try operators.metrics()
    for series in ["madang_websockets_opened_total", "madang_messages_received_total{type=\"hello\"}"] {
      #expect(first[series] == 1, "\(series)")
      #expect(second[series] == 1, "\(series)")
    }
    withExtendedLifetime(player) {}
  }
}
