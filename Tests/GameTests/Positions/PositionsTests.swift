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

  @Test("Fixes beyond ten a second are ignored and do not count as refusals")
  func rate() throws {
    var test = try Self.game()
    for step in 0..<60 {
      #expect(test.move(0, Yard.fix(northM: Double(step) * 0.1)) == nil)
      test.wait(.milliseconds(50))
    }
    var rows = Tick()
    test.room.appendPositions(to: &rows)
    // 10 at once and 10 a second: until the bucket is empty each counts, then every second one.
    #expect(rows.latE7 == [Yard.fix(northM: 5.8).latE7])
    #expect(!test.room.isSuspect(seat: 0))
  }

  @Test(
    "A fix of unknown or bad accuracy is ignored and does not count as a refusal",
    arguments: [nil, 51, UInt32.max]
  )
  func accuracy(accuracyM: UInt32?) throws {
    var test = try Self.game()
    for _ in 0..<5 {
      test.wait(.seconds(1))
      #expect(test.move(0, Yard.fix(accuracyM: accuracyM, mocked: true)) == nil)
    }
    #expect(test.points().isEmpty)
    #expect(!test.room.isSuspect(seat: 0))
    test.move(0, Yard.fix(accuracyM: 50))
    #expect(test.points() == [0: 1])
  }

  @Test("A fix is refused unless its time is after the last one's")
  func notAfterLast() throws {
    var test = try Self.game()
    let time = test.now
    #expect(test.move(0, Yard.fix(time: time)) == nil)
    test.wait(.seconds(1))
    #expect(test.move(0, Yard.fix(time: time)) == .notAfterLast)
    #expect(test.move(0, Yard.fix(time: time - .milliseconds(1))) == .notAfterLast)
    #expect(test.move(0, Yard.fix(time: time + .milliseconds(1))) == nil)
    #expect(test.effects.outputs.isEmpty)
  }

  @Test("A fix without a time gets the time of its arrival")
  func arrivalTime() throws {
    var test = try Self.game()
    #expect(test.move(0, Yard.fix(time: test.now + .milliseconds(500))) == nil)
    test.wait(.milliseconds(400))
    #expect(test.move(0, Yard.fix()) == .notAfterLast)
    test.wait(.milliseconds(400))
    #expect(test.move(0, Yard.fix()) == nil)
  }

  @Test("A fix may be 2 s ahead of the server and 30 s behind, and no more")
  func timeBounds() throws {
    for (ms, refusal) in [(2_000, nil), (2_001, FixRefusal.tooFarAhead), (-30_000, nil), (-30_001, .tooOld)] {
      var test = try Self.game()
      #expect(test.move(0, Yard.fix(time: test.now + .milliseconds(ms))) == refusal, "\(ms)")
    }
    for (time, refusal) in [(Int64.max, FixRefusal.tooFarAhead), (.min, .tooOld)] {
      var test = try Self.game()
      #expect(test.move(0, Yard.fix(time: Instant(milliseconds: time))) == refusal)
      #expect(test.move(0, Yard.fix()) == nil)
      #expect(test.move(0, Yard.fix(time: Instant(milliseconds: .min))) == .notAfterLast)
    }
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
      for (overM, refusal) in [(-0.1, nil), (0.1, FixRefusal.tooFast)] {
        var test = try Self.game()
        test.move(0, Yard.fix(accuracyM: first))
        test.wait(.seconds(2))
        #expect(
          test.move(0, Yard.fix(eastM: limitM + overM, accuracyM: second)) == refusal,
          "\(first) \(second) \(overM)"
        )
      }
    }
  }

  @Test("The speed limit is the room's own")
  func speedSetting() throws {
    var test = try Self.game(speedMaxMmPerS: 2_000)
    test.move(0, Yard.fix())
    test.wait(.seconds(1))
    #expect(test.move(0, Yard.fix(eastM: 7.1)) == .tooFast)
    #expect(test.move(0, Yard.fix(eastM: 6.9)) == nil)
  }

  @Test("The time between two fixes is measured by the server: a phone gains nothing by other times")
  func forgedTimes() throws {
    var test = try Self.game()
    test.move(0, Yard.fix(time: test.now - .seconds(30)))
    test.wait(.seconds(1))
    #expect(test.move(0, Yard.fix(northM: 100, time: test.now + .seconds(2))) == .tooFast)
  }

  @Test("Many small steps within the accuracy don't add up to more than the speed over 10 s")
  func creeping() throws {
    var test = try Self.game()
    var refusals = 0
    for step in 0..<300 {
      // 2 m in each tenth of a second: 20 m/s, each step within the accuracy.
      if test.move(0, Yard.fix(northM: Double(step) * 2, accuracyM: 5)) == .tooFast { refusals += 1 }
      test.wait(.milliseconds(100))
    }
    #expect(refusals > 100)
  }

  @Test("Steps that pass the check over 10 s are still checked against the fix of about 30 s ago")
  func slowCreeping() throws {
    var test = try Self.game()
    var refusedAtS: Int?
    for second in -40...40 where refusedAtS == nil {
      // Stands still, then goes at 13.4 m/s, 0.9 m/s too fast: 9 m over in 10 s, 27 m in 30 s, and 20 m are allowed.
      if test.move(0, Yard.fix(northM: max(0, Double(second)) * 13.4, accuracyM: 20)) != nil { refusedAtS = second }
      test.wait(.seconds(1))
    }
    #expect(refusedAtS == 30)
  }

  @Test("After a long break a player may be anywhere within reach, up to 23 km")
  func longWait() throws {
    for (northM, refusal) in [(22_900.0, nil), (23_100, FixRefusal.tooFast)] {
      var test = try Self.game()
      test.move(0, Yard.fix())
      test.wait(.seconds(7_000))
      #expect(test.move(0, Yard.fix(northM: northM)) == refusal)
    }
  }

  @Test("A single bad fix between good ones is refused and has no other effect")
  func outlier() throws {
    var test = try Self.game()
    for second in 0...20 {
      let isBad = second == 10
      let refusal = test.move(0, Yard.fix(northM: isBad ? 900 : Double(second) * 6))
      #expect(refusal == (isBad ? .tooFast : nil))
      test.wait(.seconds(1))
    }
    #expect(test.points() == [0: 20])
    #expect(!test.room.isSuspect(seat: 0))
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
