// A room whose numbers of events or games run out: it closes, and no state near that end traps.
import Game
import Testing

@Suite("Rooms at the end of their number ranges")
struct RoomNumbersTests {
  /// The greatest number of an event in a state that is read back.
  private static let eventNumberMax = UInt32.max - (1 << 24)
  /// The number at which a room closes.
  private static let eventNumberEnd = eventNumberMax - (1 << 16)

  /// A room of two with its newest event `left` numbers before the end.
  private func room(eventsLeft left: UInt32) throws -> TestJournal {
    var journal = TestJournal(try RoomConfiguration(duration: .seconds(10)))
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.join(TestRoom.player(1), nickname: "가람"))
    journal.skip(events: Self.eventNumberEnd - left - journal.room.lastEventNumber)
    #expect(journal.room.lastEventNumber == Self.eventNumberEnd - left)
    return journal
  }

  @Test("A room closes with the input after its last event number, as by an operator, and so does its replay")
  func events() throws {
    var journal = try room(eventsLeft: 3)
    journal.wait(.seconds(1))
    for _ in 0..<2 { journal.apply(.chat(.seat(0), text: "!")) }
    #expect(journal.room.nextDeadline == nil)
    journal.apply(.chat(.seat(0), text: "the last"))
    #expect(!journal.room.isClosed && journal.room.nextDeadline == journal.now)
    journal.cut()
    let recovered = try #require(try RoomRecovery(from: journal.bytes)?.room)
    #expect(TestJournal.state(recovered) == TestJournal.state(journal.room))
    var (again, effects) = (recovered, Effects())
    again.apply(.restart(downtime: .zero), at: journal.now, into: &effects)
    #expect(again.isClosed && effects.outputs == [.closed])

    journal.apply(.tick(through: .max))
    #expect(journal.room.isClosed && journal.effects.outputs == [.closed])
    journal.cut()
    #expect(try RoomRecovery(from: journal.bytes) == nil)
  }

  @Test("An input to a room at its end is refused because the room is closed")
  func refused() throws {
    for input: Input in [.chat(.seat(1), text: "?"), .join(TestRoom.player(5), nickname: "p"), .startGame(.seat(0))] {
      var journal = try room(eventsLeft: 1)
      journal.apply(.chat(.seat(0), text: "!"))
      journal.apply(input)
      #expect(journal.effects.answer == .refused(.closed) && journal.room.isClosed)
    }
  }

  @Test(
    "Skipped numbers beyond the end close the room, too, whatever deadlines are due",
    arguments: [0, 1, 65_536]
  )
  func beyond(events: UInt32) throws {
    var journal = try room(eventsLeft: 0)
    journal.skip(events: events)
    journal.snapshot()
    journal.cut()
    var room = try #require(try RoomRecovery(from: journal.bytes)?.room)
    #expect(room.lastEventNumber == min(Self.eventNumberEnd + events, Self.eventNumberMax))
    var effects = Effects()
    room.apply(.restart(downtime: .zero), at: journal.now + .seconds(90), into: &effects)
    #expect(room.isClosed && effects.outputs.last == .closed)
  }

  @Test("A room closes after the start of its last game, and skipped game numbers never exceed the end")
  func games() throws {
    for lastGame in [UInt32.max / 2 - 2, .max / 2, .max] {
      var journal = TestJournal(try RoomConfiguration(duration: .seconds(10)))
      for player in 0..<2 { journal.apply(.join(TestRoom.player(player), nickname: "p")) }
      journal.skip(events: 0, lastGame: lastGame)
      journal.apply(.startGame(.seat(0)))
      if !journal.room.isClosed {
        #expect(lastGame == .max / 2 - 2 && journal.effects.answer == .ok)
        journal.snapshot()
        journal.cut()
        #expect(try RoomRecovery(from: journal.bytes)?.room.gameNumber == .max / 2 - 1)
        journal.apply(.tick(through: .max))
      }
      #expect(journal.room.isClosed && journal.effects.outputs == [.closed])
    }
  }

  @Test("Skipped game numbers during a game also end in a room that can be read back")
  func playing() throws {
    var journal = TestJournal(try RoomConfiguration(duration: .seconds(10)))
    for player in 0..<2 { journal.apply(.join(TestRoom.player(player), nickname: "p")) }
    journal.apply(.startGame(.seat(0)))
    journal.skip(events: 0, lastGame: .max)
    journal.snapshot()
    journal.cut()
    #expect(try RoomRecovery(from: journal.bytes)?.room.gameNumber == .max / 2)
    journal.apply(.tick(through: .max))
    #expect(journal.room.isClosed)
  }
}
