// A player's presence outside of rooms: what a fix is believed to show, and what an unbelieved one may not do.
import Game
import Testing

@Suite("Presence: a player outside of rooms")
struct PresenceTests {
  private let ground = TestGround()
  private let fences = FenceCatalogue([], generation: 1)
  private static let start = Instant(milliseconds: 1_790_000_000_000)

  private static func at(_ seconds: Double) -> Instant { start + .milliseconds(Int64(seconds * 1_000)) }

  private func fix(_ northM: Double, at seconds: Double? = nil, mocked: Bool = false) -> Fix {
    let place = ground.at(northM, 0)
    return Fix(
      latE7: place.latE7,
      lngE7: place.lngE7,
      accuracyM: 5,
      time: seconds.map { Self.at($0) },
      mocked: mocked
    )
  }

  /// Takes a fix of this moment.
  @discardableResult
  private func take(_ northM: Double, at seconds: Double, _ presence: inout Presence, mocked: Bool = false)
    -> Presence.Judgement
  {
    presence.take(fix(northM, mocked: mocked), at: Self.at(seconds), in: fences)
  }

  @Test("The first fix is believed and asks for the capsules around it; those within 100 m are told once")
  func first() {
    var presence = Presence()
    #expect(presence.isAsMade && presence.place(at: Self.at(0), ageMaxMs: 30_000) == nil)
    let judgement = take(0, at: 0, &presence)
    #expect(
      judgement.verdict == .accepted && judgement.isBelieved && judgement.capsules?.missingAround == ground.at(0, 0)
    )
    let near = [NearCapsule(number: 1, place: ground.at(50, 0)), NearCapsule(number: 2, place: ground.at(500, 0))]
    let update = presence.renewCapsules(around: ground.at(0, 0), with: near)
    #expect(update.changes.openable.map(\.number) == [1] && update.changes.closed.isEmpty)
    let next = take(5, at: 1, &presence)
    #expect(next.capsules?.changes.isEmpty == true && next.capsules?.missingAround == nil)
    #expect(presence.place(at: Self.at(31), ageMaxMs: 30_000) == ground.at(5, 0))
    #expect(presence.place(at: Self.at(31.001), ageMaxMs: 30_000) == nil)
  }

  @Test("A jump opens nothing before it could have been walked, also when the filter believes it")
  func jump() {
    var presence = Presence()
    take(0, at: 0, &presence)
    _ = presence.renewCapsules(around: ground.at(0, 0), with: [])
    // 1,000 m at 12.5 m/s take 80 s.
    var believedAt: Double?
    for second in 1...120 where believedAt == nil {
      let judgement = take(1_000, at: Double(second), &presence)
      #expect(judgement.isBelieved || judgement.capsules == nil)
      if judgement.isBelieved { believedAt = Double(second) } else { #expect(judgement.events.isEmpty) }
    }
    #expect(believedAt.map { (78...80).contains($0) } == true, "\(believedAt ?? 0)")
    #expect(presence.place(at: Self.at(120), ageMaxMs: 60_000) == ground.at(1_000, 0))
  }

  @Test("Behind half an hour of silence a player may be anywhere")
  func silence() {
    for (seconds, isBelieved) in [(1_700.0, false), (1_800.0, true)] {
      var presence = Presence()
      take(0, at: 0, &presence)
      var judgement = take(500_000, at: seconds, &presence)
      // The filter wants further fixes that agree.
      for further in 1...12 { judgement = take(500_000, at: seconds + Double(further), &presence) }
      #expect(judgement.verdict == .accepted && judgement.isBelieved == isBelieved)
    }
  }

  @Test("A fix older than 30 s counts for fences, and opens nothing")
  func late() {
    var presence = Presence()
    let judgement = presence.take(fix(0, at: -31), at: Self.at(0), in: fences)
    #expect(judgement.verdict == .accepted && judgement.isBelieved && judgement.capsules == nil)
    let fresh = presence.take(fix(10, at: -29), at: Self.at(0), in: fences)
    #expect(fresh.capsules?.missingAround == ground.at(10, 0))
    #expect(presence.take(fix(20, at: -121), at: Self.at(0), in: fences).verdict == .repeated)
    var other = Presence()
    #expect(other.take(fix(0, at: -121), at: Self.at(0), in: fences).verdict == .tooOld)
  }

  @Test("A mocked fix is not believed, and the player is nowhere until a fix is; three in a minute make a suspect")
  func mocked() {
    var presence = Presence()
    take(0, at: 0, &presence)
    let judgement = take(5, at: 1, &presence, mocked: true)
    #expect(judgement.verdict == .mocked && !judgement.isBelieved && judgement.capsules == nil)
    #expect(presence.isDisbelieved && !presence.isSuspect && presence.place(at: Self.at(1), ageMaxMs: 30_000) == nil)
    #expect(take(10, at: 2, &presence).isBelieved && !presence.isDisbelieved)
    take(10, at: 3, &presence, mocked: true)
    let third = take(10, at: 4, &presence, mocked: true)
    #expect(third.isSuspect && third.changesSuspicion && presence.isSuspect)
    // Capsules that arrive meanwhile are not told.
    let update = presence.renewCapsules(
      around: ground.at(0, 0),
      with: [NearCapsule(number: 1, place: ground.at(0, 0))]
    )
    #expect(update.changes.openable.isEmpty)
    #expect(!take(10, at: 5, &presence).isBelieved)
  }

  @Test("A client that begins to watch again is told again; a rest keeps the filter")
  func again() {
    var presence = Presence()
    take(0, at: 0, &presence)
    let near = [NearCapsule(number: 1, place: ground.at(0, 0))]
    #expect(presence.renewCapsules(around: ground.at(0, 0), with: near).changes.openable.map(\.number) == [1])
    presence.rest()
    #expect(!presence.isAsMade)
    #expect(!begin(&presence))
    #expect(take(1_000, at: 11, &presence).verdict == .setAside, "the filter goes on")
    #expect(take(5, at: 12, &presence).capsules?.missingAround == ground.at(5, 0))
    #expect(presence.renewCapsules(around: ground.at(5, 0), with: near).changes.openable.map(\.number) == [1])
  }

  @Test("The next check is as far as nothing can change, and 1 s while the next fix decides")
  func nextCheck() {
    var presence = Presence()
    #expect(presence.nextCheck(at: Self.at(0), in: fences) == (0, 1))
    take(0, at: 0, &presence)
    #expect(presence.nextCheck(at: Self.at(0), in: fences) == (0, 1), "the capsules are to be read")
    _ = presence.renewCapsules(around: ground.at(0, 0), with: [NearCapsule(number: 1, place: ground.at(400, 0))])
    let next = presence.nextCheck(at: Self.at(0), in: fences)
    #expect((285...300).contains(next.m))
    // At 12.5 m/s.
    #expect(next.s == next.m * 1_000 / 12_500)
    #expect(presence.nextCheck(at: Self.at(10), in: fences).s == next.s - 10)
  }

  @Test("A single capsule is told when it is put near, and told anew when it is put again: it may have been edited")
  func changes() {
    var presence = Presence()
    take(0, at: 0, &presence)
    _ = presence.renewCapsules(around: ground.at(0, 0), with: [])
    let capsule = NearCapsule(number: 1, place: ground.at(20, 0))
    #expect(presence.putCapsule(capsule).changes.openable == [capsule])
    // Its words may have changed, so it is told again.
    #expect(presence.putCapsule(capsule).changes.openable == [capsule])
    let far = presence.putCapsule(NearCapsule(number: 2, place: ground.at(300, 0)))
    #expect(far.changes.isEmpty)
    take(0, at: 1, &presence, mocked: true)
    #expect(presence.putCapsule(capsule).changes.isEmpty, "the player is nowhere")
    #expect(take(0, at: 2, &presence).capsules?.changes.openable == [capsule])
  }

  private func begin(_ presence: inout Presence) -> Bool { presence.beginWatching() }

  /// The belief of a room in a player at a place.
  private func believed(_ northM: Double, at seconds: Double) throws -> PositionSample {
    var room = JournaledRoom(try RoomConfiguration(mode: .footprint), seed: 1, at: Self.at(seconds - 1))
    var effects = Effects()
    for number in 1...2 {
      _ = room.apply(.join(PlayerID(UInt128(number)), nickname: "\(number)"), at: Self.at(seconds - 1), into: &effects)
    }
    _ = room.apply(.startGame(.seat(0)), at: Self.at(seconds - 1), into: &effects)
    _ = room.apply(.move(.seat(0), fix(northM)), at: Self.at(seconds), into: &effects)
    let sample = room.believedFix(seat: 0)
    return try #require(sample)
  }

  @Test("A place that a room has believed counts, unless the player can't have come there from the last believed one")
  func learned() throws {
    var presence = Presence()
    presence.learn(try believed(0, at: 0), isSuspect: false)
    #expect(!presence.isAsMade && presence.place(at: Self.at(1), ageMaxMs: 30_000) == ground.at(0, 0))
    #expect(!take(1_000, at: 1, &presence).isBelieved, "the first fix of a watch, elsewhere")
    presence.learn(try believed(2_000, at: 10), isSuspect: false)
    #expect(presence.place(at: Self.at(10), ageMaxMs: 30_000) == ground.at(0, 0), "a jump in a room")
    presence.learn(try believed(100, at: 11), isSuspect: false)
    #expect(presence.place(at: Self.at(11), ageMaxMs: 30_000) == ground.at(100, 0))
    presence.learn(try believed(0, at: 5), isSuspect: false)
    #expect(presence.place(at: Self.at(11), ageMaxMs: 30_000) == ground.at(100, 0), "an older one")
    #expect(!begin(&presence))
  }

  @Test("A suspicion that a room has found is told at the next watch, and ended by ten fixes that agree")
  func learnedSuspicion() {
    var presence = Presence()
    presence.learn(nil, isSuspect: true)
    #expect(presence.isSuspect && !presence.isAsMade)
    #expect(begin(&presence))
    #expect(!begin(&presence), "once")
    for second in 0..<10 { #expect(!take(0, at: Double(second), &presence).isBelieved) }
    let end = take(0, at: 10, &presence)
    #expect(end.isBelieved == false && end.changesSuspicion && !presence.isSuspect)
    #expect(take(0, at: 11, &presence).isBelieved)
  }

  @Test("A capsule near a fix that is not believed is no matter of reach")
  func strays() {
    var presence = Presence()
    take(0, at: 0, &presence)
    #expect(presence.opening(of: ground.at(50, 0), at: Self.at(0)) == .opens)
    #expect(presence.opening(of: ground.at(1_000, 0), at: Self.at(0)) == .outOfReach)
    #expect(take(1_000, at: 1, &presence).verdict == .setAside)
    #expect(presence.opening(of: ground.at(1_000, 0), at: Self.at(1)) == .notBelieved)
    #expect(presence.opening(of: ground.at(-300, 0), at: Self.at(1)) == .outOfReach)
    #expect(presence.opening(of: ground.at(50, 0), at: Self.at(1)) == .opens)
    take(5, at: 2, &presence)
    #expect(presence.opening(of: ground.at(1_000, 0), at: Self.at(2)) == .outOfReach)
    #expect(presence.opening(of: ground.at(5, 0), at: Self.at(33)) == .fixNeeded)
  }
}
