// Accepted fixes: bounds, speed, distance.
import Game
import Testing

@Suite("Positions")
struct PositionsTests {
  /// Two players in a game of two hours.
  static func game(speedMaxMmPerS: Int? = nil) throws -> TestRoom {
    var test = try TestRoom(duration: .seconds(7_200), speedMaxMmPerS: speedMaxMmPerS, players: 2)
    test.start()
    return test
  }

  @Test("Fixes beyond ten a second by their own times are refused without blame, however they arrive")
  func rate() throws {
    for arrivesAtOnce in [false, true] {
      var test = try Self.game()
      let began = test.now
      if arrivesAtOnce { test.wait(.seconds(3)) }
      var verdicts: [FixVerdict?] = []
      for step in 0..<60 {
        let time = began + .milliseconds(step * 50)
        verdicts.append(test.move(0, Yard.fix(northM: Double(step) * 0.1, time: time)))
        if !arrivesAtOnce { test.wait(.milliseconds(50)) }
      }
      // 10 at once and 10 a second: until the bucket is empty each counts, then every second one.
      #expect(verdicts[..<19].allSatisfy { $0 == nil })
      #expect(verdicts[20...] == (20..<60).map { $0.isMultiple(of: 2) ? nil : .tooOften }[...])
      #expect(!test.room.isSuspect(seat: 0))
    }
  }

  @Test(
    "A fix of unknown or bad accuracy is refused without blame",
    arguments: [nil, 51, UInt32.max]
  )
  func accuracy(accuracyM: UInt32?) throws {
    var test = try Self.game()
    for _ in 0..<5 {
      test.wait(.seconds(1))
      #expect(test.move(0, Yard.fix(accuracyM: accuracyM, mocked: true)) == .inaccurate)
      #expect(test.effects.outputs.isEmpty)
    }
    #expect(test.points().isEmpty)
    #expect(!test.room.isSuspect(seat: 0))
    test.wait(.seconds(1))
    test.move(0, Yard.fix(accuracyM: 50))
    #expect(test.points() == [0: 1])
  }

  @Test("A fix with the time of the newest judged one, or an older time, is a repeat: nothing happens")
  func repeated() throws {
    var test = try Self.game()
    let time = test.now
    #expect(test.move(0, Yard.fix(time: time)) == nil)
    test.wait(.seconds(1))
    for _ in 0..<10 {
      #expect(test.move(0, Yard.fix(time: time)) == .repeated)
      #expect(test.move(0, Yard.fix(northM: 4, time: time)) == .repeated, "within the accuracy")
      #expect(test.effects.outputs.isEmpty)
    }
    #expect(test.room.judgedThrough(seat: 0) == time)
    #expect(test.move(0, Yard.fix(northM: 500, time: time - .milliseconds(1))) == .outsideGame)
    #expect(test.move(0, Yard.fix(time: time + .milliseconds(1))) == nil)
    #expect(test.room.judgedThrough(seat: 0) == time + .milliseconds(1))
    #expect(!test.room.isSuspect(seat: 0))
  }

  @Test("Nobody is at two places at one time: a fix with the newest one's time and another place is a finding")
  func notAfterLast() throws {
    var test = try Self.game()
    let time = test.now
    #expect(test.move(0, Yard.fix(time: time)) == nil)
    for count in 1...3 {
      test.wait(.seconds(1))
      #expect(test.move(0, Yard.fix(northM: Double(count) * 10, time: time)) == .notAfterLast)
      #expect(test.room.isSuspect(seat: 0) == (count == 3))
    }
  }

  @Test("A fix without a time gets the time of its arrival")
  func arrivalTime() throws {
    var test = try Self.game()
    #expect(test.move(0, Yard.fix(time: test.now + .milliseconds(500))) == nil)
    test.wait(.milliseconds(400))
    #expect(test.move(0, Yard.fix()) == .repeated)
    test.wait(.milliseconds(400))
    #expect(test.move(0, Yard.fix()) == nil)
    #expect(test.move(0, Yard.fix(northM: 300)) == .repeated, "fixes that the network delivered together")
  }

