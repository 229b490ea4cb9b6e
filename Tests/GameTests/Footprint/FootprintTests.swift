// Scoring of footprint mode.
import SeededRandom
import Foundation
import Game
import Testing

@Suite("Footprint mode")
struct FootprintTests {
  /// Two players in a game of two hours in which speeds up to 100 m/s are honest.
  static func game() throws -> TestRoom {
    try PositionsTests.game(speedMaxMmPerS: 100_000)
  }

  @Test("The first fix scores, whatever its accuracy")
  func first() throws {
    for accuracyM in [0, 50] as [UInt32] {
      var test = try Self.game()
      test.move(0, Yard.fix(accuracyM: accuracyM))
      #expect(test.points() == [0: 1])
    }
  }

  @Test("A fix scores when it lies 5 m or its accuracy or more from all earlier points", arguments: [0, 5, 12, 50])
  func apart(accuracyM: UInt32) throws {
    let apartM = max(5, Double(accuracyM))
    for (northM, eastM) in [(1.0, 0.0), (0.0, -1.0), (-0.6, 0.8)] {
      for (factor, points) in [(apartM - 0.02, 1), (apartM + 0.02, 2)] as [(Double, UInt32)] {
        var test = try Self.game()
        test.move(0, Yard.fix(accuracyM: 5))
        test.wait(.seconds(1))
        test.move(0, Yard.fix(northM: northM * factor, eastM: eastM * factor, accuracyM: accuracyM))
        #expect(test.points() == [0: points])
      }
    }
  }

  @Test("The first step of more than 5 m, measured in units of latitude, is the one that scores")
  func threshold() throws {
    // 449 units of latitude are 4,993 mm, 450 are 5,004 mm.
    for (units, points) in [(449, 1), (450, 2)] as [(Int32, UInt32)] {
      var test = try Self.game()
      test.move(0, Fix(latE7: 0, lngE7: 0, accuracyM: 5))
      test.wait(.seconds(1))
      test.move(0, Fix(latE7: units, lngE7: 0, accuracyM: 5))
      #expect(test.points() == [0: points])
    }
  }

  @Test("Distances are measured from points that scored, not from every fix")
  func fromPoints() throws {
    var test = try Self.game()
    for step in 0...10 {
      test.move(0, Yard.fix(northM: Double(step) * 3))
      test.wait(.seconds(1))
    }
    #expect(test.points() == [0: 6])
  }

  @Test("Others' points do not block")
  func others() throws {
    var test = try Self.game()
    test.move(0, Yard.fix())
    test.move(1, Yard.fix())
    #expect(test.points() == [0: 1, 1: 1])
  }

  @Test("A phone at rest within its accuracy never scores again")
  func standing() throws {
    var test = try Self.game()
    for step in 0..<500 {
      let angle = Double(step) * 2.4
      test.move(0, Yard.fix(northM: 4 * sin(angle), eastM: 4 * cos(angle), accuracyM: 9))
      test.wait(.seconds(1))
    }
    #expect(test.points() == [0: 1])
  }

  @Test("Fixes are judged once a second on average, with a burst of two: a faster phone gains nothing")
  func judged() throws {
    for intervalMs in [100, 200, 1_000] {
      var test = try Self.game()
      for step in 0..<(20_000 / intervalMs) {
        test.move(0, Yard.fix(northM: Double(step) * 6))
        test.wait(.milliseconds(intervalMs))
      }
      let points = try #require(test.points()[0])
      #expect(intervalMs == 1_000 ? points == 20 : (20...21).contains(points), "\(intervalMs) ms: \(points)")
    }
  }

  @Test("A phone whose fixes come in pairs loses nothing")
  func jittery() throws {
    var test = try Self.game()
    for step in 0..<20 {
      test.move(0, Yard.fix(northM: Double(step) * 6))
      test.wait(.milliseconds(step % 2 == 0 ? 50 : 1_950))
    }
    #expect(test.points() == [0: 20])
  }

  @Test("The points of a long walk are those of an exhaustive search, near the poles and the date line too")
  func againstBruteForce() throws {
    let seed: UInt64 = 20_260_107
    var random = SplitMix64(seed: seed)
    for (latE7, lngE7) in [(375_000_000, 1_267_000_000), (849_900_000, 1_799_999_000), (-600_000_000, -1_800_000_000)]
      as [(Int32, Int32)]
    {
      var test = try Self.game()
      var scored: [Coordinate] = []
      var at = Coordinate(latE7: latE7, lngE7: lngE7)
      for _ in 0..<1_500 {
        let accuracyM = UInt32.random(in: 0...25, using: &random)
        at.latE7 += Int32.random(in: -900...900, using: &random)
        var lngE7 = Int64(at.lngE7) + Int64.random(in: -900...900, using: &random)
        if lngE7 > 1_800_000_000 { lngE7 -= 3_600_000_000 }
        if lngE7 < -1_800_000_000 { lngE7 += 3_600_000_000 }
        at.lngE7 = Int32(lngE7)
        test.move(0, Fix(latE7: at.latE7, lngE7: at.lngE7, accuracyM: accuracyM))
        test.wait(.seconds(1))
        let apartMm = max(5_000, Int64(accuracyM) * 1_000)
        if scored.allSatisfy({ !Geodesy.isWithin(apartMm - 1, $0, at) }) || scored.isEmpty {
          scored.append(at)
        }
      }
      let expected = scored.map { "\($0.latE7) \($0.lngE7)" }.sorted()
      let actual = test.room.footprints(seat: 0).map { "\($0.latE7) \($0.lngE7)" }.sorted()
      #expect(actual == expected, "seed \(seed)")
      #expect(test.points()[0] == UInt32(expected.count))
      #expect(expected.count > 100)
    }
  }
}
