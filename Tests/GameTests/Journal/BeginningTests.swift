// The states that games begin with in a journal: small, sufficient for the game's replay, and ignored by recovery.
import Game
import Testing

@Suite("Journals: beginnings of games")
struct BeginningTests {
  /// A room of two with many long chats, then this many games.
  private func played(_ games: Int, beginsWithSnapshots: Bool = false) throws -> (TestJournal, startBytes: [Int]) {
    var journal = TestJournal(
      try RoomConfiguration(capacity: 200, duration: .seconds(10)),
      beginsWithSnapshots: beginsWithSnapshots
    )
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.join(TestRoom.player(1), nickname: "가람"))
    for number in 0..<60 {
      journal.wait(.seconds(1))
      journal.apply(.chat(.seat(number % 2), text: EventLogTests.longText))
    }
    var startBytes: [Int] = []
    for number in 1...games {
      journal.cut()
      let before = journal.bytes.count
      journal.apply(.startGame(.seat(0)))
      journal.cut()
      startBytes.append(journal.bytes.count - before)
      journal.apply(.move(.seat(0), Yard.fix(northM: Double(10 * number))))
      journal.apply(.chat(.seat(0), text: "game \(number)"))
      journal.wait(.seconds(10))
      journal.apply(.tick(through: .max))
      journal.apply(.playAgain(.seat(1)))
    }
    journal.cut()
    return (journal, startBytes)
  }

  @Test("A start after 60 long chats adds under 2 KiB to the journal, in a room for 200")
  func size() throws {
    #expect(try played(3).startBytes.allSatisfy { $0 < 2_048 })
    #expect(try played(1, beginsWithSnapshots: true).startBytes[0] > 60_000)
  }

  @Test("Every game can be replayed from its own beginning, without the chats before it", arguments: [1, 2, 3])
  func replays(number: UInt32) throws {
    let (journal, _) = try played(3)
    var replay = try GameReplay(number, in: journal.bytes)
    #expect(replay.rulesVersion == RulesVersion.current)
    #expect(replay.room.gameNumber == number - 1 && replay.room.phase == .lobby)
    #expect(replay.room.chats.isEmpty && replay.room.board.isEmpty)
    #expect(replay.room.members.map(\.nickname) == ["지민", "가람"])
    var positions = Tick()
    replay.room.appendPositions(to: &positions)
    #expect(positions.seats.isEmpty)
    var effects = Effects()
    while try replay.next(into: &effects) != nil {}
    #expect(replay.result == journal.results[Int(number) - 1])
    #expect(
      replay.room.chats.map(\.body) == [
        .chat(.seat(0), author: TestRoom.player(0), text: "game \(number)")
      ]
    )
  }

  @Test("Recovery skips beginnings: it restores every text, as from a journal whose games begin with snapshots")
  func recovery() throws {
    let (journal, _) = try played(2)
    let (older, _) = try played(2, beginsWithSnapshots: true)
    #expect(journal.results == older.results)
    for played in [journal, older] {
      var room = try #require(try RoomRecovery(from: played.bytes)?.room)
      #expect(room.chats == journal.room.chats && room.chats.count > 40)
      var (wanted, effects) = (journal.room, Effects())
      room.apply(.restart(downtime: .seconds(5)), at: journal.now + .seconds(5), into: &effects)
      wanted.apply(.restart(downtime: .seconds(5)), at: journal.now + .seconds(5), into: &effects)
      #expect(room.members == wanted.members && room.lastEventNumber == wanted.lastEventNumber)
      #expect(room.phase == .lobby && room.board == wanted.board && room.nextDeadline == wanted.nextDeadline)
    }
    #expect(try TestJournal.replayed(2, in: older.bytes) == older.results[1])
  }

  @Test("A journal that begins with a beginning can't be recovered")
  func alone() throws {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    writer.append(beginningOf: try TestJournal.story().room, at: TestRoom.made + .seconds(1_000))
    writer.take(into: &bytes)
    #expect(try RoomRecovery(from: bytes) == nil)
    var reader = JournalReader(bytes)
    guard case .beginning = try reader.next(), case nil = try reader.next() else {
      Issue.record("no beginning")
      return
    }
  }

  @Test("An erasure also covers the nicknames in beginnings, and the games can still be replayed")
  func erasure() throws {
    let (journal, _) = try played(2)
    let erased = try Journal.erasing(TestRoom.player(1), from: journal.bytes)
    let name = Array("가람".utf8)
    #expect(journal.bytes.indices.contains { journal.bytes[$0...].starts(with: name) })
    #expect(!erased.indices.contains { erased[$0...].starts(with: name) })
    for result in journal.results {
      let replayed = try TestJournal.replayed(result.number, in: erased)
      #expect(replayed?.fingerprint == result.fingerprint)
      #expect(replayed?.board.map(\.nickname).sorted() == ["…", "지민"].sorted())
    }
  }

  @Test("The bytes of requests are counted apart from those of snapshots")
  func inputBytes() throws {
    var writer = JournalWriter()
    let room = try TestJournal.story().room
    writer.append(.leave(.seat(0)), from: nil, at: TestRoom.made + .seconds(1_000))
    let bytes = writer.inputBytes
    #expect(bytes > 0)
    writer.append(snapshotOf: room, at: TestRoom.made + .seconds(1_000))
    #expect(writer.inputBytes == bytes && writer.byteCount > bytes)
    writer.append(.leave(.seat(0)), from: nil, at: TestRoom.made + .seconds(1_000))
    #expect(writer.inputBytes > bytes && writer.inputBytes < 2 * bytes)
    let inputs = writer.inputBytes
    let before = writer.byteCount
    writer.append(beginningOf: room, at: TestRoom.made + .seconds(1_000))
    #expect(writer.inputBytes - inputs == writer.byteCount - before && writer.byteCount > before)
    var taken: [UInt8] = []
    writer.take(into: &taken)
    #expect(writer.inputBytes == 0)
  }

  @Test("Recovery reports who was in the newest snapshot and who has joined since")
  func visitors() throws {
    var journal = TestJournal(try RoomConfiguration())
    for player in 0..<3 { journal.apply(.join(TestRoom.player(player), nickname: "p")) }
    journal.apply(.leave(.seat(1)))
    journal.cut()
    #expect(try RoomRecovery(from: journal.bytes)?.visitors == Set((0..<3).map(TestRoom.player)))
  }
}
