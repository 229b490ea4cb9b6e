// Chat texts, their rate, and read cursors.
import Game
import Testing

@Suite("Chat")
struct ChatTests {
  @Test("A text has 1 to 100 characters as readers count them")
  func length() throws {
    #expect(try ChatText("ㅋ").text == "ㅋ")
    #expect(try ChatText(String(repeating: "👍🏽", count: 100)).text.count == 100)
    #expect(throws: TextFault.tooLong(charactersMax: 100)) { try ChatText(String(repeating: "가", count: 101)) }
    #expect(throws: TextFault.empty) { try ChatText("") }
  }

  @Test("A character has a maximum length in bytes")
  func bytes() throws {
    #expect(try ChatText("e" + String(repeating: "\u{301}", count: 799)).text.count == 1)
    #expect(throws: TextFault.tooLong(charactersMax: 100)) {
      try ChatText("e" + String(repeating: "\u{301}", count: 800))
    }
  }

  @Test("A text of white space alone is refused", arguments: [" ", "   ", "\u{3000}\u{2003}\u{00A0}"])
  func whiteSpace(text: String) {
    #expect(throws: TextFault.onlyWhiteSpace) { try ChatText(text) }
  }

  @Test("Control characters are refused", arguments: ["a\nb", "\t", "\u{7F}x", "x\u{85}", "\u{0}", "\u{1B}[2J"])
  func controls(text: String) {
    #expect(throws: TextFault.controlCharacter) { try ChatText(text) }
  }

  @Test("Unicode's own line breaks are refused", arguments: ["a\u{2028}b", "a\u{2029}"])
  func lineBreaks(text: String) throws {
    #expect(throws: TextFault.lineBreak) { try ChatText(text) }
    #expect(throws: TextFault.lineBreak) { try AnnouncementText(text) }
    #expect(throws: TextFault.lineBreak) { try Nickname(text) }
    // Some journals have such older texts, and a replay must give the same room.
    var test = try TestRoom(players: 1)
    #expect(test.apply(.chat(.seat(0), text: text)) == .ok)
  }

  @Test("A text is delivered as it was typed, with its author's place, in every phase")
  func passedOn() throws {
    var test = try TestRoom(players: 2)
    for (phase, wait) in [(Phase.lobby, 0), (.playing, 0), (.ended, 60)] {
      test.wait(.seconds(wait))
      #expect(test.apply(.chat(.seat(1), text: " 안녕 👋 ")) == .ok)
      #expect(test.room.phase == phase)
      #expect(test.bodies().last == .chat(.seat(1), author: TestRoom.player(1), text: " 안녕 👋 "))
      if phase == .lobby { test.start() }
    }
    #expect(test.apply(.chat(.seat(1), text: "")) == .refused(.badText("the text is empty")))
  }

  @Test("Each member may send five messages at once, then one a second")
  func rate() throws {
    var test = try TestRoom(players: 2)
    for _ in 0..<5 { #expect(test.apply(.chat(.seat(0), text: "!")) == .ok) }
    #expect(test.apply(.chat(.seat(0), text: "!")) == .refused(.chatTooOften(retryAfter: .seconds(1))))
    #expect(test.apply(.chat(.seat(1), text: "!")) == .ok)
    test.wait(.milliseconds(400))
    #expect(test.apply(.chat(.seat(0), text: "!")) == .refused(.chatTooOften(retryAfter: .milliseconds(600))))
    test.wait(.milliseconds(600))
    #expect(test.apply(.chat(.seat(0), text: "!")) == .ok)
    #expect(test.apply(.chat(.seat(0), text: "!")) == .refused(.chatTooOften(retryAfter: .seconds(1))))
    test.wait(.seconds(3_600))
    for _ in 0..<5 { #expect(test.apply(.chat(.seat(0), text: "!")) == .ok) }
    #expect(test.apply(.chat(.seat(0), text: "!")) == .refused(.chatTooOften(retryAfter: .seconds(1))))
  }

  @Test("A refused text does not count towards the rate")
  func refusedIsFree() throws {
    var test = try TestRoom(players: 1)
    for _ in 0..<20 { test.apply(.chat(.seat(0), text: " ")) }
    for _ in 0..<5 { #expect(test.apply(.chat(.seat(0), text: "!")) == .ok) }
  }

  @Test("The last 200 messages are kept, whatever else has happened since")
  func kept() throws {
    var test = try TestRoom(players: 2)
    for number in 1...205 {
      test.wait(.seconds(1))
      test.apply(.chat(.seat(0), text: "\(number)"))
      for _ in 0..<4 {
        test.apply(.lose(.seat(1)))
        test.apply(.comeBack(.seat(1)))
      }
      test.tick()
    }
    #expect(test.room.chats.map(\.body) == (6...205).map { .chat(.seat(0), author: TestRoom.player(0), text: "\($0)") })
    #expect(zip(test.room.chats, test.room.chats.dropFirst()).allSatisfy { $0.number < $1.number })
  }

  @Test("A read cursor only moves forward, not beyond the newest event, and is sent once a tick")
  func cursors() throws {
    var test = try TestRoom(players: 2)
    test.apply(.chat(.seat(0), text: "안녕"))
    test.tick()
    let newest = test.room.lastEventNumber
    #expect(test.apply(.readChat(.seat(1), upTo: newest + 1)) == .refused(.upToOutOfRange))
    #expect(test.apply(.readChat(.seat(1), upTo: newest - 1)) == .ok)
    #expect(test.apply(.readChat(.seat(1), upTo: newest)) == .ok)
    #expect(test.apply(.readChat(.seat(1), upTo: 1)) == .ok)
    #expect(test.room.member(at: .seat(1))?.readUpTo == newest)
    #expect(test.tick().cursors == [Cursor(place: .seat(1), upTo: newest)])
    test.apply(.readChat(.seat(1), upTo: newest))
    #expect(!test.room.hasChanges(through: .max))
  }

  @Test("A spectator's cursor moves along to the seat; a player who left has no cursor in later ticks")
  func cursorsOfMovers() throws {
    var test = try TestRoom(players: 2)
    test.start()
    test.join(5)
    test.join(6)
    test.wait(.seconds(60))
    test.tick()
    test.apply(.readChat(.spectator(0), upTo: 3))
    test.apply(.readChat(.spectator(1), upTo: 2))
    test.apply(.leave(.spectator(1)))
    test.apply(.playAgain(.seat(0)))
    #expect(test.room.member(at: .seat(2))?.readUpTo == 3)
    let tick = test.tick()
    #expect(tick.cursors.isEmpty)
    var member = TestRoom.member(5, .seat(2))
    member.readUpTo = 3
    #expect(tick.events.last?.body == .joined(member))
  }
}
