// The bounds of a room's kept events: by count, by bytes, and never below the uncarried ones.
import Game
import Testing

@Suite("Event log")
struct EventLogTests {
  /// One character of 1,599 bytes.
  static let longText = "e" + String(repeating: "\u{301}", count: 799)

  /// A room of two with this many long chats, each carried by a tick if wanted.
  private func chatted(_ count: Int, _ text: String = longText, ticks: Bool = true) throws -> TestRoom {
    var test = try TestRoom(players: 2)
    for _ in 0..<count {
      test.wait(.seconds(1))
      #expect(test.apply(.chat(.seat(0), text: text)) == .ok)
      if ticks { test.tick() }
    }
    return test
  }

  @Test("Events are kept up to 64 KiB, counted as 64 bytes plus their text, and the newest have no gap")
  func bytes() throws {
    let test = try chatted(100)
    let kept = EventRules.bytesMax / (EventRules.eventBytes + 1_599)
    let last = test.room.lastEventNumber
    let (events, gap) = test.room.events(after: 0)
    #expect(gap && events.map(\.number) == Array(last - UInt32(kept) + 1...last))
    #expect(test.room.eventBytes.events == kept * (EventRules.eventBytes + 1_599))
    #expect(!test.room.events(after: last - UInt32(kept)).gap)
    var tick = Tick()
    #expect(!test.room.mergeTicks(afterBroadcast: 0, afterEvent: last - UInt32(kept) - 1, into: &tick))
    #expect(test.room.mergeTicks(afterBroadcast: 0, afterEvent: last - UInt32(kept), into: &tick))
  }

  @Test("Events that no tick has carried are kept without limit, and dropped after the ticks that carry them")
  func uncarried() throws {
    var test = try chatted(100, ticks: false)
    #expect(test.room.events(after: 0).events.count == 103)
    test.apply(.tick(through: 50))
    #expect(test.effects.tick.events.map(\.number) == Array(1...50))
    // Events of a tick are there until the next one: a connection that was behind gets them merged.
    var merged = Tick()
    #expect(test.room.mergeTicks(afterBroadcast: 0, afterEvent: 0, into: &merged))
    #expect(merged.events.map(\.number) == Array(1...50))
    #expect(test.tick().events.map(\.number) == Array(51...103))
    #expect(test.room.events(after: 49).gap && !test.room.events(after: 50).gap)
    test.wait(.seconds(5))
    #expect(test.apply(.chat(.seat(0), text: "!")) == .ok)
    test.tick()
    #expect(test.room.eventBytes.events <= EventRules.bytesMax)
  }

  @Test("A nickname counts with its bytes, and so does a board with those of each row")
  func reckoned() throws {
    #expect(Event.Body.held(.seat(0)).estimatedBytes == 64)
    #expect(Event.Body.joined(TestRoom.member(0, .seat(0), nickname: "지민")).estimatedBytes == 64 + 6)
    #expect(Event.Body.chat(.seat(0), author: TestRoom.player(0), text: "안녕!").estimatedBytes == 64 + 7)
    var test = try TestRoom(duration: .seconds(10), players: 2)
    test.start()
    test.wait(.seconds(10))
    test.tick()
    let board = try #require(test.bodies().last)
    #expect(board.estimatedBytes == 64 + 2 * (64 + "player 0".utf8.count))
    #expect(test.room.eventBytes.events == test.bodies().reduce(0) { $0 + $1.estimatedBytes })
  }

  @Test("A board that exceeds the bound is kept until the next event")
  func largeBoard() throws {
    var test = try TestRoom(capacity: 200, duration: .seconds(10))
    for number in 0..<200 {
      // A character of 320 bytes, with a number that takes some of them.
      let letter = String(UnicodeScalar(UInt8(97 + number % 26)))
      test.join(number, nickname: letter + String(repeating: "\u{301}", count: 150 + number / 26))
      test.tick()
    }
    test.start()
    test.wait(.seconds(10))
    let tick = test.tick()
    #expect(tick.events.count == 1 || tick.events.count == 2)
    let last = test.room.lastEventNumber
    #expect(test.room.eventBytes.events > EventRules.bytesMax)
    #expect(test.room.events(after: last - 1).events.count == 1 && !test.room.events(after: last - 1).gap)
    test.apply(.chat(.seat(0), text: "!"))
    test.tick()
    #expect(test.room.eventBytes.events == 65)
  }

  @Test("Of chats of 100 Hangul 200 are kept; of longer ones as many as fit in 64 KiB of text")
  func chats() throws {
    let hangul = try chatted(210, String(repeating: "가", count: 100))
    #expect(hangul.room.chats.count == 200)
    #expect(hangul.room.eventBytes.chats == 60_000)
    let long = try chatted(210)
    let kept = EventRules.chatTextBytesMax / 1_599
    #expect(long.room.chats.count == kept)
    #expect(long.room.chats.last?.number == long.room.lastEventNumber)
    #expect(long.room.eventBytes.chats == kept * 1_599)
    var short = long
    for number in 0..<200 {
      short.wait(.seconds(1))
      short.apply(.chat(.seat(1), text: "\(number)"))
    }
    #expect(short.room.chats.count == 200)
  }

  @Test(
    "A snapshot is no longer than estimated, and is read back unchanged, also after chats have lost their texts"
  )
  func snapshots() throws {
    for count in [0, 20, 39, 60, 300] {
      let test = try chatted(count)
      let bytes = TestJournal.state(test.room)
      #expect(
        bytes.count <= JournalWriter.bytesExpected(ofSnapshot: test.room) && bytes.count < 200_000,
        "\(count): \(bytes.count)"
      )
      let read = try #require(try RoomRecovery(from: bytes)?.room)
      #expect(TestJournal.state(read) == bytes)
      #expect(read.chats == test.room.chats)
      #expect(read.eventBytes.events == test.room.eventBytes.events)
      #expect(read.eventBytes.chats == test.room.eventBytes.chats)
    }
  }

  @Test("A journal with more events than the bound is read unchanged, and is within the bound after the restart")
  func older() throws {
    let test = try chatted(300, ticks: false)
    let bytes = TestJournal.state(test.room)
    #expect(bytes.count > 400_000)
    var read = try #require(try RoomRecovery(from: bytes)?.room)
    #expect(TestJournal.state(read) == bytes)
    #expect(read.events(after: 0).events == test.room.events(after: 0).events)
    var effects = Effects()
    read.apply(.restart(downtime: .zero), at: test.now, into: &effects)
    #expect(read.eventBytes.events <= EventRules.bytesMax + 2 * EventRules.eventBytes)
  }

  @Test(
    "A game has the same result whether earlier chats lost their texts by length, by an erasure or not at all"
  )
  func games() throws {
    var journal = TestJournal(try RoomConfiguration(duration: .seconds(10)), beginsWithSnapshots: true)
    for player in 0..<3 { journal.apply(.join(TestRoom.player(player), nickname: "p\(player)")) }
    for number in 0..<230 {
      journal.wait(.seconds(1))
      journal.apply(.chat(.seat(number % 3), text: number % 2 == 0 ? Self.longText : "!"))
    }
    journal.apply(.startGame(.seat(0)))
    journal.apply(.move(.seat(0), Yard.fix()))
    journal.wait(.seconds(10))
    journal.apply(.tick(through: .max))
    journal.cut()
    let result = try #require(journal.results.first)
    #expect(try TestJournal.replayed(1, in: journal.bytes) == result)
    let erased = try Journal.erasing(TestRoom.player(2), from: journal.bytes)
    #expect(try TestJournal.replayed(1, in: erased)?.fingerprint == result.fingerprint)
  }
}
