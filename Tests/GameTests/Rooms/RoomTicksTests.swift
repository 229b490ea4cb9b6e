// Messages to members: ticks, merged ticks and kept events.
import Game
import Testing

@Suite("Rooms: ticks")
struct RoomTicksTests {
  @Test("A tick has the changes since the last one, and is empty without changes")
  func changes() throws {
    var test = try TestRoom(players: 2)
    #expect(test.room.hasChanges(through: .max))
    var tick = test.tick()
    #expect(tick.events.map(\.number) == [1, 2, 3])
    #expect(test.room.broadcastNumber == 1)
    #expect(!test.room.hasChanges(through: .max))
    #expect(test.tick().isEmpty)
    #expect(test.room.broadcastNumber == 1)

    test.start()
    test.wait(.milliseconds(150))
    test.move(1, Yard.fix(northM: 1))
    test.move(0, Yard.fix(northM: 2))
    test.apply(.readChat(.seat(1), upTo: 3))
    tick = test.tick()
    #expect(tick.number == 1)
    #expect(tick.gameMs == 150)
    #expect(tick.seats == [0, 1])
    #expect(tick.latE7 == [Yard.fix(northM: 2).latE7, Yard.fix(northM: 1).latE7])
    #expect(tick.lngE7 == [Yard.fix().lngE7, Yard.fix().lngE7])
    #expect(tick.points == [1, 1])
    #expect(tick.events.map(\.body) == [.phase(.playing(game: 1, endsAtGameMs: 60_000))])
    #expect(tick.cursors == [Cursor(place: .seat(1), upTo: 3)])
    #expect(tick.skipped == 0)

    test.wait(.milliseconds(100))
    test.move(1, Yard.fix(northM: 1.5))
    tick = test.tick()
    #expect(tick.seats == [1])
    #expect(tick.events.isEmpty && tick.cursors.isEmpty)
  }

  @Test("Only a tick has tick content among its effects")
  func onlyTicks() throws {
    var test = try TestRoom(players: 2)
    test.tick()
    #expect(!test.effects.tick.isEmpty)
    test.apply(.chat(.seat(0), text: "안녕"))
    #expect(test.effects.tick.isEmpty)
  }

  @Test("Positions are streamed only during a game, its last moments included")
  func onlyWhilePlaying() throws {
    var test = try TestRoom(players: 2)
    test.move(0, Yard.fix())
    #expect(test.tick().seats.isEmpty)
    test.start()
    test.wait(.milliseconds(59_990))
    test.move(0, Yard.fix())
    test.wait(.milliseconds(20))
    let tick = test.tick()
    #expect(tick.seats == [0])
    #expect(tick.events.last?.body == .phase(.ended(board: test.room.board)))
    test.move(0, Yard.fix(northM: 10))
    #expect(test.tick().isEmpty)
  }

  @Test("Ticks fall on multiples of the interval on the room's clock, which restarts with a game")
  func boundaries() throws {
    var test = try TestRoom(players: 2)
    #expect(test.room.nextTick(after: TestRoom.made) == TestRoom.made + .milliseconds(100))
    #expect(test.room.nextTick(after: TestRoom.made + .milliseconds(99)) == TestRoom.made + .milliseconds(100))
    #expect(test.room.nextTick(after: TestRoom.made + .milliseconds(100)) == TestRoom.made + .milliseconds(200))
    test.wait(.milliseconds(730))
    test.tick()
    #expect(test.room.lastTickNumber == 7)
    test.wait(.milliseconds(12))
    test.start()
    #expect(test.room.lastTickNumber == 0)
    #expect(test.room.nextTick(after: test.now) == test.now + .milliseconds(100))
  }

  @Test("A merged tick has the newest row of each changed seat and cursor, and all events")
  func merge() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.tick()
    let broadcast = test.room.broadcastNumber
    let event = test.room.lastEventNumber
    for step in 1...5 {
      test.wait(.milliseconds(200))
      test.move(0, Yard.fix(northM: Double(step)))
      if step == 2 { test.move(2, Yard.fix()) }
      if step == 3 { test.apply(.chat(.seat(1), text: "안녕")) }
      if step > 3 { test.apply(.readChat(.seat(2), upTo: UInt32(step))) }
      test.tick()
    }
    test.wait(.milliseconds(10))
    test.apply(.chat(.seat(0), text: "?"))

