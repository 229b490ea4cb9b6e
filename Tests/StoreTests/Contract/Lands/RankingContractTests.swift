// Rankings of all time and of periods, and their pages, over every back end.
import Game
import SeededRandom
import Store
import Testing

@Suite("Every store keeps rankings of weeks and months, and hands out whole ones in pages")
struct RankingContractTests {
  private static let week = RankingPeriod(instant(1_000)..<instant(2_000))
  private static let land = LandID(1)

  private static func instant(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  private static func run(_ player: UInt128, seconds: Int, at: Int64) -> RoomChange {
    let run = LandRunResult(player: PlayerID(player), land: land, time: .seconds(seconds))
    return .addLandRun(run, at: instant(at))
  }

  private static func prepare(_ store: any Store, players: ClosedRange<UInt8>) async throws {
    let vertices = [(0, 0), (0, 9_000), (7_200, 9_000)].map { (north: Int32, east: Int32) in
      Coordinate(latE7: 375_000_000 + north, lngE7: 1_267_000_000 + east)
    }
    _ = try store.addLands([Land(id: land, name: "land 1", vertices: ContiguousArray(vertices))])
    for player in players { try await store.change(hello(UInt128(player), device: player, session: player)) }
  }

  private static func order(_ store: any Store, in period: RankingPeriod) async throws -> [PlayerID] {
    let ranking = try await store.rankings(of: [land], in: period, top: 100, for: PlayerID(1)).first
    return try #require(ranking).top.map(\.player)
  }

  @Test(
    "A period's ranking has each player's best run of the period, told before or after",
    arguments: BackEnd.allCases
  )
  func period(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await Self.prepare(store, players: 1...4)
      // Just before the period, in it twice, at its last moment, and at its end.
      for (player, seconds, at) in [(1, 50, 999), (1, 90, 1_000), (1, 80, 1_500), (2, 70, 1_999), (3, 10, 2_000)] {
        try await store.change(Self.run(UInt128(player), seconds: seconds, at: Int64(at)))
      }
      await #expect(throws: StoreFailure.self) { try await Self.order(store, in: Self.week) }
      try await store.keepRankings(of: Self.week)
      #expect(try await Self.order(store, in: Self.week) == [PlayerID(2), PlayerID(1)])
      #expect(try await Self.order(store, in: .allTime) == [PlayerID(3), PlayerID(1), PlayerID(2)])
      // A run that is told late counts in its period; a slower one changes nothing.
      try await store.change(Self.run(4, seconds: 60, at: 1_100))
      try await store.change(Self.run(2, seconds: 75, at: 1_200))
      try await store.change(Self.run(1, seconds: 80, at: 1_050))
      // A known period changes nothing.
      try await store.keepRankings(of: Self.week, Self.week)
      #expect(try await Self.order(store, in: Self.week) == [PlayerID(4), PlayerID(2), PlayerID(1)])
      let own = try #require(try await store.rankings(of: [Self.land], in: Self.week, top: 1, for: PlayerID(1)).first)
      #expect(own.own?.rank == 3 && own.own?.timeMs == 80_000 && own.own?.capturedAt == Self.instant(1_050))
      #expect(own.neighbours.map(\.player) == [PlayerID(2)] && own.ownTimes.count == 4)
    }
  }