  @Test("A fix may be 2 s ahead of the server and as old as the room says, and no more")
  func timeBounds() throws {
    for (ms, verdict) in [(2_000, nil), (2_001, FixVerdict.tooFarAhead), (-120_000, nil), (-120_001, .tooOld)] {
      var test = try Self.game()
      test.wait(.seconds(200))
      #expect(test.move(0, Yard.fix(time: test.now + .milliseconds(ms))) == verdict, "\(ms)")
    }
    var test = try Self.game()
    test.wait(.seconds(200))
    #expect(test.move(0, Yard.fix(time: Instant(milliseconds: .max))) == .tooFarAhead)
    #expect(test.move(0, Yard.fix(time: Instant(milliseconds: .min))) == .outsideGame)
    #expect(test.move(0, Yard.fix()) == nil)
    for _ in 0..<9 { #expect(test.move(0, Yard.fix(time: test.now - .seconds(121))) == .repeated) }
    #expect(!test.room.isSuspect(seat: 0), "age alone is no finding")
  }

  @Test("A fix counts for the game that was on when it was taken")
  func outsideGame() throws {
    var test = try TestRoom(duration: .seconds(60), players: 2)
    test.wait(.seconds(5))
    let before = test.now - .milliseconds(1)
    test.start()
    #expect(test.move(0, Yard.fix(time: before)) == .outsideGame)
    test.wait(.seconds(59))
    #expect(test.move(0, Yard.fix(time: test.now + .milliseconds(1_001))) == .outsideGame)
    #expect(test.move(0, Yard.fix(time: test.now + .milliseconds(1_000))) == nil)
    #expect(test.effects.outputs.isEmpty)
    #expect(test.points() == [0: 1])
  }

  @Test("A fix must be on Earth and within 85 degrees of the equator")
  func offTheMap() throws {
    for (latE7, lngE7, isOn) in [
      (850_000_000, 1_800_000_000, true), (-850_000_000, -1_800_000_000, true), (850_000_001, 0, false),
      (-850_000_001, 0, false), (0, 1_800_000_001, false), (0, -1_800_000_001, false), (.max, .max, false),
      (.min, .min, false),
    ] as [(Int32, Int32, Bool)] {
      var test = try Self.game()
      #expect(test.move(0, Fix(latE7: latE7, lngE7: lngE7, accuracyM: 5)) == (isOn ? nil : .offTheMap))
    }
  }

  @Test("A fix marked as mocked is refused")
  func mocked() throws {
    var test = try Self.game()
    #expect(test.move(0, Yard.fix(mocked: true)) == .mocked)
    #expect(test.effects.outputs == [.verdict(.seat(0), .mocked, suspect: false)])
    #expect(test.points().isEmpty)
  }

  @Test("A fix must not be further from the last one than the speed and the better accuracy allow")
  func speed() throws {
    // 12.5 m/s over 2 s, plus the smaller of both accuracies, at most 20 m.
    for (first, second, limitM) in [(5, 50, 30.0), (50, 5, 30), (50, 50, 45), (20, 20, 45), (0, 0, 25)]
      as [(UInt32, UInt32, Double)]
    {
      for (overM, verdict) in [(-0.1, nil), (0.1, FixVerdict.setAside)] {
        var test = try Self.game()
        test.move(0, Yard.fix(accuracyM: first))
        test.wait(.seconds(2))
        #expect(
          test.move(0, Yard.fix(eastM: limitM + overM, accuracyM: second)) == verdict,
          "\(first) \(second) \(overM)"
        )
        #expect(test.effects.outputs.isEmpty)
      }
    }
  }

  @Test("The speed limit is the room's own")
  func speedSetting() throws {
    var test = try Self.game(speedMaxMmPerS: 2_000)
    test.move(0, Yard.fix())
    test.wait(.seconds(1))
    #expect(test.move(0, Yard.fix(eastM: 7.1)) == .setAside)
    test.wait(.milliseconds(1))
    #expect(test.move(0, Yard.fix(eastM: 6.9)) == nil)
  }

  @Test("Speed is held by the fixes' own times, however they arrive")
  func ownTimes() throws {
    for (timeMs, arrivesAfterMs, verdict) in [
      (4_000, 2_000, nil), (4_000, 100_000, nil), (500, 2_000, FixVerdict.setAside), (500, 100_000, .setAside),
    ] as [(Int64, Int64, FixVerdict?)] {
      var test = try Self.game()
      let began = test.now
      test.move(0, Yard.fix(time: began))
      test.wait(.milliseconds(arrivesAfterMs))
      let fix = Yard.fix(northM: 50, time: began + .milliseconds(timeMs))
      #expect(test.move(0, fix) == verdict, "\(timeMs) ms, arrives after \(arrivesAfterMs)")
    }
  }

  @Test("Many small steps within the accuracy don't add up to more than the speed over 10 s")
  func creeping() throws {
    var test = try Self.game()
    var accepted = 0
    for step in 0..<300 {
      // 2 m in each tenth of a second: 20 m/s, each step within the accuracy.
      if test.move(0, Yard.fix(northM: Double(step) * 2, accuracyM: 5)) == nil { accepted += 1 }
      test.wait(.milliseconds(100))
    }
    #expect(accepted < 20)
  }

  @Test("Steps that pass the check over 10 s are still checked against the fix of about 30 s ago")
  func slowCreeping() throws {
    var test = try Self.game()
    var setAsideAtS: Int?
    for second in -40...40 where setAsideAtS == nil {
      // Stands still, then goes at 13.4 m/s, 0.9 m/s too fast: 9 m over in 10 s, 27 m in 30 s, and 20 m are allowed.
      if test.move(0, Yard.fix(northM: max(0, Double(second)) * 13.4, accuracyM: 20)) != nil { setAsideAtS = second }
      test.wait(.seconds(1))
    }
    #expect(setAsideAtS == 30)
  }

  @Test("After a long break a player may be anywhere within reach, up to 23 km")
  func longWait() throws {
    for (northM, verdict) in [(22_900.0, nil), (23_100, FixVerdict.setAside)] {
      var test = try Self.game()
      test.move(0, Yard.fix())
      test.wait(.seconds(7_000))
      #expect(test.move(0, Yard.fix(northM: northM)) == verdict)
    }
  }

  @Test("A step of up to 100 m counts towards the distance, a longer one does not, the first fix adds none")
  func distance() throws {
    var test = try Self.game()
    test.move(0, Yard.fix())
    test.wait(.seconds(20))
    test.move(0, Yard.fix(northM: 99.99))
    test.wait(.seconds(20))
    test.move(0, Yard.fix(northM: 200.1))
    test.wait(.seconds(20))
    test.move(0, Yard.fix(northM: 200.1, eastM: 30))
    test.wait(.seconds(7_200))
    test.tick()
    let distanceMm = try #require(test.room.board.first?.distanceMm)
    #expect((129_970...130_010).contains(distanceMm))
  }
}
