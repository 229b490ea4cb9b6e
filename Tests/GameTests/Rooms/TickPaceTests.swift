// The pace of a member's ticks, without a room: what each tick has for them.
import Game
import Testing

@Suite("Rooms: paces")
struct TickPaceTests {
  private static func pace(_ maxHz: Int?, tickHz: Int = 10, capacity: Int = 49) throws -> TickPace {
    var pace = TickPace(try RoomConfiguration(capacity: capacity, tickHz: tickHz))
    if maxHz != nil { pace.change(to: maxHz) }
    return pace
  }

  /// The ticks of `0..<count` that have something, with everybody in the middle of the crowd and no events.
  private static func taken(_ pace: TickPace, _ count: UInt32, hasPosition: Bool = true) -> [UInt32: TickPace.Share] {
    var pace = pace
    var shares: [UInt32: TickPace.Share] = [:]
    for tick in 0..<count {
      let share = pace.take(tick: tick, hasEvents: false, hasPosition: hasPosition, isForAll: false)
      if share != .nothing { shares[tick] = share }
    }
    return shares
  }

  @Test("A pace takes a tick at most so often, on multiples of the room's ticks; the room's own takes each")
  func strides() throws {
    for (maxHz, tickHz, every) in [
      (1, 10, 10), (2, 10, 5), (3, 10, 4), (4, 10, 3), (9, 10, 2), (10, 10, 1), (20, 10, 1), (1, 3, 3), (2, 3, 2),
      (3, 3, 1), (1, 1, 1), (1, 20, 20),
    ] {
      let ticks = Self.taken(try Self.pace(maxHz, tickHz: tickHz), 60).keys.sorted()
      #expect(ticks == Array(stride(from: 0, to: 60, by: UInt32.Stride(every))), "\(maxHz) of \(tickHz)")
    }
    #expect(Self.taken(try Self.pace(nil), 60).count == 60)
  }

  @Test("An event brings everything, between beats too, and the next beat keeps its time")
  func events() throws {
    var pace = try Self.pace(2)
    func take(_ tick: UInt32, _ hasEvents: Bool) -> TickPace.Share {
      pace.take(tick: tick, hasEvents: hasEvents, hasPosition: true, isForAll: false)
    }
    #expect(take(3, false) == .all)
    #expect(take(4, false) == .nothing)
    #expect(take(4, true) == .all)
    #expect(take(5, false) == .all)
    #expect(take(9, false) == .nothing)
  }

  @Test("Events only is nothing else, however long")
  func eventsOnly() throws {
    var pace = try Self.pace(0)
    #expect(pace.isEventsOnly)
    #expect(Self.taken(pace, 100).isEmpty)
    #expect(pace.take(tick: 100, hasEvents: true, hasPosition: true, isForAll: true) == .events)
    pace.change(to: nil)
    #expect(!pace.isEventsOnly && pace.maxHz == nil)
    #expect(pace.take(tick: 101, hasEvents: false, hasPosition: true, isForAll: false) == .all)
  }

  @Test("In a room of 50 seats far beats are the first ticks of each 2.5 s, and the others are for the near")
  func farBeats() throws {
    for (tickHz, every) in [(2, 5), (10, 25), (20, 50), (3, 7), (1, 2)] {
      let shares = Self.taken(try Self.pace(nil, tickHz: tickHz, capacity: 50), 100)
      #expect(shares.count == 100)
      let far = shares.filter { $0.value == .all }.keys.sorted()
      #expect(far == Array(stride(from: 0, to: 100, by: UInt32.Stride(every))), "\(tickHz) Hz")
      #expect(every * (1_000 / tickHz) <= 2_500)
    }
    #expect(Self.taken(try Self.pace(nil, capacity: 49), 10).values.allSatisfy { $0 == .all })
  }

  @Test("With a pace of their own a member gets far players at least every 2.5 s")
  func farBeatsOfPaces() throws {
    for (maxHz, tickHz) in [(1, 2), (1, 3), (2, 3), (1, 10), (3, 10), (4, 10), (7, 20)] {
      let shares = Self.taken(try Self.pace(maxHz, tickHz: tickHz, capacity: 50), 200)
      let far = shares.filter { $0.value == .all }.keys.sorted()
      let gaps = zip(far, far.dropFirst()).map { Int($1 - $0) }
      #expect(far.first == 0 && gaps.allSatisfy { $0 * 1_000 <= 2_500 * tickHz }, "\(maxHz) of \(tickHz) Hz: \(far)")
      #expect(shares.contains { $0.value == .near } || maxHz * 5 <= 2 * 2)
    }
  }

  @Test("A beat that was missed is taken by the next tick, over the start of a game too")
  func missed() throws {
    var pace = try Self.pace(nil, tickHz: 2, capacity: 200)
    func take(_ tick: UInt32) -> TickPace.Share {
      pace.take(tick: tick, hasEvents: false, hasPosition: true, isForAll: false)
    }
    #expect(take(3) == .all)
    #expect(take(4) == .near)
    #expect(take(8) == .all)
    #expect(take(9) == .near)
    #expect(take(0) == .all)
  }

  @Test("A member without a position gets all rows at far beats, and at their own pace if they ask for one")
  func withoutPosition() throws {
    let patient = Self.taken(try Self.pace(nil, tickHz: 2, capacity: 200), 20, hasPosition: false)
    #expect(patient.filter { $0.value == .all }.keys.sorted() == [0, 5, 10, 15])
    let screen = Self.taken(try Self.pace(20, tickHz: 2, capacity: 200), 20, hasPosition: false)
    #expect(screen.values.filter { $0 == .all }.count == 20)
    let slow = Self.taken(try Self.pace(1, tickHz: 2, capacity: 200), 20, hasPosition: false)
    #expect(slow.keys.sorted() == Array(stride(from: 0, to: 20, by: 2)) && slow.values.allSatisfy { $0 == .all })
  }

  @Test("A tick that is the same for all is a far beat")
  func forAll() throws {
    var pace = try Self.pace(nil, tickHz: 2, capacity: 200)
    _ = pace.take(tick: 0, hasEvents: false, hasPosition: true, isForAll: false)
    #expect(pace.take(tick: 1, hasEvents: true, hasPosition: true, isForAll: true) == .all)
    #expect(pace.take(tick: 2, hasEvents: true, hasPosition: true, isForAll: false) == .near)
  }

  @Test("A pace over the room's own takes each tick whole, so it is not reduced")
  func reduced() throws {
    #expect(try Self.pace(9).isReduced && Self.pace(0).isReduced)
    #expect(try !Self.pace(10).isReduced && !Self.pace(20).isReduced && !Self.pace(nil).isReduced)
  }
}
