// Erasure of a player's texts from a journal: its games can still be replayed.
import Game
import Testing

@Suite("Journals: erasing a player")
struct JournalErasureTests {
  @Test("The player's texts are no longer in the bytes, and everybody else's still are")
  func bytes() throws {
    var journal = try TestJournal.story()
    journal.snapshot()
    journal.cut()
    #expect(holds(journal.bytes, "지민"))
    #expect(holds(journal.bytes, "안녕"))
    let erased = try Journal.erasing(TestRoom.player(0), from: journal.bytes)
    #expect(!holds(erased, "지민"))
    #expect(!holds(erased, "안녕"))
    #expect(holds(erased, "가람"))
    #expect(holds(erased, "또?"))
    #expect(try Journal.erasing(TestRoom.player(0), from: erased) == erased)
    #expect(try Journal.erasing(TestRoom.player(9), from: journal.bytes) == journal.bytes)
    #expect(try Journal.erasing(TestRoom.player(9), from: []) == [])
  }

  @Test("An erased chat is read as `…`, a refused one as an empty text, which is refused again")
  func readBack() throws {
    var journal = try TestJournal.story()
    for player in 0..<4 {
      let erased = try Journal.erasing(TestRoom.player(player), from: journal.bytes)
      let replayed = try TestJournal.replayed(1, in: erased)
      #expect(replayed?.board.map(\.points) == journal.results.first?.board.map(\.points))
      #expect(replayed?.fingerprint == journal.results.first?.fingerprint)
    }
    var erased = journal.bytes
    for player in 0..<4 {
      erased = try Journal.erasing(TestRoom.player(player), from: erased)
    }
    var texts: [String] = []
    var reader = JournalReader(erased)
    while let record = try reader.next() {
      switch record {
      case .input(.join(_, let nickname), _): texts.append(nickname)
      case .input(.chat(_, let text), _): texts.append(text)
      default: break
      }
    }
    #expect(texts == ["…", "…", "", "…", "", "", "…", "…"])

    journal.snapshot()
    journal.cut()
    let room = try #require(try RoomRecovery(from: try Journal.erasing(TestRoom.player(1), from: journal.bytes))?.room)
    #expect(room.member(at: .seat(1))?.nickname == "…")
    #expect(room.chats.map(\.body).last == .chat(.seat(1), author: TestRoom.player(1), text: "…"))
    #expect(room.lastEventNumber == journal.room.lastEventNumber)
  }

  @Test("A damaged journal is a fault for an erasure, too")
  func damaged() throws {
    let journal = try TestJournal.story()
    #expect(throws: JournalFault.self) {
      try Journal.erasing(TestRoom.player(0), from: journal.bytes.dropLast())
    }
  }

  private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
    let text = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: text) }
  }
}
