// The rules of a player's watch, one by one.
import Game
import Testing

@Suite("Fences: a watch")
struct FenceWatchTests {
  private let ground = TestGround()

  private func take(
    _ watch: inout FenceWatch,
    _ eastM: Double,
    _ catalogue: FenceCatalogue,
    at second: Int,
    accuracyM: UInt32 = 5
  ) -> [FenceEvent] {
    watch.take(ground.at(eastM, 0), accuracyM: accuracyM, at: .seconds(second), in: catalogue)
  }

  private func event(_ kind: FenceEvent.Kind, _ id: UInt128 = 1, at second: Int) -> FenceEvent {
    FenceEvent(kind, FenceID(id), at: .seconds(second))
  }

  @Test("A player enters with the second fix, dwells once and leaves; the second fix needs no step")
  func oneStay() throws {
    let fences = FenceCatalogue([try ground.circle(1, radiusM: 100, dwellS: 60)], generation: 1)
    var watch = FenceWatch()
    #expect(watch.nextCheckM == 0)
    #expect(take(&watch, 500, fences, at: 0).isEmpty)
    #expect((380...400).contains(watch.nextCheckM))
    #expect(take(&watch, 92, fences, at: 10).isEmpty)
    #expect(watch.isWaiting)
    #expect(watch.nextCheckM == 0)
    #expect(take(&watch, 92, fences, at: 11) == [event(.entered, at: 11)])
    #expect(watch.inside == [FenceID(1)])
    #expect(watch.nextCheckM >= 5)
    #expect(watch.nextCheck(in: fences) == .seconds(71))
    #expect(take(&watch, 92, fences, at: 70).isEmpty)
    #expect(watch.pass(at: .seconds(71), in: fences) == [event(.dwelled, at: 71)])
    #expect(watch.pass(at: .seconds(99), in: fences).isEmpty)
    #expect(take(&watch, 150, fences, at: 100).isEmpty)
    #expect(take(&watch, 190, fences, at: 101) == [event(.left, at: 101)])
    #expect(watch.inside.isEmpty)
    #expect(take(&watch, 90, fences, at: 200) == [event(.entered, at: 200)])
  }

  @Test("Nobody is told to dwell without a fix for 120 s; the next fix tells, unless it shows them outside")
  func silence() throws {
    let fences = FenceCatalogue([try ground.circle(1, radiusM: 100, dwellS: 300)], generation: 1)
    for isBack in [true, false] {
      var watch = FenceWatch()
      #expect(take(&watch, 0, fences, at: 0) == [event(.entered, at: 0)])
      #expect(take(&watch, 0, fences, at: 179).isEmpty)
      #expect(watch.nextCheck(in: fences) == .seconds(300))
      #expect(watch.pass(at: .seconds(350), in: fences).isEmpty)
      #expect(take(&watch, isBack ? 0 : 300, fences, at: 400) == [event(isBack ? .dwelled : .left, at: 400)])
    }
    var watch = FenceWatch()
    _ = take(&watch, 0, fences, at: 0)
    _ = take(&watch, 0, fences, at: 180)
    // The next fix tells the same, before it says that the player has left.
    #expect(take(&watch, 300, fences, at: 400) == [event(.dwelled, at: 300), event(.left, at: 400)])
  }

  @Test("A stay whose end is not yet decided does not dwell")
  func leavingDoesNotDwell() throws {
    let fences = FenceCatalogue([try ground.circle(1, radiusM: 100, dwellS: 60)], generation: 1)
    var watch = FenceWatch()
    _ = take(&watch, 0, fences, at: 0)
    #expect(take(&watch, 150, fences, at: 30).isEmpty)
    #expect(watch.isWaiting)
    #expect(watch.pass(at: .seconds(80), in: fences).isEmpty)
    #expect(take(&watch, 120, fences, at: 90) == [event(.dwelled, at: 90)])
  }

  @Test("A fix is a look when the centre's step and the change of accuracy are 5 m together")
  func looks() throws {
    let fences = FenceCatalogue([try ground.circle(1, radiusM: 100)], generation: 1)
    var watch = FenceWatch()
    #expect(take(&watch, 80, fences, at: 0, accuracyM: 23).isEmpty)
    // Twice the circle is inside, but nothing has changed by 5 m.
    #expect(take(&watch, 80, fences, at: 1, accuracyM: 19).isEmpty)
    #expect(!watch.isWaiting)
    #expect(take(&watch, 79, fences, at: 2, accuracyM: 19).isEmpty)
    #expect(watch.isWaiting)
    #expect(take(&watch, 79, fences, at: 3, accuracyM: 19) == [event(.entered, at: 3)])
  }

