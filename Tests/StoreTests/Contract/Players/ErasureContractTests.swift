// Marked and erased players: the immediate effects, and the remaining data, over every back end.
import Game
import Store
import Testing

@Suite("Every store erases players who are marked")
struct ErasureContractTests {
  private static let one = PlayerID(1)

  @Test(
    "From the commit on nobody can log in as the player, and the e-mail address, nickname and device are free",
    arguments: BackEnd.allCases
  )
  func marked(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)))
      try await store.change(hello(9, device: 1, session: 2))
      try await store.change(register(1, "one@example.org", as: "one"))
      let game = gameRow(1)
      try await store.commit([], RoomChange.addPresence(Self.one, room(1).id), RoomChange.beginGame(game.id))
      #expect(try await store.change(DeletionChange.finish(Self.one, at: moment(9))) == .ok)
      // Not erased yet.
      for number in UInt8(1)...2 {
        #expect(try await store.change(SessionChange.resume(session: session(number), at: moment(10))) == .badToken)
      }
      #expect(try store.unknownPlayers(among: [Self.one]) == [Self.one])
      #expect(try await store.password(ofEmail: "one@example.org") == nil)
      #expect(try await store.password(of: Self.one) == nil)
      #expect(try await store.change(SessionChange.login(Self.one, session: session(3), at: moment(10))) == .notFound)
      #expect(try await store.change(setPassword(of: 1)) == .notFound)
      #expect(try await store.change(AccountChange.setNickname(Self.one, "two")) == .notFound)
      #expect(try await store.change(register(1, "two@example.org", as: "two")) == .notFound)
      #expect(try await store.change(hello(2, device: 1, session: 4)).playerRow.id == PlayerID(2))
      #expect(try await store.change(AccountChange.block(PlayerID(2), Self.one)) == .notFound)
      #expect(try await store.change(register(2, "one@example.org", as: "one")) == .ok)
      // Later rows of the player are left out, as of a deleted one.
      let outcome = try await store.change(GameChange.end(game, [result(1, of: game)]))
      #expect(outcome == .awarded([]))
      try await store.change(RoomChange.addPresence(Self.one, room(1).id))
      #expect(try await store.results(of: Self.one) == [])
      #expect(try await store.change(DeletionChange.finish(Self.one, at: moment(11))) == .ok)

      try await store.erase(Self.one)
      #expect(try store.journal(of: game.id) == nil, "the game was running at the deletion")
      #expect(try store.unknownPlayers(among: [Self.one, PlayerID(2)]) == [Self.one])
      #expect(try await store.password(ofEmail: "one@example.org")?.player == PlayerID(2))
      // Nothing remains to be erased.
      try await store.erase(Self.one)
    }
  }

  @Test("A game that begins after the deletion is kept, with its journal", arguments: BackEnd.allCases)
  func laterGame(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
      try await store.commit(
        [],
        RoomChange.open(room(1)),
        RoomChange.addPresence(Self.one, room(1).id),
        RoomChange.beginGame(gameRow(1, 1).id)
      )
      try await store.change(DeletionChange.finish(Self.one, at: moment(9)))
      try await store.change(GameChange.end(gameRow(1, 1), [result(2, of: gameRow(1, 1))]))
      try await store.change(RoomChange.beginGame(gameRow(1, 2).id))
      try await store.erase(Self.one)
      try await store.change(GameChange.end(gameRow(1, 2), [result(2, of: gameRow(1, 2))]))
      #expect(try store.journal(of: gameRow(1, 1).id) == nil)
      #expect(try store.journal(of: gameRow(1, 2).id) != nil)
    }
  }
}
