// School taps, over every back end: the committed changes rebuild the same tally.
import Game
import SeededRandom
import Store
import Testing

@Suite("The contract: school taps")
struct TapContractTests {
  @Test(
    "Rows of different ages and their later records restore the last committed tally",
    arguments: BackEnd.allCases,
    0..<6 as Range<UInt64>
  )
  func recovery(backEnd: BackEnd, seed: UInt64) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: seed)
      #expect(try store.recoverTally().tally.sequence == 0)
      for _ in 0..<40 {
        contest.play(steps: contest.draw(0...9))
        let change = contest.change(rowsMax: contest.draw(0...6))
        let committed = contest.observation
        if contest.draw(1...3) == 1 {
          // Two changes in one batch may have the same rows.
          contest.play(steps: 5)
          try await store.commit(tally: change, contest.change(rowsMax: contest.draw(0...6)))
        } else {
          try await store.commit(tally: change)
          #expect(contest.observation == committed)
        }
        // Uncommitted changes are lost with a crash.
        let last = contest.observation
        if contest.draw(1...3) == 1 {
          let recovered = try store.recoverTally()
          #expect(recovered.isWhole)
          #expect(contest.observation(of: recovered.tally) == last, "seed \(seed)")
          #expect(recovered.tally.check() == [])
          if contest.draw(1...2) == 1 { contest.tally = recovered.tally }
          // Both tallies produce the same rows.
          if contest.draw(1...4) == 1 {
            let own = contest.change(rowsMax: .max)
            try await store.commit(tally: TallyChange(segment: nil, rows: own.rows, recordsNeededFrom: 0))
            let stored = try StoredTaps(store).rows
            var other = recovered.tally
            let rows = other.takeChangedRows(max: .max)
            try await store.commit(tally: TallyChange(segment: nil, rows: rows, recordsNeededFrom: 0))
            #expect(try StoredTaps(store).rows == stored, "seed \(seed)")
          }
        }
      }
    }
  }

  @Test("Segments without a needed record are forgotten", arguments: BackEnd.allCases)
  func forgotten(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 1)
      contest.choose(0, by: 0)
      contest.tap(5, by: 0)
      try await store.commit(tally: contest.change(rowsMax: 0))
      contest.tap(6, by: 0)
      contest.tap(7, by: 0)
      try await store.commit(tally: contest.change(rowsMax: 0))
      let kept = try StoredTaps(store)
      #expect(kept.segments.count == 2 && kept.rows.count == 0)
      contest.tap(8, by: 0)
      var change = contest.change(rowsMax: .max)
      change.recordsNeededFrom = 4
      try await store.commit(tally: change)
      // The second segment has records 3 and 4.
      #expect(try StoredTaps(store).segments.count == 2)
      contest.tap(9, by: 0)
      try await store.commit(tally: contest.change(rowsMax: .max))
      #expect(try StoredTaps(store).segments == [])
      #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
    }
  }

  @Test(
    "A deleted player leaves counts and no identifier, and may return as a new player",
    arguments: BackEnd.allCases
  )
  func deleted(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 1)
      for player in 0..<2 {
        contest.choose(0, by: player)
        contest.tap(100, by: player)
      }
      try await store.commit(tally: contest.change(rowsMax: .max))
      // Player 0 is forgotten in a batch of its own, player 1 in the batch in which a new player comes.
      contest.forget(0)
      try await store.commit(tally: contest.change(rowsMax: .max))
      contest.choose(0, by: 0)
      contest.forget(1)
      contest.choose(1, by: 1)
      contest.tap(7, by: 1)
      try await store.commit(tally: contest.change(rowsMax: .max))
      let rows = try StoredTaps(store).rows
      #expect(rows.players.map(\.player) == [nil, nil, PlayerID(1), PlayerID(2)])
      #expect(rows.totals.map(\.count) == [200, 7])
      #expect(rows.counts.map(\.player) == [0, 1, 3])
      #expect(contest.observation(of: try store.recoverTally().tally) == contest.observation)
      // The account's deletion does not change the tally.
      _ = try await store.change(DeletionChange.finish(PlayerID(2), at: moment(0)))
      #expect(try StoredTaps(store).rows == rows)
    }
  }

  @Test("A closed season's ranking stays as published, whatever is voided later", arguments: BackEnd.allCases)
  func closings(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 1)
      for player in 0..<3 {
        contest.choose(player, by: player)
        contest.tap(Int64(10 + player), by: player)
      }
      #expect(try store.finalRanking(of: 1) == nil)
      let ranking = contest.tally.ranking(of: 1)
      contest.close()
      let closedAt = moment(contest.nowMs)
      contest.close()
      // Rows wait for their turn; final rankings do not.
      try await store.commit(tally: contest.change(rowsMax: 0))
      #expect(try store.finalRanking(of: 1) == SeasonClosing(season: 1, closedAt: closedAt, ranking: ranking))
      #expect(try store.finalRanking(of: 2)?.ranking == [])
      #expect(try store.finalRanking(of: 3) == nil)
      #expect(contest.tally.voidTaps(of: PlayerID(3), season: 1) == 12)
      try await store.commit(tally: contest.change(rowsMax: .max))
      #expect(try store.finalRanking(of: 1)?.ranking == ranking)
      #expect(try store.recoverTally().tally.ranking(of: 1).count == 2)
    }
  }

  @Test("A closing that is written again replaces the earlier one", arguments: BackEnd.allCases)
  func closingsAgain(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 1)
      contest.choose(0, by: 0)
      contest.tap(30, by: 0)
      contest.close()
      try await store.commit(tally: contest.change(rowsMax: .max))
      let schools = try ["S0", "S1", "S2"].map { try #require(SchoolID($0)) }
      func closing(at milliseconds: Int64, _ places: (school: Int, count: Int64)...) -> SeasonClosing {
        let ranking = places.enumerated().map {
          RankedSchool(rank: $0.offset + 1, school: schools[$0.element.school], count: $0.element.count)
        }
        return SeasonClosing(season: 1, closedAt: moment(milliseconds), ranking: ranking)
      }
      let first = closing(at: contest.nowMs, (0, 30), (1, 20), (2, 10))
      let second = closing(at: contest.nowMs + 1, (2, 40), (0, 7))
      for closing in [first, first, second, first] {
        try await store.commit(tally: TallyChange(segment: nil, recordsNeededFrom: 0, closings: [closing]))
        #expect(try store.finalRanking(of: 1) == closing)
      }
    }
  }

  @Test(
    "An empty change writes nothing, and any other records the time when the server was alive",
    arguments: BackEnd.allCases
  )
  func alive(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 1)
      try await store.commit(at: 1, tally: contest.change(rowsMax: .max))
      #expect(try store.lastAliveAt == nil)
      contest.choose(0, by: 0)
      try await store.commit(at: 2, tally: contest.change(rowsMax: 0))
      #expect(try store.lastAliveAt == moment(2))
      try await store.commit(at: 3, tally: contest.change(rowsMax: 0))
      #expect(try store.lastAliveAt == moment(2))
      try await store.commit(at: 4, tally: contest.change(rowsMax: .max))
      #expect(try store.lastAliveAt == moment(4))
    }
  }

  @Test("Rows are returned in pieces, referenced ones first", arguments: BackEnd.allCases)
  func pieces(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 1, players: 10_001)
      for player in 0...10_000 {
        contest.choose(player % 4, by: player)
        contest.tap(1, by: player)
      }
      contest.close()
      try await store.commit(tally: contest.change(rowsMax: .max))
      var counts: [[Int]] = []
      try store.tally { rows in
        counts.append([
          rows.schools.count, rows.seasons.count, rows.totals.count, rows.players.count, rows.counts.count,
        ])
      } segments: { _ in
      }
      #expect(
        counts == [
          [4, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 4, 0, 0],
          [0, 0, 0, 10_000, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 10_000], [0, 0, 0, 0, 1],
        ]
      )
      #expect(try store.recoverTally().tally.playerCount == 10_001)
    }
  }

  @Test("A row that no tally can have written is reported with its table", arguments: BackEnd.allCases)
  func impossible(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 1)
      contest.choose(0, by: 0)
      contest.tap(1, by: 0)
      try await store.commit(tally: contest.change(rowsMax: .max))
      struct Refusal: Error {}
      #expect { try store.tally(rows: { _ in throw Refusal() }, segments: { _ in }) } throws: { error in
        if case StoreFailure.other = error { true } else { false }
      }
      var other = Tally()
      #expect {
        try store.tally { rows in
          // The tally has the school already.
          try other.restore(rows)
          try other.restore(rows)
        } segments: { _ in
        }
      } throws: { error in
        if case StoreFailure.corrupt(let what) = error {
          what.contains("tap_schools") && what.contains("backup")
        } else {
          false
        }
      }
    }
  }
}
