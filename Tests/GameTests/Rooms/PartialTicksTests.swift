// Ticks with events up to a number only: events that are not yet durable stay back, positions don't wait.
import Game
import Testing

@Suite("Rooms: ticks of committed events")
struct PartialTicksTests {
  @Test("A tick carries events up to the given number, and the next one continues behind it")
  func through() throws {
    var test = try TestRoom(players: 4)
    #expect(test.room.lastEventNumber == 5)
    #expect(test.room.hasChanges(through: 1))
    #expect(!test.room.hasChanges(through: 0))
    #expect(tick(&test, through: 0).isEmpty)
    #expect(test.room.broadcastNumber == 0)
    #expect(tick(&test, through: 3).events.map(\.number) == [1, 2, 3])
    #expect(!test.room.hasChanges(through: 3))
    #expect(!test.room.hasChanges(through: 2))
    #expect(tick(&test, through: 2).isEmpty)
    #expect(test.room.hasChanges(through: 4))
    #expect(tick(&test, through: .max).events.map(\.number) == [4, 5])
  }

  @Test("A merged tick covers what the single ticks did")
  func merged() throws {
    var test = try TestRoom(players: 2)
    _ = tick(&test, through: 1)
    _ = tick(&test, through: 2)
    var merged = Tick()
    #expect(test.room.mergeTicks(afterBroadcast: 0, afterEvent: 0, into: &merged))
    #expect(merged.events.map(\.number) == [1, 2])
    #expect(merged.skipped == 1)
  }

  @Test("No event is dropped before a tick has carried it, however many wait")
  func kept() throws {
    var test = try TestRoom(players: 2)
    for _ in 0..<600 {
      test.apply(.lose(.seat(1)))
      test.apply(.comeBack(.seat(1)))
    }
    #expect(test.room.lastEventNumber == 1_203)
    _ = tick(&test, through: 10)
    #expect(test.room.events(after: 10).events.count == 1_193)
    #expect(!test.room.events(after: 10).gap)
    #expect(test.room.events(after: 9).gap)
    _ = tick(&test, through: 700)
    #expect(test.room.events(after: 0).events.count == 1_000)
    #expect(tick(&test, through: .max).events.map(\.number) == Array(701...1_203))
    #expect(test.room.events(after: 0).events.count == 1_000)
  }

  @Test("Positions don't wait for events, but are sent with the event of their game's start at the earliest")
  func rows() throws {
    var test = try TestRoom(players: 2)
    test.tick()
    test.start()
    let start = test.room.lastEventNumber
    test.move(0, Yard.fix())
    #expect(!test.room.hasChanges(through: start - 1))
    #expect(tick(&test, through: start - 1).isEmpty)
    let first = tick(&test, through: start)
    #expect(first.events.map(\.number) == [start])
    #expect(first.seats == [0])

    test.wait(.seconds(2))
    test.apply(.chat(.seat(1), text: "안녕"))
    test.move(0, Yard.fix(northM: 5))
    #expect(test.room.hasChanges(through: start))
    let second = tick(&test, through: start)
    #expect(second.events.isEmpty)
    #expect(second.seats == [0])
  }

  @Test("A read cursor is sent with its owner's join event at the earliest")
  func cursors() throws {
    var test = try TestRoom(players: 2)
    test.tick()
    test.join(2)
    let joined = test.room.lastEventNumber
    test.apply(.readChat(.seat(2), upTo: 1))
    #expect(!test.room.hasChanges(through: joined - 1))
    #expect(tick(&test, through: joined - 1).isEmpty)
    test.apply(.readChat(.seat(0), upTo: 1))
    #expect(tick(&test, through: joined - 1).cursors == [Cursor(place: .seat(0), upTo: 1)])
    let next = tick(&test, through: joined)
    #expect(next.events.map(\.number) == [joined])
    #expect(next.cursors == [Cursor(place: .seat(2), upTo: 1)])
  }

  @Test("The cursor of a player who has left is in no tick")
  func goneCursor() throws {
    var test = try TestRoom(players: 3)
    test.tick()
    let last = test.room.lastEventNumber
    test.apply(.readChat(.seat(2), upTo: 1))
    test.apply(.leave(.seat(2)))
    #expect(!test.room.hasChanges(through: last))
    #expect(tick(&test, through: last).isEmpty)
    #expect(tick(&test, through: .max).cursors.isEmpty)
  }

  private func tick(_ test: inout TestRoom, through last: UInt32) -> Tick {
    test.apply(.tick(through: last))
    return test.effects.tick
  }
}
