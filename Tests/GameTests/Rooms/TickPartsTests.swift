// The parts of ticks: rows by what a member has and where they are, everything else whole.
import Game
import Testing

@Suite("Rooms: parts of ticks")
struct TickPartsTests {
  /// A room in which three players walk: two near each other, one 1 km away.
  private struct Crowd: ~Copyable {
    var room: JournaledRoom
    var now = TestRoom.made
    var effects = Effects()
    var parts = TickParts()

    init() throws {
      room = JournaledRoom(try RoomConfiguration(capacity: 50, tickHz: 2), seed: 1, at: now)
      for number in 0..<4 { apply(.join(TestRoom.player(number), nickname: "player \(number)")) }
      apply(.startGame(.seat(0)))
      _ = tick()
    }

    mutating func apply(_ input: Input) {
      _ = room.apply(input, at: now, into: &effects)
    }

    mutating func move(_ seat: Int, northM: Double) {
      apply(.move(.seat(seat), Yard.fix(northM: northM)))
    }

    /// Half a second later, a tick; returns the mark before it.
    mutating func tick() -> TickMark {
      now = now + .milliseconds(500)
      let seen = mark
      apply(.tick(through: .max))
      parts.begin(effects.tick, after: seen, of: room)
      return seen
    }

    var mark: TickMark {
      TickMark(broadcastNumber: room.broadcastNumber, eventNumber: room.carriedEventNumber)
    }

    mutating func make(_ mark: TickMark, _ rows: TickPart.Rows) -> Tick {
      var tick = Tick()
      #expect(parts.make(TickPart(after: mark, rows), of: room, into: &tick))
      return tick
    }

    var vicinities: [Vicinity?] { (0..<5).map(parts.rows.vicinity(ofSeat:)) }
  }

  @Test("A part has the rows that are near, or all, or none; and everything else")
  func rows() throws {
    var crowd = try Crowd()
    for (seat, northM) in [(0, 0.0), (1, 150), (2, 1_000)] { crowd.move(seat, northM: northM) }
    crowd.apply(.chat(.seat(3), text: "안녕"))
    crowd.apply(.readChat(.seat(3), upTo: 6))
    let seen = crowd.tick()
    let vicinities = crowd.vicinities
    #expect(vicinities.map { $0 != nil } == [true, true, true, false, false])
    let first = try #require(vicinities[0])
    let last = try #require(vicinities[2])
    let near = crowd.make(seen, .near(first))
    #expect(near.seats == [0, 1] && near.points == [1, 1])
    #expect(near.events.count == 1 && near.cursors.count == 1 && near.number == 2 && near.gameMs == 1_000)
    #expect(crowd.make(seen, .near(last)).seats == [2])
    #expect(crowd.make(seen, .without).seats.isEmpty)
    #expect(crowd.make(seen, .without).events.count == 1)
    #expect(crowd.make(seen, .all(after: seen.broadcastNumber)) == crowd.effects.tick)
    let events = crowd.make(seen, .events)
    #expect(events.events == near.events && events.seats.isEmpty && events.cursors.isEmpty)
    #expect(events.number == 2 && events.gameMs == 1_000)
  }

  @Test("All rows since a far beat come at the next one, the newest of each, with the events of that tick alone")
  func farBeat() throws {
    var crowd = try Crowd()
    let beat = crowd.mark
    for (seat, northM) in [(0, 0.0), (2, 1_000)] { crowd.move(seat, northM: northM) }
    _ = crowd.tick()
    crowd.move(2, northM: 1_002)
    _ = crowd.tick()
    crowd.move(1, northM: 150)
    crowd.apply(.chat(.seat(3), text: "!"))
    let seen = crowd.tick()
    let first = try #require(crowd.vicinities[0])
    #expect(crowd.make(seen, .near(first)).seats == [1])
    let far = crowd.make(seen, .all(after: beat.broadcastNumber))
    #expect(far.seats == [0, 1, 2] && far.events.count == 1 && far.skipped == 0)
    #expect(far.latE7[2] == Yard.fix(northM: 1_002).latE7)
    // A tick without any change has what was left out before.
    let quiet = crowd.tick()
    #expect(crowd.effects.tick.isEmpty)
    #expect(crowd.make(quiet, .near(first)).isEmpty)
    #expect(crowd.make(quiet, .all(after: beat.broadcastNumber)).seats == [0, 1, 2])
  }

