// Late fixes around gaps that are not the player's fault, and around those that are.
import Game
import Testing

@Suite("Positions: late fixes and gaps")
struct LateGapsTests {
  @Test("A fix off the map and another of the same time are refused, and trap nothing", arguments: [true, false])
  func offTheMapTwice(areKept: Bool) throws {
    var test = try PositionsTests.game()
    test.wait(.seconds(1))
    let time = test.now
    for (latE7, lngE7) in [(2_100_000_000, 0), (.min, .min), (.max, .max), (-900_000_001, 1_800_000_001)]
      as [(Int32, Int32)]
    {
      let stray = Fix(latE7: latE7, lngE7: lngE7, accuracyM: 5, time: time)
      let other = Fix(latE7: latE7, lngE7: lngE7 / 2 + 7, accuracyM: 5, time: time)
      for fix in [stray, other, Yard.fix(time: time), stray] {
        if areKept { test.moves(0, [fix]) } else { test.move(0, fix) }
      }
    }
    #expect(test.points() == [:])
  }

  @Test("Downtime of the server makes no fix too old, in a shared room or alone", arguments: [true, false])
  func downtime(isSolo: Bool) throws {
    let configuration = try RoomConfiguration(duration: .seconds(60), solo: isSolo, lateS: isSolo ? nil : 10)
    var test = TestRoom(configuration, players: isSolo ? 1 : 2)
    test.start()
    let fixes = LateFixesTests.walk(test.now, seconds: 1...20)
    test.wait(.seconds(20))
    test.wait(.seconds(3_600))
    test.apply(.restart(downtime: .seconds(3_600)))
    test.apply(.comeBack(.seat(0)))
    // The shared room takes fixes of the last 10 s for which the server ran.
    let oldCount = isSolo ? 0 : 9
    #expect(
      test.moves(0, fixes)
        == Array(repeating: .tooOld, count: oldCount) + Array(repeating: .accepted, count: 20 - oldCount)
    )
  }

  @Test("Downtime excuses fixes from before the server's start, not later ones")
  func afterDowntime() throws {
    var test = TestRoom(try RoomConfiguration(duration: .seconds(600), lateS: 10), players: 2)
    test.start()
    test.wait(.seconds(20))
    test.wait(.seconds(3_600))
    test.apply(.restart(downtime: .seconds(3_600)))
    test.apply(.comeBack(.seat(0)))
    let restarted = test.now
    test.wait(.seconds(9))
    #expect(test.moves(0, LateFixesTests.walk(restarted, seconds: -5 ... -4)) == [.accepted, .accepted])
    test.wait(.seconds(21))
    #expect(
      test.moves(0, LateFixesTests.walk(restarted, seconds: 1...20)) == Array(repeating: .tooOld, count: 19) + [
        .accepted
      ]
    )
  }

  @Test("A takeover shortly before the end leaves time for the fixes that the earlier connection did not bring")
  func takeover() throws {
    var test = try TestRoom(duration: .seconds(60), players: 2)
    test.start()
    let began = test.now
    for fix in LateFixesTests.walk(began, seconds: 1...50) {
      test.wait(.seconds(1))
      test.move(0, fix)
    }
    test.wait(.seconds(9))
    let last = test.room.lastEventNumber
    #expect(test.apply(.comeBack(.seat(0))) == .ok)
    #expect(test.bodies(after: last).isEmpty, "nobody was away for the others")
    test.wait(.seconds(2))
    test.tick()
    #expect(test.room.phase == .playing)
    #expect(test.moves(0, LateFixesTests.walk(began, seconds: 51...59)).allSatisfy { $0 == .accepted })
    #expect(test.room.phase == .ended)
    #expect(test.room.board.first?.points == 30, "one for each second step of 3 m")
  }

  @Test("A player who comes in again after their hold has told all with `moves`, and the board stands at once")
  func joinedAgain() throws {
    var test = try TestRoom(duration: .seconds(200), holdS: 10, players: 3)
    test.start()
    let began = test.now
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(20))
    test.tick()
    #expect(test.apply(.join(TestRoom.player(0), nickname: "player 0")) == .joined(.seat(0)))
    test.moves(0, LateFixesTests.walk(began, seconds: 1...20))
    test.wait(began + .seconds(200) - test.now)
    test.tick()
    #expect(test.room.phase == .ended)
  }

  @Test("A kept fix's fault is told by its answer alone; the beginning of a suspicion is notified of too")
  func notifications() throws {
    var test = try TestRoom(duration: .seconds(600), lateS: 10, players: 2)
    test.start()
    let began = test.now
    test.wait(.seconds(300))
    #expect(test.moves(0, LateFixesTests.walk(began, seconds: 1...200)).allSatisfy { $0 == .tooOld })
    #expect(test.effects.outputs.isEmpty)
    let forged = (1...3).map { Yard.fix(time: test.now - .seconds(4 - $0), mocked: true) }
    #expect(test.moves(0, forged).allSatisfy { $0 == .mocked })
    #expect(test.effects.outputs == [.verdict(.seat(0), .mocked, suspect: true)])
  }

  /// A place away from the test's land, but near enough for the way back.
  private static func away(at time: Instant) -> Fix {
    Yard.fix(northM: -150, time: time)
  }

  /// A lap of 22 s that begins at this second.
  private static func lap(_ land: Land, _ began: Instant, fromS: Int) -> [Fix] {
    land.vertices.prefix(23).enumerated().map { second, vertex in
      Fix(latE7: vertex.latE7, lngE7: vertex.lngE7, accuracyM: 5, time: began + .seconds(fromS + second))
    }
  }

  @Test("The share of withheld fixes is the run's: neither live fixes before it nor other late ones change it")
  func withheldOfRun() throws {
    let land = try TestLands.square()
    for isWithheld in [true, false] {
      var test = try TestLands.game([land], solo: true)
      let began = test.now
      if isWithheld {
        // So many live fixes that 23 withheld ones are under 5 %.
        for _ in 1...500 {
          test.wait(.seconds(1))
          test.move(0, Self.away(at: test.now))
        }
      } else {
        test.wait(.seconds(500))
        test.moves(0, (1...400).map { Self.away(at: began + .seconds($0)) }, aliveSince: began)
      }
      let lap = Self.lap(land, test.now, fromS: 20)
      var isRanked = false
      if isWithheld {
        test.wait(.seconds(100))
        test.moves(0, lap, aliveSince: began)
        isRanked = test.effects.outputs.contains { if case .landRun = $0 { true } else { false } }
      } else {
        for fix in lap {
          test.wait(fix.time.map { $0 - test.now } ?? .zero)
          test.move(0, fix)
          isRanked = isRanked || test.effects.outputs.contains { if case .landRun = $0 { true } else { false } }
        }
      }
      #expect(test.room.phase == .ended)
      #expect(isRanked == !isWithheld)
    }
  }

  @Test("Fixes that the server itself could not take earlier are withheld by nobody, and late")
  func ownFault() throws {
    var test = try TestRoom(duration: .seconds(100), players: 2)
    test.start()
    let began = test.now
    test.wait(.seconds(90))
    let batch = FixBatch(LateFixesTests.walk(began, seconds: 1...50), hasMore: false, aliveSince: nil)
    #expect(test.apply(.moves(.seat(0), batch)) == .ok)
    test.wait(.seconds(10))
    test.tick()
    #expect(test.room.board.first?.latePercent == 100 && test.room.board.first?.withheldPercent == 0)
  }

  @Test("A run that is told later captures its land at the time of its last fix")
  func captureTime() throws {
    let land = try TestLands.square()
    var test = try TestLands.game([land], solo: true)
    let began = test.now
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(300))
    test.apply(.comeBack(.seat(0)))
    test.moves(0, Self.lap(land, began, fromS: 1))
    let times = test.effects.outputs.compactMap { if case .landRun(_, let at) = $0 { at } else { nil } }
    #expect(times == [began + .seconds(23)])
  }
}