    var tick = Tick()
    #expect(test.room.mergeTicks(afterBroadcast: broadcast, afterEvent: event, into: &tick))
    #expect(tick.number == 10)
    #expect(tick.gameMs == 1_000)
    #expect(tick.skipped == 4)
    #expect(tick.seats == [0, 2])
    #expect(tick.latE7 == [Yard.fix(northM: 5).latE7, Yard.fix().latE7])
    #expect(
      tick.events.map(\.body) == [.chat(.seat(1), author: TestRoom.player(1), text: "안녕")],
      "the newest chat waits for its own tick"
    )
    #expect(tick.cursors == [Cursor(place: .seat(2), upTo: 5)])

    #expect(test.room.mergeTicks(afterBroadcast: broadcast + 3, afterEvent: event + 1, into: &tick))
    #expect(tick.seats == [0])
    #expect(tick.events.isEmpty)
    #expect(tick.skipped == 1)
    #expect(test.room.mergeTicks(afterBroadcast: broadcast + 5, afterEvent: event + 1, into: &tick))
    #expect(tick.isEmpty)
  }

  @Test("A tick merged over a start has no rows of the game before")
  func mergeOverStart() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.move(1, Yard.fix())
    test.tick()
    test.wait(.seconds(60))
    test.apply(.playAgain(.seat(0)))
    test.start()
    test.move(0, Yard.fix())
    test.tick()
    var tick = Tick()
    #expect(test.room.mergeTicks(afterBroadcast: 0, afterEvent: 0, into: &tick))
    #expect(tick.seats == [0])
    #expect(tick.events.last?.body == .phase(.playing(game: 2, endsAtGameMs: 60_000)))
  }

  @Test("A row that no tick has carried is in no merged tick, whatever was sent in the game before")
  func mergeBeforeTick() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.move(1, Yard.fix())
    test.tick()
    test.move(2, Yard.fix())
    test.wait(.seconds(60))
    test.apply(.playAgain(.seat(0)))
    test.start()
    #expect(test.tick().seats.isEmpty)
    test.wait(.seconds(1))
    for seat in 0..<3 { test.move(seat, Yard.fix()) }
    var tick = Tick()
    #expect(test.room.mergeTicks(afterBroadcast: 0, afterEvent: 0, into: &tick))
    #expect(tick.seats.isEmpty)
    #expect(test.tick().seats == [0, 1, 2])
  }

  @Test("The last 1,000 events are kept; an older one is a gap, without a merged tick")
  func keptEvents() throws {
    var test = try TestRoom(players: 2)
    for _ in 0..<999 {
      test.apply(.lose(.seat(1)))
      test.apply(.comeBack(.seat(1)))
      test.tick()
    }
    let last = test.room.lastEventNumber
    #expect(last == 3 + 2 * 999)
    #expect(test.room.events(after: last).events.isEmpty)
    #expect(!test.room.events(after: last + 7).gap)
    let kept = test.room.events(after: last - 1_000)
    #expect(!kept.gap)
    #expect(kept.events.map(\.number) == Array(last - 999...last))
    let beyond = test.room.events(after: last - 1_001)
    #expect(beyond.gap)
    #expect(beyond.events == kept.events)

    var tick = Tick()
    let broadcast = test.room.broadcastNumber - 500
    #expect(test.room.mergeTicks(afterBroadcast: broadcast, afterEvent: last - 1_000, into: &tick))
    #expect(tick.events == kept.events)
    #expect(!test.room.mergeTicks(afterBroadcast: broadcast, afterEvent: last - 1_001, into: &tick))
    #expect(tick.isEmpty)
  }

  @Test("No event is dropped before a tick has carried it")
  func longTick() throws {
    var test = try TestRoom(players: 2)
    for _ in 0..<700 {
      test.apply(.lose(.seat(1)))
      test.apply(.comeBack(.seat(1)))
    }
    #expect(test.tick().events.map(\.number) == Array(1...1_403))
    #expect(test.room.events(after: 0).events.count == 1_000)
  }

  @Test("Numbers increase by one over ticks and games, and each event is dated on the clock of its time")
  func numbers() throws {
    var test = try TestRoom(players: 2)
    test.wait(.milliseconds(400))
    test.apply(.chat(.seat(0), text: "1"))
    test.start()
    test.wait(.milliseconds(70))
    test.apply(.chat(.seat(0), text: "2"))
    let events = test.tick().events
    #expect(events.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(events.map(\.atMs) == [0, 0, 0, 400, 0, 70])
  }
}
