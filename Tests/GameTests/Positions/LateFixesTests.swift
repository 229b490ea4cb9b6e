// Late fixes: a run that is told late, again or in pieces is the run that was told live.
import Game
import SeededRandom
import Testing

@Suite("Positions: late fixes")
struct LateFixesTests {
  /// A walk with a fix a second, 3 m a step, from 1 s after `began` on.
  static func walk(_ began: Instant, seconds: ClosedRange<Int>) -> [Fix] {
    seconds.map { Yard.fix(northM: Double($0) * 3, time: began + .seconds($0)) }
  }

  @Test("Fixes that are told late, all at once, count as those told live")
  func asLive() throws {
    var live = try PositionsTests.game()
    var late = live
    for fix in Self.walk(live.now, seconds: 1...100) {
      live.wait(.seconds(1))
      live.move(0, fix)
    }
    let fixes = Self.walk(late.now, seconds: 1...100)
    late.wait(.seconds(100))
    #expect(late.moves(0, fixes).allSatisfy { $0 == .accepted })
    #expect(late.points() == live.points())
    #expect(live.points()[0].map { $0 >= 50 } ?? false)
    #expect(late.room.judgedThrough(seat: 0) == fixes.last?.time)
    let distancesMm = [live, late].map { test in
      var test = test
      test.wait(.seconds(7_200))
      test.tick()
      return test.room.board.first?.distanceMm
    }
    #expect(distancesMm[0] == distancesMm[1])
    #expect((296_900...297_100).contains(try #require(distancesMm[0])))
  }

  @Test("Told again, whole or in overlapping pieces, they count once")
  func repeated() throws {
    var test = try PositionsTests.game()
    let fixes = Self.walk(test.now, seconds: 1...60)
    test.wait(.seconds(60))
    test.moves(0, Array(fixes[..<40]), hasMore: true)
    let points = test.points()
    #expect(test.moves(0, Array(fixes[..<40])).allSatisfy { $0 == .repeated })
    #expect(test.points() == points)
    let verdicts = test.moves(0, Array(fixes[20...]))
    #expect(verdicts == Array(repeating: .repeated, count: 20) + Array(repeating: .accepted, count: 20))
    for _ in 0..<100 { test.moves(0, fixes) }
    #expect(!test.room.isSuspect(seat: 0))
  }

  @Test("The room's bound on lateness is its own; a solo room takes the whole game")
  func lateness() throws {
    var shared = try TestRoom(duration: .seconds(7_200), lateS: 10, players: 2)
    shared.start()
    shared.wait(.seconds(100))
    let verdicts = shared.moves(0, Self.walk(shared.now - .seconds(100), seconds: 89...91))
    #expect(verdicts == [.tooOld, .accepted, .accepted])
    #expect(!shared.room.isSuspect(seat: 0))

    var solo = TestRoom(try RoomConfiguration(duration: .seconds(3_600), solo: true), players: 1)
    solo.start()
    let began = solo.now
    solo.apply(.lose(.seat(0)))
    solo.wait(.seconds(3_600))
    solo.apply(.comeBack(.seat(0)))
    #expect(solo.moves(0, Self.walk(began, seconds: 1...300)).allSatisfy { $0 == .accepted })
  }

  @Test("A jump within kept fixes is judged by the fixes before and behind it, also over messages")
  func jumps() throws {
    var test = try PositionsTests.game()
    var fixes = Self.walk(test.now, seconds: 1...30)
    fixes[9].latE7 += 100_000
    test.wait(.seconds(30))
    #expect(test.moves(0, Array(fixes[..<10]), hasMore: true).last == .setAside)
    #expect(test.moves(0, Array(fixes[10...])).allSatisfy { $0 == .accepted })
  }