  @Test("A fence is judged from its opening on, with the next fix, and left when it closes")
  func opening() throws {
    let fences = FenceCatalogue(
      [try ground.circle(1, radiusM: 100, dwellS: 50, opensAt: 50, closesAt: 100)],
      generation: 1
    )
    var watch = FenceWatch()
    #expect(take(&watch, 0, fences, at: 0).isEmpty)
    #expect(watch.nextCheck(in: fences) == .seconds(50))
    #expect(take(&watch, 0, fences, at: 49).isEmpty)
    #expect(watch.pass(at: .seconds(50), in: fences).isEmpty)
    #expect(take(&watch, 1, fences, at: 51) == [event(.entered, at: 51)])
    #expect(watch.pass(at: .seconds(99), in: fences).isEmpty)
    #expect(watch.pass(at: .seconds(130), in: fences) == [event(.left, at: 100)])
    #expect(watch.inside.isEmpty)
    #expect(take(&watch, 1, fences, at: 131).isEmpty)
    // A late fix from before the closing brings nobody back.
    var late = FenceWatch()
    #expect(late.pass(at: .seconds(130), in: fences).isEmpty)
    #expect(take(&late, 0, fences, at: 60).isEmpty)
  }

  @Test("Dwelling that is complete when the fence closes comes before leaving it")
  func dwellingAtClosing() throws {
    let fences = FenceCatalogue([try ground.circle(1, radiusM: 100, dwellS: 100, closesAt: 100)], generation: 1)
    var watch = FenceWatch()
    _ = take(&watch, 0, fences, at: 0)
    #expect(watch.pass(at: .seconds(100), in: fences) == [event(.dwelled, at: 100), event(.left, at: 100)])
  }

  @Test("Stays outlast a change of the catalogue; a removed fence is dropped without an event, a new one is judged")
  func otherCatalogue() throws {
    let (one, two, three) = (
      try ground.circle(1, radiusM: 100), try ground.circle(2, radiusM: 100), try ground.circle(3, radiusM: 100)
    )
    var watch = FenceWatch()
    let first = FenceCatalogue([one, two], generation: 1)
    #expect(take(&watch, 0, first, at: 0) == [event(.entered, 1, at: 0), event(.entered, 2, at: 0)])
    let second = FenceCatalogue([two, three], generation: 2)
    #expect(take(&watch, 0, second, at: 1) == [event(.entered, 3, at: 1)])
    #expect(watch.inside == [FenceID(2), FenceID(3)])
    #expect(take(&watch, 500, second, at: 9) == [event(.left, 2, at: 9), event(.left, 3, at: 9)])
  }

  @Test("A stay outlasts a new area: a fence larger than the area is left behind its edge")
  func largeFence() throws {
    let fences = FenceCatalogue([try ground.circle(1, radiusM: 9_000)], generation: 1)
    var watch = FenceWatch()
    var events: [FenceEvent] = []
    for second in 0..<2_000 { events += take(&watch, -10_003 + 10 * Double(second), fences, at: second) }
    // 7 m inside says so, and 17 m; 37 m outside, and 47 m.
    #expect(events == [event(.entered, at: 102), event(.left, at: 1_905)])
  }

  @Test("A player is in 32 fences at most, in all of ten thousand in one place")
  func crowded() throws {
    let fences = FenceCatalogue(try (0..<10_000).map { try ground.circle($0, radiusM: 100) }, generation: 1)
    var watch = FenceWatch()
    #expect(take(&watch, 0, fences, at: 0).count == 32)
    #expect(take(&watch, 20, fences, at: 1).isEmpty)
    #expect(watch.nextCheckM == 5)
    #expect(take(&watch, 800, fences, at: 2).count == 32)
    #expect(watch.inside.isEmpty)
    #expect(watch.nextCheckM > 500)
  }

  @Test("A full watch set ends where its furthest fence is, and is renewed there")
  func fullSet() throws {
    // A fence every 4 m along a line: 256 of them reach 510 m to either side.
    let all = try (0..<1_000).map { try ground.circle($0, Double($0) * 4 - 2_000, 0, radiusM: 5) }
    let fences = FenceCatalogue(all, generation: 1)
    var watch = FenceWatch()
    var plain = PlainFenceWatch(all)
    _ = watch.take(ground.at(0, 200), accuracyM: 5, at: .seconds(0), in: fences)
    #expect((150...190).contains(watch.nextCheckM))
    _ = plain.take(ground.at(0, 200), accuracyM: 5, at: .seconds(0))
    var told = 0
    for second in 1..<800 {
      let eastM = Double(second) * 2 - 900
      let events = take(&watch, eastM, fences, at: second, accuracyM: 3)
      #expect(Set(events) == plain.take(ground.at(eastM, 0), accuracyM: 3, at: .seconds(second)))
      told += events.count
    }
    // The looks are 6 m apart, so that some fences of 10 m are passed between two.
    #expect(told > 300)
  }

  @Test("The watch itself is small")
  func size() {
    #expect(MemoryLayout<FenceWatch>.size <= 200)
  }
}
