// Suspects and their refused fixes in the console: bounded, soon forgotten, and shown to nobody else.
import Foundation
import MadangProtocol
import Server
import Synchronization
import TestSupport
import Testing

@Suite struct ConsoleSuspectsTests {
  /// A player in a running game who has been at a place.
  private func runner(_ operators: TestOperators, _ name: String = "forger") throws -> TestPlayer {
    let player = try operators.game.player(name)
    _ = try player.createRoom { room in
      room.solo = true
      room.durationS = 7_200
    }
    try player.expectOk(.startGame(WireStartGame()))
    try player.expectOk(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    return player
  }

  /// This many mocked fixes, a second apart, each far away.
  private func forge(_ operators: TestOperators, _ player: TestPlayer, _ count: Int) throws {
    for number in 0..<count {
      try operators.game.passSecond()
      let latE7 = 385_665_000 + Int32(number % 2) * 10_000_000 + Int32(number)
      var mocked = TestPlayer.move(latE7, 1_269_780_000, accuracyM: 7)
      mocked.mocked = true
      try player.expectOk(.move(mocked))
    }
  }

  @Test("A player with refused fixes is shown with them, the newest first, at most ten")
  func evidence() throws {
    let operators = try TestOperators()
    let player = try runner(operators)
    let console = try TestConsole(operators)
    #expect(try console.watch("suspects").rows("players").isEmpty)
    try forge(operators, player, 1)
    let first = try console.received("suspects") { !$0.rows("players").isEmpty }.rows("players")[0]
    #expect(first.text("nickname") == "forger" && first["suspect"] as? Bool == false && first.text("code") == "")
    let refusal = try #require(first.rows("refusals").first)
    #expect(refusal.text("refusal") == "MOCKED" && refusal.int("accuracyM") == 7)
    #expect(refusal.int("latE7") == 385_665_000 && refusal.int("lngE7") == 1_269_780_000)
    #expect(refusal["claimedAtMs"] == nil)
    // A degree of latitude.
    #expect(abs(try #require(refusal.int("metersFromLast")) - 111_195) < 2)
    #expect(abs(try #require(refusal["secondsFromLast"] as? Double) - 1) < 0.6)
    var ahead = TestPlayer.move(375_665_000, 1_269_780_000)
    ahead.timeMs = operators.game.clock.now().milliseconds + 10_000
    try player.expectOk(.move(ahead))
    try forge(operators, player, 14)
    let all = try console.received("suspects") {
      $0.rows("players").first?.rows("refusals").first?.int("latE7") == 395_665_013
    }
    let suspect = try #require(all.rows("players").first)
    #expect(suspect["suspect"] as? Bool == true)
    let times = suspect.rows("refusals").compactMap { $0.int("atMs") }
    #expect(times.count == 10 && times == times.sorted(by: >))
    #expect(!suspect.rows("refusals").contains { $0.text("refusal") == "TOO_FAR_AHEAD" }, "ten newer ones replaced it")
    let rooms = try console.watch("rooms").rows("rows")
    #expect(rooms.first?.int("suspects") == 1)
    #expect(rooms.first?.text("id") == suspect.text("room"))
  }

  @Test("Findings in kept fixes are shown as those in live ones")
  func keptFixes() throws {
    let operators = try TestOperators()
    let player = try runner(operators)
    let console = try TestConsole(operators)
    _ = try console.watch("suspects")
    try operators.game.pass(seconds: 5, player)
    let nowMs = operators.game.clock.now().milliseconds
    var moves = TestPlayer.moves(
      (1...3).map { second in
        var move = TestPlayer.move(375_665_000 + Int32(second) * 10, 1_269_780_000)
        move.timeMs = nowMs - 4_000 + Int64(second) * 1_000
        return move
      }
    )
    moves.mocked = true
    guard case .moved(let moved) = try player.request(.moves(moves)) else { throw TestFailure("no moved") }
    #expect(moved.refused == 3)
    let all = try console.received("suspects") { $0.rows("players").first?.rows("refusals").count == 3 }
    #expect(all.rows("players").first?["suspect"] as? Bool == true)
    #expect(all.rows("players").first?.rows("refusals").allSatisfy { $0.text("refusal") == "MOCKED" } == true)
  }

  @Test("A player who is suspect outside of rooms is shown without a place, and no longer when the suspicion ends")
  func outside() throws {
    let operators = try TestOperators()
    let player = try operators.game.player("walker")
    try player.watchPlaces()
    let console = try TestConsole(operators)
    #expect(try console.watch("suspects").rows("players").isEmpty)
    for _ in 0..<3 {
      try operators.game.passSecond()
      var mocked = TestPlayer.move(375_665_000, 1_269_780_000)
      mocked.mocked = true
      _ = try player.request(.move(mocked))
    }
    let shown = try console.received("suspects") { !$0.rows("players").isEmpty }.rows("players")
    let suspect = try #require(shown.first)
    #expect(shown.count == 1 && suspect.text("nickname") == "walker" && suspect["suspect"] as? Bool == true)
    #expect(suspect.int("watchedAtMs") != nil)
    #expect(Set(suspect.keys) == ["player", "nickname", "suspect", "watchedAtMs"])
    // In a room the player is one row, with the room.
    _ = try player.createRoom { $0.solo = true }
    try player.expectOk(.startGame(WireStartGame()))
    _ = try player.request(.move(TestPlayer.move(375_665_000, 1_269_780_000)))
    try forge(operators, player, 1)
    let both = try console.received("suspects") { $0.rows("players").first?["room"] != nil }.rows("players")
    #expect(both.count == 1 && both[0]["suspect"] as? Bool == true && both[0].int("watchedAtMs") != nil)
    try player.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    _ = try console.received("suspects") { $0.rows("players").isEmpty }
  }

  @Test("Refusals are dropped ten minutes after the last one, and a suspicion is shown while it lasts")
  func forgetting() throws {
    let operators = try TestOperators()
    let player = try runner(operators)
    try forge(operators, player, 3)
    let honest = try runner(operators, "once mocked")
    try forge(operators, honest, 1)
    let console = try TestConsole(operators)
    let both = try console.watch("suspects").rows("players")
    #expect(both.map { $0.text("nickname") } == ["forger", "once mocked"], "suspects come first")
    for _ in 0..<61 { try operators.game.pass(seconds: 10, player, honest) }
    let later = try TestConsole(operators).watch("suspects").rows("players")
    #expect(later.map { $0.text("nickname") } == ["forger"])
    #expect(later.first?.rows("refusals").isEmpty == true)
  }

  @Test("A deleted player is no longer shown")
  func deletion() throws {
    let operators = try TestOperators()
    let player = try runner(operators)
    try forge(operators, player, 3)
    let console = try TestConsole(operators)
    #expect(try console.watch("suspects").rows("players").count == 1)
    try player.expectOk(.deleteAccount(TestPlayer.deleteAccount()))
    _ = try console.received("suspects") { $0.rows("players").isEmpty }
  }

  @Test("Each room keeps a bounded number of players, those with the latest refusals")
  func bounded() throws {
    let operators = try TestOperators(shards: 1)
    let host = try operators.game.player("host")
    let room = try host.createRoom { room in
      room.capacity = 40
      room.durationS = 7_200
    }
    let players = try (0..<36).map { number in
      let player = try operators.game.player("\(number)")
      _ = try player.joinRoom(room.code)
      return player
    }
    try host.expectOk(.startGame(WireStartGame()))
    for player in players {
      operators.game.clock.advance(milliseconds: 10)
      var mocked = TestPlayer.move(375_665_000, 1_269_780_000)
      mocked.mocked = true
      try player.expectOk(.move(mocked))
    }
    let shown = try TestConsole(operators).watch("suspects").rows("players").map { $0.text("nickname") }
    #expect(shown == (4..<36).reversed().map { "\($0)" })
    withExtendedLifetime(host) {}
  }

  @Test("A player who taps too fast is shown with the counted and voided taps")
  func tappers() throws {
    let operators = try TestOperators(store: TestSchools.store())
    let player = try TestPlayer(port: operators.game.port)
    let id = try player.hello("가람").playerID
    try player.expectOk(.chooseSchool(TestPlayer.school("A1")))
    #expect(try player.tap(1, 100).schoolCount == 100)
    for batch in UInt32(2)...4 { _ = try player.refusal(of: .tap(TestPlayer.taps(batch, 1_000))) }
    let console = try TestConsole(operators)
    let tapper = try #require(try console.watch("suspects").rows("tappers").first)
    #expect(tapper.text("player") == id && tapper.text("nickname") == "가람")
    #expect(tapper.text("school") == "A1" && tapper.int("abnormalBatches") == 3)
    #expect(tapper.rows("counts").map { $0.int("count") } == [100])
    #expect(tapper.rows("counts").map { $0.int("voided") } == [0])
    #expect(tapper.rows("counts").map { $0.text("school") } == ["A1"])
    #expect(tapper.text("schoolName") == "학교 A1")
    #expect(tapper.rows("counts").map { $0.text("schoolName") } == ["학교 A1"])
  }

  @Test("No log message has a position")
  func logs() throws {
    let said = Mutex<[String]>([])
    let operators = try TestOperators { $0.notifyOperator = { news in said.withLock { $0.append("\(news)") } } }
    let player = try runner(operators)
    try forge(operators, player, 5)
    _ = try TestConsole(operators).watch("suspects")
    let lines = said.withLock { $0 }
    #expect(
      !lines.isEmpty && lines.allSatisfy { !$0.contains("85665") && !$0.contains("95665") && !$0.contains("375665") }
    )
  }
}