  @Test("Times that go back, overflow or lie in the future gain nothing and trap nothing")
  func badTimes() throws {
    var test = try PositionsTests.game()
    test.wait(.seconds(60))
    let times = [Int64.min, .max, 0, -1, test.now.milliseconds + 2_001, test.now.milliseconds - 30_000]
    let fixes = times.map { Yard.fix(time: Instant(milliseconds: $0)) }
    #expect(
      test.moves(0, fixes) == [.outsideGame, .tooFarAhead, .outsideGame, .outsideGame, .tooFarAhead, .accepted]
    )
    let back = [5, 4, 3].map { Yard.fix(northM: 500, time: test.now - .seconds(30 + $0)) }
    #expect(test.moves(0, back).allSatisfy { $0 == .repeated })
    #expect(!test.room.isSuspect(seat: 0))
  }

  @Test("Results tell the share of late fixes, and of those that the connection could have brought earlier")
  func shares() throws {
    var test = try TestRoom(duration: .seconds(100), players: 2)
    test.start()
    let began = test.now
    test.wait(.seconds(50))
    // 1 to 19 are more than 30 s old; the connection has been there since second 11.
    test.moves(0, Self.walk(began, seconds: 1...40), aliveSince: began + .seconds(11))
    test.wait(.seconds(50))
    test.tick()
    #expect(test.room.board.first?.latePercent == 48)
    #expect(test.room.board.first?.withheldPercent == 23)
    #expect(test.room.board.last?.latePercent == 0)
  }

  @Test("Fixes that an earlier connection could have brought are withheld; those of a tunnel are not")
  func earlierConnections() throws {
    for (lostAtS, backAtS, told, percent) in [(60, 61, 1...40, 75), (20, 60, 11...58, 0)] {
      var test = try TestRoom(duration: .seconds(100), players: 2)
      test.start()
      let began = test.now
      if told.lowerBound > 1 {
        for fix in Self.walk(began, seconds: 1...told.lowerBound - 1) {
          test.wait(.seconds(1))
          test.move(0, fix)
        }
      }
      test.wait(began + .seconds(lostAtS) - test.now)
      test.apply(.lose(.seat(0)))
      test.wait(.seconds(backAtS - lostAtS))
      test.apply(.comeBack(.seat(0)))
      test.moves(0, Self.walk(began, seconds: told), aliveSince: test.now)
      test.wait(.seconds(100))
      test.tick()
      let row = try #require(test.room.board.first { $0.seat == 0 })
      #expect(row.withheldPercent == percent, "lost at \(lostAtS) s")
      #expect(row.latePercent > 0)
    }
  }

  @Test("A connection that takes another's place can withhold what that one could have brought")
  func replacedConnections() throws {
    var test = try TestRoom(duration: .seconds(200), players: 2)
    test.start()
    let began = test.now
    test.wait(.seconds(100))
    test.moves(0, Self.walk(began, seconds: 51...90), aliveSince: test.now)
    test.wait(.seconds(200))
    test.tick()
    // Those from 51 to 69 are late, and of a time over 30 s before the new connection.
    #expect(test.room.board.first { $0.seat == 0 }?.withheldPercent == 48)
  }

  @Test("A solo lap told late has the time of the lap told live, and is ranked unless it was withheld")
  func lap() throws {
    let land = try TestLands.square()
    func solo() throws -> TestRoom {
      let settings = ModeSettings.land(LandSettings(lands: [land]))
      var test = TestRoom(try RoomConfiguration(mode: settings, solo: true), players: 1)
      test.start()
      return test
    }
    for (isLate, isWithheld) in [(false, false), (true, false), (true, true)] {
      var test = try solo()
      let began = test.now
      var fixes = land.vertices.prefix(23).enumerated().map { second, vertex in
        Fix(latE7: vertex.latE7, lngE7: vertex.lngE7, accuracyM: 5, time: began + .seconds(second))
      }
      var captures: [LandRunResult] = []
      var isCaptured = false
      func note() {
        for case .landRun(let result, _) in test.effects.outputs { captures.append(result) }
        for case .run(_, let run) in test.effects.outputs where run.state == .captured { isCaptured = true }
      }
      if isLate {
        if !isWithheld { test.apply(.lose(.seat(0))) }
        test.wait(.seconds(90))
        if !isWithheld { test.apply(.comeBack(.seat(0))) }
        while !fixes.isEmpty, test.room.phase == .playing {
          test.moves(0, Array(fixes.prefix(7)), hasMore: true, aliveSince: isWithheld ? began : test.now)
          fixes.removeFirst(min(7, fixes.count))
          note()
        }
      } else {
        for fix in fixes {
          test.move(0, fix)
          note()
          test.wait(.seconds(1))
        }
      }
      #expect(isCaptured)
      #expect(captures.map(\.time) == (isWithheld ? [] : [.seconds(22)]))
    }
  }

  @Test("A bus ride in kept fixes is a bus ride: the findings are those of live fixes")
  func forgedLate() throws {
    var test = try PositionsTests.game()
    let fixes = (1...100).map { Yard.fix(northM: Double($0) * 30, time: test.now + .seconds($0)) }
    test.wait(.seconds(100))
    let verdicts = test.moves(0, fixes)
    #expect(verdicts.count { $0 == .accepted } == 1)
    #expect(verdicts.count { $0 == .tooFast } >= 3)
    #expect(test.room.isSuspect(seat: 0))
    #expect(test.points() == [0: 1])
  }

  @Test("A batch survives the journal", arguments: 0..<20 as Range<UInt64>)
  func journal(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func anyTime(_ random: inout SplitMix64) -> Instant? {
      random.chance(20)
        ? nil : Instant(milliseconds: random.chance(20) ? Int64(truncatingIfNeeded: random.next()) : 1_790_000_000_000)
    }
    let fixes = (0..<random.draw(0...50)).map { _ in
      Fix(
        latE7: random.chance(10) ? random.pick([.min, .max]) : Int32(random.draw(0...900_000_000)),
        lngE7: Int32(truncatingIfNeeded: random.next()),
        accuracyM: random.pick([nil, 0, 5, .max]),
        time: anyTime(&random),
        mocked: random.chance(50)
      )
    }
    let aliveSince = seed % 3 == 0 ? nil : TestRoom.made
    let input = Input.moves(.seat(3), FixBatch(fixes, hasMore: random.chance(50), aliveSince: aliveSince))
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(input, from: nil, at: TestRoom.made)
    writer.take(into: &bytes)
    var reader = JournalReader(bytes)
    guard case .input(let read, let time)? = try reader.next() else {
      Issue.record("no input")
      return
    }
    #expect(read == input)
    #expect(time == TestRoom.made)
  }

  @Test("A kept fix of a walk takes at most 9 bytes of a journal")
  func journalBytes() throws {
    var writer = JournalWriter()
    let batch = FixBatch(Self.walk(TestRoom.made, seconds: 1...100), hasMore: false, aliveSince: TestRoom.made)
    writer.append(.moves(.seat(0), batch), from: nil, at: TestRoom.made + .seconds(100))
    #expect(writer.byteCount <= 100 * 9)
  }
}
