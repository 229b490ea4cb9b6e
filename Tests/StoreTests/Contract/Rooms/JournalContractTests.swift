// Rooms and their journals, over every back end. Committed chunks are there in the order of the commits, folded or not,
// and are deleted when nobody needs them.
import Game
import Store
import Testing

@Suite("Every store keeps rooms' journals")
struct JournalContractTests {
  @Test("An open room's journal has its chunks in the order of the commits", arguments: BackEnd.allCases)
  func chunksInOrder(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([(RoomID(1), [1]), (RoomID(2), [9])], RoomChange.open(room(1)), RoomChange.open(room(2)))
      try await store.commit([(RoomID(1), [2, 3])])
      try await store.maintain()
      try await store.commit([(RoomID(2), [8]), (RoomID(1), [4])])
      try await store.maintain()
      try await store.commit([(RoomID(1), [5])])
      #expect(
        try store.liveRooms() == [
          StoredRoom(row: room(1), journal: [1, 2, 3, 4, 5]), StoredRoom(row: room(2), journal: [9, 8]),
        ]
      )
    }
  }

  @Test("Segments of several shards form one commit", arguments: BackEnd.allCases)
  func segmentsTogether(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var (one, two) = (Segment(), Segment())
      one.append(RoomID(1)) { $0.append(1) }
      two.append(RoomID(2)) { $0.append(2) }
      let opened: [Change] = [.room(.open(room(1))), .room(.open(room(2)))]
      try await store.commit(Batch(at: moment(0), segments: [one, Segment(), two], changes: opened))
      #expect(try store.liveRooms().map(\.journal) == [[1], [2]])
    }
  }

  @Test(
    "Commits are made in the order of the calls, with or without maintenance between them",
    arguments: BackEnd.allCases
  )
  func callOrder(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], RoomChange.open(room(1)))
      for number in 0..<200 {
        var segment = Segment()
        segment.append(RoomID(1)) { $0.append(UInt8(number)) }
        store.commit(Batch(at: moment(0), segments: [segment])) { _ in }
        if number % 7 == 0 { store.maintain(at: moment(0), keepJournals: .zero) { _ in } }
      }
      try await store.commit([(RoomID(1), [200])])
      #expect(try store.liveRooms().map(\.journal) == [[UInt8](0...200)])
    }
  }

  @Test("Recovery begins with the segment of the newest snapshot", arguments: BackEnd.allCases, [true, false])
  func snapshotBegins(backEnd: BackEnd, maintains: Bool) async throws {
    try await backEnd.withStore { store in
      try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
      if maintains { try await store.maintain() }
      try await store.commit([(RoomID(1), [2])], RoomChange.markSnapshot(RoomID(1)))
      if maintains { try await store.maintain() }
      try await store.commit([(RoomID(1), [3])])
      #expect(try store.liveRooms().map(\.journal) == [[2, 3]])
    }
  }

  @Test("A closed room is not restored", arguments: BackEnd.allCases)
  func closedIsNotLive(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
      try await store.commit([(RoomID(1), [2])], RoomChange.close(RoomID(1)))
      #expect(try store.liveRooms() == [])
      try await store.maintain()
      // Another room may have the code.
      try await store.commit(
        [(RoomID(2), [3])],
        RoomChange.open(RoomRow(id: RoomID(2), code: room(1).code, openedAt: moment(9)))
      )
      #expect(try store.liveRooms().map(\.row.id) == [RoomID(2)])
    }
  }

  @Test(
    "A game's journal begins with its segment and ends with that of its end",
    arguments: BackEnd.allCases,
    [true, false]
  )
  func gameJournal(backEnd: BackEnd, maintains: Bool) async throws {
    try await backEnd.withStore { store in
      let (first, second) = (gameRow(1, 1), gameRow(1, 2))
      func maintainIfAsked() async throws { if maintains { try await store.maintain(at: 2_000) } }
      try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
      try await store.commit([(RoomID(1), [2])], RoomChange.markSnapshot(RoomID(1)), RoomChange.beginGame(first.id))
      try await maintainIfAsked()
      try await store.commit([(RoomID(1), [3])])
      #expect(try store.journal(of: first.id) == nil, "the game has not ended")
      #expect(try store.game(first.id) == nil, "the game has not ended")
      try await store.commit([(RoomID(1), [4])], GameChange.end(first, []))
      try await store.commit([(RoomID(1), [5])])
      try await maintainIfAsked()
      try await store.commit([(RoomID(1), [6])], RoomChange.markSnapshot(RoomID(1)), RoomChange.beginGame(second.id))
      try await store.commit([(RoomID(1), [7])], GameChange.end(second, []))
      try await maintainIfAsked()
      try await store.commit([(RoomID(1), [8])], RoomChange.close(RoomID(1)))
      try await maintainIfAsked()
      #expect(try store.journal(of: first.id) == [2, 3, 4])
      #expect(try store.journal(of: second.id) == [6, 7])
      #expect(try store.game(second.id)?.row == second)
    }
  }

  @Test(
    "A running game's journal begins with its segment and ends with the last commit",
    arguments: BackEnd.allCases,
    [true, false]
  )
  func runningJournal(backEnd: BackEnd, maintains: Bool) async throws {
    try await backEnd.withStore { store in
      let game = gameRow(1)
      func maintainIfAsked() async throws { if maintains { try await store.maintain(at: 2_000) } }
      try await store.commit([(RoomID(1), [1]), (RoomID(2), [9])], RoomChange.open(room(1)), RoomChange.open(room(2)))
      #expect(try store.journal(ofRunning: game.id) == nil, "the game has not begun")
      try await store.commit([(RoomID(1), [2])], RoomChange.markSnapshot(RoomID(1)), RoomChange.beginGame(game.id))
      #expect(try store.journal(ofRunning: game.id) == [2])
      try await maintainIfAsked()
      try await store.commit([(RoomID(1), [3]), (RoomID(2), [8])])
      // A later snapshot changes nothing for the game.
      try await store.commit([(RoomID(1), [4])], RoomChange.markSnapshot(RoomID(1)))
      try await maintainIfAsked()
      try await store.commit([(RoomID(1), [5])])
      #expect(try store.journal(ofRunning: game.id) == [2, 3, 4, 5])
      #expect(try store.journal(ofRunning: GameID(room: RoomID(2), number: 1)) == nil)
      #expect(try store.journal(ofRunning: GameID(room: RoomID(1), number: 2)) == nil)
      try await store.commit([(RoomID(1), [6])], GameChange.end(game, []))
      #expect(try store.journal(ofRunning: game.id) == nil, "the game has ended")
      #expect(try store.journal(of: game.id) == [2, 3, 4, 5, 6])
    }
  }

  @Test("Games' journals are kept for their retention time, their rows for ever", arguments: BackEnd.allCases)
  func journalsExpire(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let (old, young) = (gameRow(1, 1, endedAt: 1_000), gameRow(1, 2, endedAt: 5_000))
      try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)), RoomChange.beginGame(old.id))
      try await store.commit([(RoomID(1), [2])], GameChange.end(old, []))
      try await store.commit([(RoomID(1), [3])], RoomChange.beginGame(young.id), RoomChange.markSnapshot(RoomID(1)))
      try await store.commit([(RoomID(1), [4])], GameChange.end(young, []))
      try await store.maintain(at: 6_000, keepJournals: .seconds(5))
      #expect(try store.journal(of: old.id) == [1, 2])
      try await store.maintain(at: 6_001, keepJournals: .seconds(5))
      #expect(try store.journal(of: old.id) == nil)
      #expect(try store.journal(of: young.id) == [3, 4])
      #expect(try store.liveRooms().map(\.journal) == [[3, 4]])
      try await store.maintain(at: 60_000, keepJournals: .seconds(5))
      #expect(try store.journal(of: young.id) == nil)
      #expect(try store.liveRooms().map(\.journal) == [[3, 4]], "recovery still needs it")
      #expect(try store.games(newest: 5) == [young, old])
    }
  }

  @Test("A running game's journal is kept, whatever snapshots follow", arguments: BackEnd.allCases)
  func runningGameIsKept(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let game = gameRow(1)
      try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)), RoomChange.beginGame(game.id))
      try await store.commit([(RoomID(1), [2])], RoomChange.markSnapshot(RoomID(1)))
      try await store.maintain(at: 9_000_000, keepJournals: .zero)
      try await store.commit([(RoomID(1), [3])], GameChange.end(game, []))
      #expect(try store.journal(of: game.id) == [1, 2, 3])
      #expect(try store.liveRooms().map(\.journal) == [[2, 3]])
    }
  }

  @Test("A game cut off by the room's end is forgotten", arguments: BackEnd.allCases)
  func cutOffGame(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let game = gameRow(1)
      try await store.commit(
        [(RoomID(1), [1])],
        RoomChange.open(room(1)),
        RoomChange.beginGame(game.id),
        RoomChange.close(RoomID(1))
      )
      try await store.maintain()
      #expect(try store.game(game.id) == nil)
      // The room itself is deleted, so its identifier may begin anew.
      try await store.commit([(RoomID(1), [5])], RoomChange.open(room(1)))
      #expect(try store.liveRooms().map(\.journal) == [[5]])
    }
  }

  @Test("A change of an unknown room does nothing and does not fail the batch", arguments: BackEnd.allCases)
  func strangeRooms(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let stranger = RoomID(99)
      let game = gameRow(99)
      let outcomes = try await store.commit(
        [(RoomID(1), [1])],
        RoomChange.open(room(1)),
        RoomChange.markSnapshot(stranger),
        RoomChange.beginGame(game.id),
        GameChange.end(game, [result(1, of: game)]),
        RoomChange.addPresence(PlayerID(1), stranger),
        RoomChange.close(stranger)
      )
      #expect(outcomes == [.room(.ok), .room(.ok), .room(.ok), .game(.awarded([])), .room(.ok), .room(.ok)])
      #expect(try store.games(newest: 5) == [])
      #expect(try store.liveRooms().map(\.journal) == [[1]])
    }
  }

  @Test("The time of the newest batch with a change survives maintenance", arguments: BackEnd.allCases)
  func lastAlive(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      #expect(try store.lastAliveAt == nil)
      try await store.commit(at: 5, [(RoomID(1), [1])], RoomChange.open(room(1)))
      try await store.commit(at: 6, [(RoomID(1), [2])])
      #expect(try store.lastAliveAt == moment(6))
      try await store.maintain()
      try await store.maintain()
      #expect(try store.lastAliveAt == moment(6))
      try await store.commit(at: 7, [], RoomChange.open(room(2)))
      #expect(try store.lastAliveAt == moment(7))
      try await store.commit(at: 8)
      #expect(
        try await store.change(at: 9, SessionChange.resume(session: session(1, expiresAt: 10), at: moment(9)))
          == .badToken
      )
      #expect(try store.lastAliveAt == moment(7))
      // A mark is written by itself, again and again.
      for at in 10...12 {
        #expect(try await store.commit(Batch(at: moment(Int64(at)), marksTime: true)).isEmpty)
        #expect(try store.lastAliveAt == moment(Int64(at)))
      }
    }
  }

  @Test("An error of the caller that reads the rooms ends the reading", arguments: BackEnd.allCases)
  func errorEndsReading(backEnd: BackEnd) async throws {
    struct Enough: Error {}
    try await backEnd.withStore { store in
      try await store.commit([(RoomID(1), [1])], RoomChange.open(room(1)), RoomChange.open(room(2)))
      var seen = 0
      #expect(throws: StoreFailure.self) {
        try store.liveRooms { _ in
          seen += 1
          throw Enough()
        }
      }
      #expect(seen == 1)
    }
  }

  @Test("Calls after the close fail, and calls before it are completed", arguments: BackEnd.allCases)
  func closing(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let last = await withCheckedContinuation { waiting in
        for number in UInt128(1)...50 {
          store.commit(Batch(at: moment(0), changes: [.room(.open(room(number)))])) { _ in }
        }
        store.commit(Batch(at: moment(0), changes: [.room(.open(room(51)))])) { waiting.resume(returning: $0) }
        store.close()
        store.close()
      }
      #expect(last == .success([.room(.ok)]))
      await #expect(throws: StoreFailure.other("the store is closed")) {
        try await store.change(RoomChange.open(room(2)))
      }
      await #expect(throws: StoreFailure.other("the store is closed")) { try await store.maintain() }
      await #expect(throws: StoreFailure.other("the store is closed")) { try await store.badges(of: PlayerID(1)) }
    }
  }
}
