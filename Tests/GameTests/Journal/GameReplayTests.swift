// Games replayed from the journal of their room.
import Game
import Testing

@Suite("Replays")
struct GameReplayTests {
  @Test("The replay of each of a room's games has the same result, and ends with the input that ended the game")
  func games() throws {
    let journal = try games(3)
    #expect(journal.results.map(\.number) == [1, 2, 3])
    for result in journal.results {
      var replay = try GameReplay(result.number, in: journal.bytes)
      #expect(replay.rulesVersion == RulesVersion.current)
      #expect(replay.room.gameNumber == result.number - 1)
      var effects = Effects()
      var count = 0
      while let (input, _) = try replay.next(into: &effects) {
        if count == 0 { #expect(input == .startGame(.seat(0))) }
        count += 1
      }
      #expect(count == 4)
      #expect(replay.result == result)
      #expect(replay.room.phase == .ended)
      #expect(try replay.next(into: &effects) == nil)
    }
  }

  @Test("A game that starts at the moment of the board's deadline can be recovered and replayed")
  func startWithTheLobby() throws {
    var journal = TestJournal(try RoomConfiguration(capacity: 2, duration: .seconds(10)))
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.join(TestRoom.player(1), nickname: "가람"))
    journal.apply(.startGame(.seat(0)))
    journal.apply(.move(.seat(0), Yard.fix()))
    journal.wait(.seconds(10))
    journal.apply(.tick(through: .max))
    // No tick has opened the lobby: the start itself does.
    journal.wait(Deadlines.boardTime)
    journal.apply(.startGame(.seat(1)))
    journal.apply(.move(.seat(1), Yard.fix()))
    journal.wait(.seconds(10))
    journal.apply(.tick(through: .max))
    journal.cut()
    #expect(journal.results.map(\.number) == [1, 2])
    #expect(try RoomRecovery(from: journal.bytes)?.room.gameNumber == 2)
    #expect(try TestJournal.replayed(2, in: journal.bytes) == journal.results[1])
  }

  @Test("Without a snapshot a game is found from the room's creation")
  func withoutSnapshot() throws {
    let story = try TestJournal.story()
    let bytes = try rewritten(story.bytes) { ($0, $1) }
    #expect(try TestJournal.replayed(1, in: bytes) == story.results.first)
    #expect(story.results.count == 1)
  }

  /// A change of one bit in a phone's fix, or of a millisecond in an input's time.
  enum Change: CaseIterable {
    case none, longitude, accuracy, arrival

    func applied(to fix: Fix, at time: Instant) -> (Fix, Instant) {
      var fix = fix
      switch self {
      case .none: return (fix, time)
      case .longitude: fix.lngE7 ^= 1
      case .accuracy: fix.accuracyM? ^= 1
      case .arrival: return (fix, time + .milliseconds(1))
      }
      return (fix, time)
    }
  }

  @Test(
    "One changed bit of an input changes the game's fingerprint, even if the board is the same",
    arguments: Change.allCases
  )
  func changedBit(change: Change) throws {
    let journal = try games(1)
    var isChanged = false
    let bytes = try rewritten(journal.bytes) { input, time in
      guard case .move(let place, let fix) = input, !isChanged else { return (input, time) }
      isChanged = true
      let (changed, changedTime) = change.applied(to: fix, at: time)
      return (.move(place, changed), changedTime)
    }
    let replayed = try #require(try TestJournal.replayed(1, in: bytes))
    let result = try #require(journal.results.first)
    #expect(replayed.board == result.board)
    #expect((replayed.fingerprint == result.fingerprint) == (change == .none))
  }

  @Test("A game without its beginning or its end is a fault")
  func missing() throws {
    let journal = try games(2)
    for number: UInt32 in [0, 4, .max] {
      #expect(reason { _ = try TestJournal.replayed(number, in: journal.bytes) } == .noBeginning, "\(number)")
    }
    #expect(reason { _ = try TestJournal.replayed(1, in: []) } == .noBeginning)
    var running = journal
    running.apply(.startGame(.seat(0)))
    running.cut()
    #expect(reason { _ = try TestJournal.replayed(3, in: running.bytes) } == .noEnd)
  }

  @Test("A snapshot on the way must equal the state that the inputs lead to, else it is a fault")
  func differs() throws {
    for isForged in [false, true] {
      var journal = TestJournal(try RoomConfiguration(duration: .seconds(10)))
      journal.apply(.join(TestRoom.player(0), nickname: "지민"))
      journal.apply(.join(TestRoom.player(1), nickname: "가람"))
      journal.apply(.startGame(.seat(0)))
      journal.wait(.seconds(2))
      journal.apply(.move(.seat(0), Yard.fix()))
      journal.cut()
      var bytes = journal.bytes
      var room = journal.room
      var effects = Effects()
      // A tick that is missing from the journal makes no difference; a position does.
      room.apply(.tick(through: .max), at: journal.now + .seconds(1), into: &effects)
      if isForged {
        room.apply(.move(.seat(1), Yard.fix()), at: journal.now + .seconds(1), into: &effects)
      }
      var writer = JournalWriter(nextChunk: 1)
      writer.append(snapshotOf: room, at: journal.now + .seconds(1))
      writer.append(.tick(through: .max), from: nil, at: journal.now + .seconds(9))
      writer.take(into: &bytes)
      if isForged {
        #expect(reason { _ = try TestJournal.replayed(1, in: bytes) } == .differs)
      } else {
        #expect(try TestJournal.replayed(1, in: bytes)?.board.map(\.points) == [1, 0])
      }
    }
  }

  /// A journal without its snapshots, with inputs and their times changed by `change`.
  private func rewritten(
    _ journal: [UInt8],
    _ change: (Input, Instant) -> (Input, Instant)
  ) throws -> [UInt8] {
    var writer = JournalWriter()
    var bytes: [UInt8] = []
    var reader = JournalReader(journal)
    while let record = try reader.next() {
      switch record {
      case .created(let configuration, let seed, let time): writer.create(configuration, seed: seed, at: time)
      case .snapshot, .beginning: break
      case .input(let input, let time):
        let (changed, changedTime) = change(input, time)
        writer.append(changed, from: TestRoom.player(0), at: changedTime)
      }
    }
    writer.take(into: &bytes)
    return bytes
  }

  /// A room in which this many games were played, each of four inputs.
  private func games(_ count: Int) throws -> TestJournal {
    var journal = TestJournal(try RoomConfiguration(duration: .seconds(10)))
    journal.apply(.join(TestRoom.player(0), nickname: "지민"))
    journal.apply(.join(TestRoom.player(1), nickname: "가람"))
    for number in 1...count {
      journal.apply(.startGame(.seat(0)))
      journal.apply(.move(.seat(number % 2), Yard.fix(northM: Double(20 * number))))
      journal.wait(.seconds(1))
      journal.apply(.move(.seat(0), Yard.fix(northM: Double(20 * number) + 6)))
      journal.cut()
      journal.wait(.seconds(9))
      journal.apply(.tick(through: .max))
      journal.apply(.playAgain(.seat(1)))
    }
    journal.cut()
    return journal
  }

  private func reason(_ body: () throws -> Void) -> JournalFault.Reason? {
    do {
      try body()
      return nil
    } catch {
      return (error as? JournalFault)?.reason
    }
  }
}
