// Refused inputs: they leave nothing in the room, and no text in its journal.
import Game
import Testing

@Suite("Refused inputs")
struct RefusedInputTests {
  /// A room that refuses each of `refused`, once in the lobby and once in a game.
  private static let refused: [Input] = [
    .join(TestRoom.player(0), nickname: "금지어"),
    .join(TestRoom.player(9), nickname: "금지어 금지어 금지어 금지어 금지어 금지어"),
    .join(TestRoom.player(9), nickname: "금지어"),
    .chat(.seat(0), text: String(repeating: "금지어", count: 50)),
    .chat(.seat(1), text: "금지어"),
    .chat(.spectator(3), text: "금지어"),
    .startGame(.spectator(0)), .playAgain(.seat(0)), .giveUpRun(.seat(0)), .readChat(.seat(0), upTo: 900),
    .move(.spectator(0), Yard.fix()),
  ]

  /// A full room of two without watchers, in which seat 1 has used up their chats.
  private func full() throws -> TestJournal {
    var journal = TestJournal(try RoomConfiguration(capacity: 2, duration: .seconds(10), spectators: false))
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.join(TestRoom.player(1), nickname: "가람"))
    for _ in 0..<5 { journal.apply(.chat(.seat(1), text: "!")) }
    return journal
  }

  @Test(
    "A refused input changes nothing: the state is the same if it is kept without its text, or not at all",
    arguments: refused
  )
  func nothing(input: Input) throws {
    for isKept in [true, false] {
      var journal = try full()
      let before = TestJournal.state(journal.room)
      if isKept { journal.refuse(input) }
      #expect(TestJournal.state(journal.room) == before)
      journal.apply(.startGame(.seat(0)))
      if isKept, case .chat = input { journal.refuse(input) }
      journal.apply(.move(.seat(0), Yard.fix()))
      journal.wait(.seconds(10))
      journal.apply(.tick(through: .max))
      journal.cut()
      let text = Array("금지어".utf8)
      #expect(!journal.bytes.indices.contains { journal.bytes[$0...].starts(with: text) })
      #expect(try TestJournal.replayed(1, in: journal.bytes) == journal.results.first)
      let recovered = try #require(try RoomRecovery(from: journal.bytes)?.room)
      #expect(TestJournal.state(recovered) == TestJournal.state(journal.room))
      #expect(journal.results.count == 1)
    }
  }

  @Test("Deadlines that fired with a refused input fire again without its text")
  func due() throws {
    var journal = try full()
    journal.apply(.startGame(.seat(0)))
    journal.apply(.move(.seat(0), Yard.fix()))
    journal.wait(.seconds(10))
    // The game ends with it.
    journal.refuse(.join(TestRoom.player(9), nickname: "금지어"))
    #expect(journal.room.phase == .ended)
    journal.cut()
    let recovered = try #require(try RoomRecovery(from: journal.bytes)?.room)
    #expect(TestJournal.state(recovered) == TestJournal.state(journal.room))
    let replayed = try #require(try TestJournal.replayed(1, in: journal.bytes))
    #expect(replayed.board == recovered.board)
  }
}
