// A room that an operator closes.
import Game
import Testing

@Suite("Rooms: closing")
struct RoomCloseTests {
  @Test("A closed room has ended for all its members, and its game has no result")
  func close() throws {
    var test = try TestRoom(players: 3)
    test.start()
    test.apply(.lose(.seat(2)))
    let before = test.room.lastEventNumber
    #expect(test.apply(.close) == .ok)
    #expect(test.effects.outputs == [.closed])
    #expect(test.room.isClosed)
    #expect(test.room.nextDeadline == nil)
    #expect(test.room.members.count == 3, "members keep their places")
    #expect(test.bodies(after: before).isEmpty, "no events are raised")
  }

  @Test("A game whose deadline has passed has its result nevertheless", arguments: [-1, 0, 1])
  func gameEnd(milliseconds: Int) throws {
    var test = try TestRoom(duration: .seconds(10), players: 2)
    test.start()
    test.wait(.seconds(10) + .milliseconds(milliseconds))
    #expect(test.apply(.close) == .ok)
    let results = test.effects.outputs.filter { if case .gameEnded = $0 { true } else { false } }
    #expect(results.count == (milliseconds < 0 ? 0 : 1))
    #expect(test.effects.outputs.last == .closed)
    #expect(test.effects.outputs.count == results.count + 1)
  }

  @Test("A room that ends by itself at the same moment is closed once")
  func deserted() throws {
    var test = try TestRoom(holdS: 30, players: 1)
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(60))
    #expect(test.apply(.close) == .refused(.closed))
    #expect(test.effects.outputs == [.removed(TestRoom.player(0), .seat(0)), .closed])
  }

  @Test("A solo room whose player leaves out of a hold, when nobody was there for a minute, closes with the leave")
  func leftOutOfHold() throws {
    var test = TestRoom(try RoomConfiguration(duration: .seconds(30), solo: true), players: 1)
    test.start()
    test.move(0, Yard.fix())
    test.apply(.lose(.seat(0)))
    test.wait(.seconds(64))
    test.tick()
    #expect(test.room.phase == .playing, "the game waits for late fixes")
    #expect(test.apply(.leave(.seat(0))) == .ok)
    #expect(test.effects.outputs.last == .closed)
    #expect(test.room.isClosed && test.room.nextDeadline == nil)
  }

  @Test("The close is in the journal, and a closed room is not recovered")
  func journal() throws {
    var journal = TestJournal(try RoomConfiguration(capacity: 2, duration: .seconds(10)))
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.join(TestRoom.player(1), nickname: "가람"))
    journal.apply(.startGame(.seat(0)))
    journal.wait(.milliseconds(700))
    journal.cut()
    #expect(try RoomRecovery(from: journal.bytes)?.room.phase == .playing)
    journal.apply(.close)
    journal.cut()
    var reader = JournalReader(journal.bytes)
    var last: Input?
    while let record = try reader.next() {
      if case .input(let input, let time) = record {
        last = input
        if input == .close { #expect(time == journal.now) }
      }
    }
    #expect(last == .close)
    #expect(try RoomRecovery(from: journal.bytes) == nil)
    var replay = try GameReplay(1, in: journal.bytes)
    var effects = Effects()
    let fault = #expect(throws: JournalFault.self) {
      while try replay.next(into: &effects) != nil {}
    }
    #expect(fault?.reason == .noEnd, "a game without an end can't be replayed")
  }
}

@Suite("Announcements: texts")
struct AnnouncementTextTests {
  @Test("An announcement follows the rules of chat texts, with up to 500 characters")
  func texts() throws {
    #expect(try AnnouncementText(String(repeating: "가", count: 500)).text.count == 500)
    #expect(throws: TextFault.tooLong(charactersMax: 500)) { try AnnouncementText(String(repeating: "a", count: 501)) }
    #expect(throws: TextFault.tooLong(charactersMax: 500)) {
      try AnnouncementText("a" + String(repeating: "\u{301}", count: 8_000))
    }
    #expect(throws: TextFault.empty) { try AnnouncementText("") }
    #expect(throws: TextFault.onlyWhiteSpace) { try AnnouncementText(" \u{3000}") }
    #expect(throws: TextFault.controlCharacter) { try AnnouncementText("a\nb") }
  }
}