  @Test("A member who took no ticks for a while gets their events, and the rows that are theirs")
  func merged() throws {
    var crowd = try Crowd()
    let mark = crowd.mark
    for step in 0..<3 {
      crowd.move(0, northM: Double(step))
      crowd.move(2, northM: 1_000 + Double(step))
      crowd.apply(.chat(.seat(3), text: "\(step)"))
      _ = crowd.tick()
    }
    let first = try #require(crowd.vicinities[0])
    let near = crowd.make(mark, .near(first))
    #expect(near.seats == [0] && near.events.count == 3 && near.skipped == 2)
    let events = crowd.make(mark, .events)
    #expect(events.seats.isEmpty && events.events.count == 3 && events.skipped == 0)
    let all = crowd.make(mark, .all(after: mark.broadcastNumber))
    #expect(all.seats == [0, 2] && all.latE7[0] == Yard.fix(northM: 2).latE7)
  }

  @Test("Events that are kept no longer make no part")
  func forgotten() throws {
    var crowd = try Crowd()
    let mark = TickMark(broadcastNumber: 0, eventNumber: 0)
    for _ in 0..<1_100 {
      crowd.apply(.leave(.seat(3)))
      crowd.apply(.join(TestRoom.player(3), nickname: "player 3"))
    }
    _ = crowd.tick()
    _ = crowd.tick()
    var tick = Tick()
    let isMade = crowd.parts.make(TickPart(after: mark, .events), of: crowd.room, into: &tick)
    #expect(!isMade)
  }

  @Test("A crowd on a square of 300 m is gathered, and one straggler scatters it")
  func gathered() throws {
    var crowd = try Crowd()
    _ = crowd.tick()
    #expect(crowd.parts.rows.isGathered)
    for (seat, northM) in [(0, 0.0), (1, 290)] { crowd.move(seat, northM: northM) }
    _ = crowd.tick()
    #expect(crowd.parts.rows.isGathered)
    crowd.move(2, northM: 310)
    _ = crowd.tick()
    #expect(!crowd.parts.rows.isGathered)
  }

  @Test("A long text or much ground makes a tick heavy; a position does not")
  func heavy() throws {
    var crowd = try Crowd()
    for seat in 0..<3 { crowd.move(seat, northM: 0) }
    _ = crowd.tick()
    #expect(!crowd.effects.tick.isHeavy)
    for _ in 0..<4 { crowd.apply(.chat(.seat(0), text: String(repeating: "가", count: 100))) }
    _ = crowd.tick()
    #expect(crowd.effects.tick.isHeavy)
  }

  @Test("Parts are in an order in which equal ones follow each other")
  func order() {
    let (early, late) = (
      TickMark(broadcastNumber: 1, eventNumber: 9), TickMark(broadcastNumber: 2, eventNumber: 1)
    )
    let here = Vicinity(of: Coordinate(latE7: 0, lngE7: 0))
    let there = Vicinity(of: Coordinate(latE7: 9_000_000, lngE7: 0))
    let ordered = [
      TickPart(after: early, .events), TickPart(after: early, .without), TickPart(after: early, .near(here)),
      TickPart(after: early, .near(there)), TickPart(after: early, .all(after: 0)),
      TickPart(after: early, .all(after: 1)),
      TickPart(after: late, .events),
    ]
    for seed in 0..<ordered.count { #expect((ordered[seed...] + ordered[..<seed]).sorted() == ordered) }
    #expect(Set(ordered).count == ordered.count)
  }
}