  @Test("A period's rankings end with it; those of all time and of the next stay", arguments: BackEnd.allCases)
  func over(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await Self.prepare(store, players: 1...2)
      let next = RankingPeriod(Self.instant(2_000)..<Self.instant(3_000))
      try await store.keepRankings(of: Self.week, next)
      for (player, at) in [(1, 1_500), (2, 2_500)] {
        try await store.change(Self.run(UInt128(player), seconds: 60, at: Int64(at)))
      }
      try await store.maintain(at: 1_999)
      #expect(try await Self.order(store, in: Self.week) == [PlayerID(1)])
      try await store.maintain(at: 2_000)
      await #expect(throws: StoreFailure.self) { try await Self.order(store, in: Self.week) }
      #expect(try await Self.order(store, in: next) == [PlayerID(2)])
      #expect(try await Self.order(store, in: .allTime) == [PlayerID(1), PlayerID(2)])
      // A run of a period that is over is in the ranking of all time alone.
      try await store.change(Self.run(2, seconds: 30, at: 1_600))
      #expect(try await Self.order(store, in: .allTime) == [PlayerID(2), PlayerID(1)])
    }
  }

  @Test("Pages have every row of a ranking once, in order, with its rank", arguments: BackEnd.allCases)
  func pages(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await Self.prepare(store, players: 1...40)
      try await store.keepRankings(of: Self.week)
      var random = SplitMix64(seed: 3)
      for player: UInt128 in 1...39 {
        try await store.change(Self.run(player, seconds: random.draw(30...35), at: Int64(random.draw(1_000...1_003))))
      }
      for period in [.allTime, Self.week] {
        let all = try #require(try await store.rankings(of: [Self.land], in: period, top: 100, for: PlayerID(1)).first)
          .top
        for limit in [1, 7, 39, 40] {
          var (rows, cursor): ([RankedRun], RankingCursor?) = ([], nil)
          repeat {
            let page = try #require(
              try await store.page(AskedPage(of: Self.land, in: period, after: cursor, limit: limit), for: PlayerID(40))
            )
            #expect(!page.hasPlayer && page.rows.count <= limit)
            rows += page.rows
            cursor = page.rows.last.map { RankingCursor(of: $0) }
            if page.rows.isEmpty { break }
          } while true
          #expect(rows == all && rows.map(\.rank) == Array(1...39), "\(limit)")
        }
      }
      #expect(try await store.page(AskedPage(of: Self.land, limit: 1), for: PlayerID(7))?.hasPlayer == true)
      #expect(try await store.page(AskedPage(of: LandID(9), limit: 1), for: PlayerID(7)) == nil)
    }
  }

  @Test("A page goes on although the player of its cursor improved or was deleted", arguments: BackEnd.allCases)
  func movedCursor(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await Self.prepare(store, players: 1...4)
      for (player, seconds) in [(1, 50), (2, 60), (3, 60), (4, 70)] {
        try await store.change(Self.run(UInt128(player), seconds: seconds, at: Int64(player)))
      }
      let first = try #require(try await store.page(AskedPage(of: Self.land, limit: 3), for: PlayerID(1)))
      let cursor = RankingCursor(of: first.rows[2])
      func rest() async throws -> [RankedRun] {
        try #require(try await store.page(AskedPage(of: Self.land, after: cursor, limit: 9), for: PlayerID(1))).rows
      }
      #expect(try await rest().map(\.player) == [PlayerID(4)])
      try await store.change(Self.run(3, seconds: 40, at: 9))
      // Nobody is left out; who has the cursor's very time comes again.
      #expect(try await rest().map(\.player) == [PlayerID(2), PlayerID(4)])
      #expect(try await rest().map(\.rank) == [4, 5])
      try await store.delete(PlayerID(3), at: 2_000)
      #expect(try await rest().map(\.player) == [PlayerID(2), PlayerID(4)])
      let beyond = RankingCursor(rank: 9, timeMs: .max, player: PlayerID(.max))
      #expect(
        try await store.page(AskedPage(of: Self.land, after: beyond, limit: 9), for: PlayerID(1))?.rows.isEmpty == true
      )
    }
  }

  @Test("A deleted player is in no ranking of any period", arguments: BackEnd.allCases)
  func deletion(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await Self.prepare(store, players: 1...2)
      try await store.keepRankings(of: Self.week)
      for player: UInt128 in 1...2 { try await store.change(Self.run(player, seconds: 60, at: 1_500)) }
      try await store.delete(PlayerID(1), at: 1_600)
      #expect(try await Self.order(store, in: Self.week) == [PlayerID(2)])
      #expect(try await Self.order(store, in: .allTime) == [PlayerID(2)])
    }
  }

  @Test(
    "Rankings of several lands come in the order of the question, without unknown ones",
    arguments: BackEnd.allCases
  )
  func several(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await Self.prepare(store, players: 1...1)
      let vertices = [(0, 0), (0, 9_000), (7_200, 9_000)].map { (north: Int32, east: Int32) in
        Coordinate(latE7: 376_000_000 + north, lngE7: 1_267_000_000 + east)
      }
      _ = try store.addLands([Land(id: LandID(2), name: "land 2", vertices: ContiguousArray(vertices))])
      try await store.change(Self.run(1, seconds: 60, at: 1_500))
      let rankings = try await store.rankings(of: [LandID(2), LandID(9), Self.land], top: 3, for: PlayerID(1))
      #expect(rankings.map(\.land) == [LandID(2), Self.land])
      #expect(rankings.map(\.top.count) == [0, 1] && rankings[0].own == nil && rankings[1].own?.rank == 1)
    }
  }
}
