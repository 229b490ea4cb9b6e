// Ways of players: the ends that others don't see, and thinning.
import Game
import Testing

@Suite("A way is cut and thinned in whole millimetres") struct GameWayTests {
  /// A walk to the north, a step a second.
  private static func walk(metres: ClosedRange<Int>, every stepM: Int = 1) -> GameWay {
    GameWay(
      stride(from: metres.lowerBound, through: metres.upperBound, by: stepM).enumerated().map { second, metre in
        GameWay.Step(atMs: UInt32(second) * 1_000, place(northM: Double(metre)))
      }
    )
  }

  private static func place(northM: Double, eastM: Double = 0) -> Coordinate {
    let fix = Yard.fix(northM: northM, eastM: eastM)
    return Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)
  }

  @Test("The first and the last 200 m walked are cut off; of less than 400 m nothing is left")
  func ends() throws {
    let whole = Self.walk(metres: 0...1_000)
    let shown = whole.withoutEnds
    let first = try #require(shown.steps.first)
    let last = try #require(shown.steps.last)
    for (end, shownEnd) in [(whole.steps[0], first), (whole.steps[1_000], last)] {
      let mm = try #require(Geodesy.distanceMm(end.place, shownEnd.place))
      // Distance counts by steps of ten metres.
      #expect((GameWay.endMm..<GameWay.endMm + 11_000).contains(mm), "\(mm)")
    }
    #expect(Array(whole.steps.drop { $0 != first }.prefix(shown.steps.count)) == shown.steps)
    #expect(Self.walk(metres: 0...395).withoutEnds.steps.isEmpty)
    #expect(Self.walk(metres: 0...10).withoutEnds.steps.isEmpty && GameWay().withoutEnds.steps.isEmpty)
    #expect(!Self.walk(metres: 0...450).withoutEnds.steps.isEmpty)
  }

  @Test("A receiver that lies still before and after a walk adds nothing to the distance walked")
  func standing() throws {
    let lying = (0..<2_000).map { second in
      GameWay.Step(
        atMs: UInt32(second),
        Self.place(northM: second.isMultiple(of: 2) ? 0 : 6, eastM: Double(second % 5))
      )
    }
    let walk = Self.walk(metres: 0...1_000).steps
    let shown = GameWay(lying + walk + lying.reversed().map { GameWay.Step(atMs: $0.atMs, $0.place) }).withoutEnds
    #expect(
      shown.steps.allSatisfy { step in
        (Geodesy.distanceMm(step.place, Self.place(northM: 0)) ?? 0) >= 190_000
      }
    )
    #expect(shown.steps.count > 500)
  }

  @Test("A step of more than 100 m adds nothing, so that more is cut off")
  func gaps() {
    #expect(Self.walk(metres: 0...3_000, every: 150).withoutEnds.steps.isEmpty)
    #expect(!Self.walk(metres: 0...3_000, every: 90).withoutEnds.steps.isEmpty)
  }

  @Test("Ways are thinned by distance until all have few places enough, and keep their ends")
  func thinned() throws {
    let ways = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, Self.walk(metres: 0...3_000)) })
    let few = GameWays(ways, stepsMax: 20_000)
    #expect(few.spacingM == 4 && few.bySeat.values.reduce(0) { $0 + $1.steps.count } <= 20_000)
    for way in few.bySeat.values {
      #expect(way.steps.first == ways[0]?.steps.first && way.steps.last == ways[0]?.steps.last)
      for (one, next) in zip(way.steps, way.steps.dropFirst()).dropLast() {
        #expect(try #require(Geodesy.distanceMm(one.place, next.place)) >= 3_990)
      }
    }
    #expect(GameWays(ways, stepsMax: 60).bySeat.values.reduce(0) { $0 + $1.steps.count } <= 60)
    #expect(GameWays([3: GameWay()], stepsMax: 60).bySeat.isEmpty)
  }
}
