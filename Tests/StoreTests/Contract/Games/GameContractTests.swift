// Games, results, badges and totals, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps games, results and badges")
struct GameContractTests {
  /// Stores games of one room, all with the same player; returns their outcomes.
  private func play(_ count: Int, by player: UInt128 = 1, counts: Bool = true, in store: any Store) async throws
    -> [GameOutcome]
  {
    var outcomes: [GameOutcome] = []
    for number in 1...UInt32(count) {
      let game = gameRow(player, number, endedAt: Int64(number) * 1_000)
      outcomes.append(try await store.change(GameChange.end(game, [result(player, of: game, counts: counts)])))
    }
    return outcomes
  }

  @Test("A finished game is stored with its results by rank", arguments: BackEnd.allCases)
  func gameIsThere(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let game = gameRow(1)
      let results = [result(2, of: game, rank: 2, counts: false), result(1, of: game)]
      try await store.commit(
        [],
        hello(1, device: 1, session: 1),
        hello(2, device: 2, session: 2),
        RoomChange.open(room(1))
      )
      try await store.commit([], GameChange.end(game, results))
      #expect(try store.game(game.id) == StoredGame(row: game, results: results.reversed()))
      #expect(try await store.results(of: PlayerID(2)) == [results[0]])
    }
  }

  @Test("A game that is stored again changes nothing", arguments: BackEnd.allCases)
  func endedTwice(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let game = gameRow(1)
      var other = game
      other.playersCount = 9
      try await store.commit(
        [],
        hello(1, device: 1, session: 1),
        RoomChange.open(room(1)),
        RoomChange.beginGame(game.id)
      )
      let won = GameOutcome.awarded([Award(player: PlayerID(1), badge: 0)])
      #expect(try await store.change(GameChange.end(game, [result(1, of: game)])) == won)
      #expect(try await store.change(GameChange.end(other, [result(1, of: game)])) == .awarded([]))
      #expect(try await store.change(RoomChange.beginGame(game.id)) == .ok)
      #expect(try store.liveRooms().map(\.lastGame) == [game.id.number])
      #expect(try store.games(newest: 5) == [game])
      #expect(try await store.results(of: PlayerID(1)).count == 1)
      #expect(try await store.badges(of: PlayerID(1)) == [AwardedBadge(badge: 0, awardedAt: game.endedAt)])
    }
  }

  @Test("Records 1, 3, 5, 10, 20, 30 and 50 give badges 0 to 6, each once", arguments: BackEnd.allCases)
  func badges(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)))
      let won = try await play(55, in: store).enumerated().compactMap { index, outcome -> [Int]? in
        guard case .awarded(let awards) = outcome, let award = awards.first else { return nil }
        return [index + 1, award.badge]
      }
      #expect(won == [[1, 0], [3, 1], [5, 2], [10, 3], [20, 4], [30, 5], [50, 6]])
      #expect(try await store.badges(of: PlayerID(1)).map(\.badge) == [0, 1, 2, 3, 4, 5, 6])
      #expect(try await store.badges(of: PlayerID(1)).map(\.awardedAt.milliseconds).max() == 50_000)
    }
  }

  @Test("Results that are no records give no badges and do not count", arguments: BackEnd.allCases)
  func uncounted(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)))
      #expect(try await play(3, counts: false, in: store) == [.awarded([]), .awarded([]), .awarded([])])
      #expect(try await store.badges(of: PlayerID(1)) == [])
      #expect(try await store.totals(of: PlayerID(1), in: [0..<10_000]) == [Totals()])
      #expect(try await store.results(of: PlayerID(1)).count == 3)
    }
  }

  @Test("Results of deleted players are left out, and the others' stay", arguments: BackEnd.allCases)
  func strangersResults(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let game = gameRow(1)
      try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)))
      let results = [result(7, of: game), result(1, of: game, rank: 2)]
      let won = GameOutcome.awarded([Award(player: PlayerID(1), badge: 0)])
      #expect(try await store.change(GameChange.end(game, results)) == won)
      #expect(try store.game(game.id)?.results == [results[1]])
      #expect(try await store.badges(of: PlayerID(7)) == [])
    }
  }

  @Test("Results are listed newest first and page by page, without gap or repeat", arguments: BackEnd.allCases)
  func paging(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)), RoomChange.open(room(2)))
      // Several games end in the same millisecond, in two rooms.
      for number in 1...UInt32(12) {
        for id in [UInt128(1), 2] {
          let game = gameRow(id, number, endedAt: 1_000 + Int64(number / 5))
          try await store.change(GameChange.end(game, [result(1, of: game)]))
        }
      }
      let all = try await store.results(of: PlayerID(1))
      #expect(all.count == 24)
      #expect(Set(all.map(\.game)).count == 24)
      #expect(all.map(\.endedAt) == all.map(\.endedAt).sorted(by: >))
      var paged: [ResultRow] = []
      while true {
        let page = try await store.results(of: PlayerID(1), before: paged.last.map(ResultCursor.init(of:)), limit: 5)
        #expect(page.count <= 5)
        if page.isEmpty { break }
        paged += page
      }
      #expect(paged == all)
      #expect(try await store.results(of: PlayerID(1), limit: 0) == [])
      #expect(try await store.results(of: PlayerID(3)) == [])
    }
  }

  @Test("Totals are sums by the games' end, over a range without its upper bound", arguments: BackEnd.allCases)
  func totals(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)))
      _ = try await play(4, in: store)
      let three = Totals(count: 3, distanceMm: 210_000, timeMs: 180_000, calories: 2_100)
      let totals = try await store.totals(of: PlayerID(1), in: [1_000..<4_000, 4_001..<9_000, 3_999..<4_001])
      #expect(totals == [three, Totals(), Totals(count: 1, distanceMm: 70_000, timeMs: 60_000, calories: 700)])
    }
  }

  @Test("The newest games are listed first, as many as requested", arguments: BackEnd.allCases)
  func newestGames(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], RoomChange.open(room(1)), RoomChange.open(room(2)))
      let games = [gameRow(1, 1, endedAt: 1_000), gameRow(2, 1, endedAt: 3_000), gameRow(1, 2, endedAt: 2_000)]
      for game in games { try await store.change(GameChange.end(game, [])) }
      #expect(try store.games(newest: 2) == [games[1], games[2]])
      #expect(try store.game(GameID(room: RoomID(3), number: 1)) == nil)
      #expect(try store.journal(of: games[0].id) == nil, "its beginning was never stored")
    }
  }
}
