// Lands, their search, solo runs and rankings, and a room's games, over every back end.
import Game
import SeededRandom
import Store
import Testing

@Suite("Every store keeps lands and rankings")
struct LandContractTests {
  /// A square of 80 m. Its first corner is offset by 1e-7 degrees north and east of a place in Bupyeong.
  private static func land(_ number: UInt128, north: Int32 = 0, east: Int32 = 0, lngE7: Int32 = 1_267_000_000) -> Land {
    let corners: [(Int32, Int32)] = [(0, 0), (0, 9_000), (7_200, 9_000), (7_200, 0)]
    let vertices = corners.map { corner in
      var lng = Int64(lngE7) + Int64(east + corner.1)
      if lng > 1_800_000_000 { lng -= 3_600_000_000 }
      return Coordinate(latE7: 375_000_000 + north + corner.0, lngE7: Int32(lng))
    }
    return Land(id: LandID(number), name: "land \(number)", vertices: ContiguousArray(vertices))
  }

  private static func run(_ player: UInt128, _ land: UInt128, seconds: Int, at: Int64) -> RoomChange {
    let run = LandRunResult(player: PlayerID(player), land: LandID(land), time: .seconds(seconds))
    return .addLandRun(run, at: Instant(milliseconds: at))
  }

  @Test("An added land is stored once, with every vertex", arguments: BackEnd.allCases)
  func added(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let lands = [Self.land(2), Self.land(1, north: 100_000)]
      #expect(try store.addLands(lands) == [true, true])
      #expect(try store.addLands([lands[1], Self.land(3), lands[0]]) == [false, true, false])
      #expect(try await store.lands([LandID(1), LandID(9), LandID(2)]) == [lands[1], lands[0]])
      var all: [LandID] = []
      try store.allLands { all.append($0.id) }
      #expect(all == [LandID(2), LandID(1), LandID(3)])
    }
  }

  @Test("The search returns the nearest first, within the distance and up to the limit", arguments: BackEnd.allCases)
  func search(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var random = SplitMix64(seed: 7)
      let lands = (1...300).map { number in
        Self.land(
          UInt128(number),
          north: Int32(random.draw(-2_000_000...2_000_000)),
          east: Int32(random.draw(-2_000_000...2_000_000))
        )
      }
      _ = try store.addLands(lands)
      for (withinM, limit) in [(300, 50), (3_000, 10), (20_000, 50), (20_000, 1_000)] {
        let place = Coordinate(
          latE7: 375_000_000 + Int32(random.draw(-1_000_000...1_000_000)),
          lngE7: 1_267_000_000 + Int32(random.draw(-1_000_000...1_000_000))
        )
        let found = try await store.lands(near: place, withinM: withinM, limit: limit)
        let distances = lands.map { land in
          (land.vertices.compactMap { Geodesy.distanceMm(place, $0) }.min() ?? .max, land.id)
        }
        let expected = distances.filter { $0.0 <= Int64(withinM) * 1_000 }.sorted { $0 < $1 }.prefix(limit)
        #expect(found.map(\.id) == expected.map(\.1), "\(withinM) m, \(limit)")
        #expect(found.map(\.distanceMm) == expected.map(\.0))
      }
      let one = try #require(try await store.lands(near: lands[0].vertices[0], withinM: 1, limit: 1).first)
      #expect(one.found.land == lands[0] && one.distanceMm == 0 && one.found.bestTimeMs == nil)
      #expect(one.found.lengthMm == lands[0].lengthMm)
      #expect(one.found.middle.latE7 == lands[0].vertices[0].latE7 + 3_600)
    }
  }

  @Test("Lands on the antimeridian are found from both of its sides", arguments: BackEnd.allCases)
  func antimeridian(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      _ = try store.addLands([Self.land(1, lngE7: 1_799_995_000)])
      for lngE7: Int32 in [1_799_990_000, -1_799_990_000, 1_800_000_000, -1_800_000_000] {
        let place = Coordinate(latE7: 375_000_000, lngE7: lngE7)
        #expect(try await store.lands(near: place, withinM: 500, limit: 5).map(\.id) == [LandID(1)], "\(lngE7)")
      }
    }
  }

  @Test(
    "A ranking has each player's best run, the earlier of two equal times first, with neighbours",
    arguments: BackEnd.allCases
  )
  func ranking(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      _ = try store.addLands([Self.land(1), Self.land(2)])
      for player: UInt8 in 1...5 { try await store.change(hello(UInt128(player), device: player, session: player)) }
      try await store.change(Self.run(1, 1, seconds: 90, at: 1_000))
      try await store.change(Self.run(2, 1, seconds: 80, at: 2_000))
      try await store.change(Self.run(3, 1, seconds: 80, at: 1_500))
      try await store.change(Self.run(1, 1, seconds: 70, at: 3_000))
      try await store.change(Self.run(1, 1, seconds: 75, at: 4_000))
      try await store.change(Self.run(4, 1, seconds: 200, at: 5_000))
      try await store.change(Self.run(4, 2, seconds: 60, at: 6_000))
      // Runs of unknown players or around unknown lands are not kept.
      #expect(try await store.change(Self.run(9, 1, seconds: 10, at: 1)) == .ok)
      #expect(try await store.change(Self.run(1, 9, seconds: 10, at: 1)) == .ok)

      let ranking = try #require(
        try await store.rankings(of: [LandID(1)], top: 3, for: PlayerID(2), ownTimesMax: 2).first
      )
      #expect(ranking.name == "land 1" && ranking.top.map(\.player) == [1, 3, 2].map { PlayerID($0) })
      #expect(ranking.top.map(\.rank) == [1, 2, 3] && ranking.top.map(\.timeMs) == [70_000, 80_000, 80_000])
      #expect(ranking.own?.rank == 3 && ranking.neighbours.map(\.player) == [3, 4].map { PlayerID($0) })
      #expect(ranking.neighbours.map(\.rank) == [2, 4])
      let first = try #require(
        try await store.rankings(of: [LandID(1)], top: 1, for: PlayerID(1), ownTimesMax: 2).first
      )
      #expect(first.top.count == 1 && first.neighbours.map(\.player) == [PlayerID(3)])
      #expect(first.ownTimes.map(\.timeMs) == [75_000, 70_000])
      let none = try #require(try await store.rankings(of: [LandID(1)], top: 3, for: PlayerID(5), ownTimesMax: 2).first)
      #expect(none.own == nil && none.neighbours.isEmpty && none.ownTimes.isEmpty)
      #expect(try await store.rankings(of: [LandID(9)], top: 3, for: PlayerID(1), ownTimesMax: 2).first == nil)
      #expect(
        try await store.lands(near: Self.land(1).vertices[0], withinM: 1, limit: 1).first?.found.bestTimeMs == 70_000
      )
      #expect(try await store.land(LandID(1))?.bestTimeMs == 70_000)

      let lands = try #require(try await store.lands(of: PlayerID(4), limit: 1))
      #expect(lands.map(\.land) == [LandID(2)] && lands[0].rank == 1)
      let rest = try #require(
        try await store.lands(of: PlayerID(4), before: PlayerLandCursor(of: lands[0]), limit: 5)
      )
      #expect(rest.map(\.land) == [LandID(1)] && rest[0].rank == 4 && rest[0].timeMs == 200_000)
    }
  }

  @Test("A deleted player's times are removed, and the others' ranks close the gap", arguments: BackEnd.allCases)
  func deletion(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      _ = try store.addLands([Self.land(1)])
      for player: UInt8 in 1...2 { try await store.change(hello(UInt128(player), device: player, session: player)) }
      try await store.change(Self.run(1, 1, seconds: 60, at: 1_000))
      try await store.change(Self.run(2, 1, seconds: 90, at: 1_000))
      try await store.delete(PlayerID(1), at: 2_000)
      let ranking = try #require(
        try await store.rankings(of: [LandID(1)], top: 3, for: PlayerID(2), ownTimesMax: 2).first
      )
      #expect(ranking.top.map(\.player) == [PlayerID(2)] && ranking.own?.rank == 1)
      #expect(try await store.lands(of: PlayerID(1), limit: 5) == nil)
    }
  }

  @Test("A room's games are listed newest first, page by page, with mode, land and boards", arguments: BackEnd.allCases)
  func games(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), RoomChange.open(room(1)), RoomChange.open(room(2)))
      var games: [StoredGame] = []
      for number: UInt32 in 1...3 {
        var game = gameRow(1, number, endedAt: Int64(number) * 1_000)
        game.mode = [.footprint, .territory, .land][Int(number) - 1]
        if number == 3 { game.land = LandID(5) }
        games.append(StoredGame(row: game, results: [result(1, of: game)]))
        try await store.change(GameChange.end(game, games[Int(number) - 1].results))
      }
      try await store.commit([], RoomChange.beginGame(GameID(room: RoomID(1), number: 4)))
      let first = try await store.games(of: RoomID(1), limit: 2)
      #expect(first == [games[2], games[1]])
      #expect(try await store.games(of: RoomID(1), before: 2, limit: 2) == [games[0]])
      #expect(try await store.games(of: RoomID(2), limit: 2).isEmpty)
      #expect(try await store.results(of: PlayerID(1)).map(\.land) == [LandID(5), nil, nil])
    }
  }
}
