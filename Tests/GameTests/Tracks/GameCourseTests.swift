// The course of a game out of a room's journal, and what others see of it.
import Game
import Testing

@Suite("The course of a game") struct GameCourseTests {
  /// A game of 20 minutes in which two players walk north, the second one slower.
  private static func journal(seconds: Int = 600) throws -> TestJournal {
    var journal = TestJournal(try RoomConfiguration(capacity: 2, duration: .seconds(1_200)))
    journal.apply(.join(TestRoom.player(0), nickname: "가람"))
    journal.apply(.join(TestRoom.player(1), nickname: "나래"))
    journal.apply(.startGame(.seat(0)))
    for second in 1...seconds {
      journal.wait(.seconds(1))
      journal.apply(.move(.seat(0), Yard.fix(northM: Double(second) * 3)))
      journal.apply(.move(.seat(1), Yard.fix(northM: Double(second), eastM: 50)))
      if second.isMultiple(of: 10) { journal.apply(.tick(through: .max)) }
    }
    let kept = [Yard.fix(northM: Double(seconds) * 3 + 3, time: journal.now + .milliseconds(500))]
    journal.wait(.seconds(1))
    journal.apply(.moves(.seat(0), FixBatch(kept, hasMore: false, aliveSince: journal.now)))
    journal.wait(.seconds(1_300))
    journal.apply(.tick(through: .max))
    journal.cut()
    return journal
  }

  @Test("It has the ways and points of everybody, by the clock of the game, and the result of the rules")
  func course() throws {
    let journal = try Self.journal()
    let course = try GameCourse(1, in: journal.bytes)
    #expect(course.result == journal.results.first && course.mode == .footprint && course.endMs == 1_200_000)
    #expect(course.ground == nil && course.lands.isEmpty && course.landCaptures.isEmpty)
    let first = try #require(course.ways.bySeat[0]).steps
    #expect(course.ways.bySeat.count == 2 && first.count == 601 && course.ways.spacingM == 2)
    #expect(first[0].atMs == 1_000 && first.last?.atMs == 600_500)
    // The slower one moves a metre a second: every second or third place is kept.
    #expect(try (195...305).contains(#require(course.ways.bySeat[1]).steps.count))
    let points = Dictionary(course.scores.map { ($0.seat, $0.points) }) { $1 }
    for row in course.result.board { #expect(points[row.seat] == row.points) }
    #expect(zip(course.scores, course.scores.dropFirst()).allSatisfy { $0.atMs <= $1.atMs })
    #expect(throws: (any Error).self) { try GameCourse(2, in: journal.bytes) }
  }

  @Test("Others see the ways of some, without their ends, and points in steps of ten seconds")
  func shared() throws {
    let course = try GameCourse(1, in: try Self.journal().bytes)
    let shared = course.shared(showing: [0])
    #expect(Array(shared.ways.bySeat.keys) == [0])
    let steps = try #require(shared.ways.bySeat[0]).steps
    let whole = try #require(course.ways.bySeat[0]).steps
    let ends = [try #require(whole.first), try #require(whole.last)]
    for step in steps {
      for end in ends { #expect(try #require(Geodesy.distanceMm(step.place, end.place)) >= 200_000) }
    }
    #expect(steps.count > 400)
    #expect(shared.scores.allSatisfy { $0.atMs.isMultiple(of: 10_000) } && !shared.scores.isEmpty)
    #expect(Set(shared.scores.map(\.seat)) == [0, 1])
    #expect(course.shared(showing: []).ways.bySeat.isEmpty)
    #expect(course.shared(showing: [0, 1]).ways.bySeat[1]?.steps.count ?? 0 > 50)
  }

  @Test(
    "Others see the moment of a land's capture in steps of ten seconds, and none behind the game's end",
    arguments: [60, 28]
  )
  func sharedCaptures(seconds: Int) throws {
    let land = try TestLands.square()
    let lands = [land, try TestLands.square(2, eastM: 140)]
    var journal = TestJournal(
      try RoomConfiguration(mode: .land(LandSettings(lands: lands)), capacity: 2, duration: .seconds(seconds))
    )
    for seat in 0...1 { journal.apply(.join(TestRoom.player(seat), nickname: "가람")) }
    journal.apply(.startGame(.seat(0)))
    for place in land.vertices {
      journal.wait(.seconds(1))
      journal.apply(.move(.seat(0), Fix(latE7: place.latE7, lngE7: place.lngE7, accuracyM: 5)))
    }
    journal.apply(.tick(through: .max))
    journal.wait(.seconds(seconds))
    journal.apply(.tick(through: .max))
    journal.cut()
    let course = try GameCourse(1, in: journal.bytes)
    let captured = try #require(course.landCaptures.first)
    #expect(course.landCaptures.count == 1 && (20_001..<28_000).contains(captured.atMs))
    #expect(!captured.atMs.isMultiple(of: 10_000))
    let shared = course.shared(showing: [])
    #expect(shared.landCaptures.map(\.atMs) == [min(30_000, UInt32(seconds) * 1_000)])
    #expect(shared.landCaptures.map(\.land) == [captured.land] && shared.landCaptures.map(\.seat) == [0])
  }
}
