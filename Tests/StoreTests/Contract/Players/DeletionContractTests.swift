// The right to be forgotten, over every back end, with journals of played games.
import Game
import Store
import Testing

@Suite("Every store forgets a player on request")
struct DeletionContractTests {
  private static let one = PlayerID(1)
  private static let two = PlayerID(2)

  @Test("A deleted player no longer has a session, device, account, result or badge", arguments: BackEnd.allCases)
  func rowsAreGone(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var played = try PlayedRoom(1)
      try await played.playTwoGames(in: store, maintains: true)
      try await store.delete(Self.one)
      let resume = SessionChange.resume(session: session(1, expiresAt: 9), at: moment(1))
      #expect(try await store.change(resume) == .badToken)
      #expect(try await store.password(ofEmail: "one@example.org") == nil)
      #expect(try await store.results(of: Self.one) == [])
      #expect(try await store.badges(of: Self.one) == [])
      #expect(try store.unknownPlayers(among: [Self.two, Self.one, PlayerID(77)]) == [Self.one, PlayerID(77)])
      #expect(try await store.totals(of: Self.one, in: [0..<9_000]) == [Totals()])
      #expect(try await store.change(hello(3, device: 2, session: 3)).playerRow.blocked == [])
      #expect(try await store.change(hello(4, device: 1, session: 4)).playerRow.id == PlayerID(4))
      // The device, e-mail and nickname are free again.
      #expect(try await store.change(register(4, "one@example.org", as: "one")) == .ok)
      try await store.delete(Self.one)
    }
  }

  @Test("Other players keep their results, with rank and badges", arguments: BackEnd.allCases)
  func othersStay(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var played = try PlayedRoom(1)
      try await played.playTwoGames(in: store, maintains: true)
      let before = try await (store.results(of: Self.two), store.badges(of: Self.two))
      try await store.delete(Self.one)
      #expect(try await store.results(of: Self.two) == before.0)
      #expect(try await store.badges(of: Self.two) == before.1)
      let game = try #require(try store.game(GameID(room: played.id, number: 1)))
      #expect(game.row.playersCount == 2)
      #expect(game.results.map(\.rank) == [2])
    }
  }

  @Test(
    "Games that the player was in can no longer be replayed, other games can",
    arguments: BackEnd.allCases,
    [true, false]
  )
  func theirGamesJournals(backEnd: BackEnd, maintains: Bool) async throws {
    try await backEnd.withStore { store in
      var played = try PlayedRoom(1)
      try await played.playTwoGames(in: store, maintains: maintains)
      let other = try #require(try store.journal(of: GameID(room: played.id, number: 2)))
      #expect(try store.journal(of: GameID(room: played.id, number: 1)) != nil)
      try await store.delete(Self.one)
      #expect(try store.journal(of: GameID(room: played.id, number: 1)) == nil)
      let erased = try #require(try store.journal(of: GameID(room: played.id, number: 2)))
      #expect(erased == (try Journal.erasing(Self.one, from: other)))
      #expect(erased != other, "its snapshot had the player's nickname")
    }
  }

  @Test(
    "A game that shares a commit with the beginning or end of such a game can no longer be replayed either",
    arguments: BackEnd.allCases
  )
  func gamesOfOneCommit(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
      let games = (UInt32(0)...5).map { gameRow(1, $0) }
      let elsewhere = gameRow(2)
      func end(_ number: Int) -> GameChange {
        .end(games[number], [result(number == 3 ? 1 : 2, of: games[number])])
      }
      try await store.commit([], RoomChange.open(room(1)), RoomChange.open(room(2)), RoomChange.beginGame(games[1].id))
      try await store.commit([], end(1))
      try await store.commit([], RoomChange.beginGame(games[2].id))
      // Only the third game has player 1.
      try await store.commit([], end(2), RoomChange.beginGame(games[3].id), RoomChange.beginGame(elsewhere.id))
      try await store.commit(
        [],
        end(3),
        RoomChange.beginGame(games[4].id),
        GameChange.end(elsewhere, [result(2, of: elsewhere)])
      )
      try await store.commit([], end(4))
      try await store.commit([], RoomChange.beginGame(games[5].id))
      try await store.commit([], end(5))
      try await store.delete(Self.one)
      let isKept = try games.dropFirst().map { try store.journal(of: $0.id) != nil }
      #expect(isKept == [true, false, false, false, true])
      #expect(try store.journal(of: elsewhere.id) != nil)
    }
  }

  @Test(
    "A begun deletion blocks its player, and erases nothing before rooms are done",
    arguments: BackEnd.allCases
  )
  func begun(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
      var played = try PlayedRoom(1)
      let game = gameRow(1)
      played.join(1, 2)
      played.chat(0, by: 1)
      try await store.commit(
        played.chunk(),
        RoomChange.open(played.row),
        RoomChange.addPresence(Self.one, played.id),
        RoomChange.addPresence(Self.two, played.id),
        RoomChange.beginGame(game.id)
      )
      try await store.commit([], DeletionChange.begin(Self.one, at: moment(9)))
      #expect(try store.unfinishedDeletions == [Self.one])
      #expect(try store.unknownPlayers(among: [Self.one, Self.two]) == [Self.one])
      // Neither maintenance nor a call erases the player yet. Later texts in rooms are erased with the rest.
      try await store.maintain()
      try await store.erase(Self.one)
      played.chat(0, by: 1)
      try await store.commit(played.chunk(), GameChange.end(game, [result(1, of: game), result(2, of: game)]))
      #expect(try store.unfinishedDeletions == [Self.one])
      #expect(try #require(try store.liveRooms().first).journal.contains(text: PlayedRoom.text(of: 1)))
      #expect(try store.journal(of: game.id) != nil)

      try await store.delete(Self.one, at: 10)
      #expect(try store.unfinishedDeletions.isEmpty)
      let journal = try #require(try store.liveRooms().first).journal
      #expect(!journal.contains(text: PlayedRoom.text(of: 1)))
      // The game ran during the deletion, so its track may have the player's way.
      #expect(try store.journal(of: game.id) == nil)
      #expect(try await store.results(of: Self.two).count == 1)
    }
  }

  @Test("A room that begins in the batch of a deletion keeps its journal", arguments: BackEnd.allCases)
  func roomOfTheSameBatch(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
      var played = try PlayedRoom(2)
      played.join(2)
      try await store.commit(
        played.chunk(),
        DeletionChange.finish(Self.one, at: moment(9)),
        RoomChange.open(played.row),
        RoomChange.addPresence(Self.two, played.id)
      )
      try await store.erase(Self.one)
      let journal = try #require(try store.liveRooms().first).journal
      let room = try #require(try RoomRecovery(from: journal)?.room)
      #expect(room.lastEventNumber == played.room.lastEventNumber)
    }
  }

  @Test("A room that the player never entered is unchanged", arguments: BackEnd.allCases)
  func otherRooms(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1))
      // The bytes are no journal: reading them would be a fault.
      try await store.commit([(RoomID(9), [1, 2, 3])], RoomChange.open(room(9)))
      try await store.delete(Self.one)
      #expect(try store.liveRooms().map(\.journal) == [[1, 2, 3]])
    }
  }
}
