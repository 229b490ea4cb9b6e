// One player's counts in one season, and the expiry of sanctions, over every back end.
import Game
import Store
import Testing

extension Store {
  fileprivate func tapCounts(_ number: UInt32, _ season: UInt32) async throws -> [TapCountRow] {
    try await withCheckedContinuation { waiting in
      tapCounts(ofPlayer: number, season: season) { waiting.resume(returning: $0) }
    }.get()
  }
}

@Suite("Every store returns a player's counts, and judges sanctions by the given time")
struct TapCountsContractTests {
  @Test(
    "The written counts of one player and season are returned, by schools, and no others",
    arguments: BackEnd.allCases
  )
  func counts(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var contest = TapContest(seed: 3)
      #expect(try await store.tapCounts(0, 1).isEmpty)
      for player in 0..<2 {
        for school in [2, 0] {
          contest.choose(school, by: player)
          contest.tap(10 + Int64(player), by: player)
        }
      }
      contest.close()
      contest.tap(50, by: 0)
      // Unwritten rows are not returned.
      try await store.commit(tally: contest.change(rowsMax: 0))
      #expect(try await store.tapCounts(0, 1).isEmpty)
      try await store.commit(tally: contest.change(rowsMax: .max))
      let rows = try StoredTaps(store).rows.counts
      #expect(rows.count == 5)
      for (player, season) in [(0, 1), (0, 2), (1, 1), (1, 2), (9, 1)] as [(UInt32, UInt32)] {
        let expected = rows.filter { $0.player == player && $0.season == season }
        #expect(try await store.tapCounts(player, season) == expected)
      }
    }
  }

  @Test("Bans and mutes are in force by the batch's own expiry time", arguments: BackEnd.allCases)
  func sanctions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      for kind in SanctionKind.allCases {
        let sanction = Sanction(player: PlayerID(1), kind: kind, since: moment(0), until: moment(100), reason: "")
        let entry = AuditEntry(at: moment(0), address: "", action: kind.rawValue)
        #expect(try await store.change(SanctionChange.put(sanction, entry)) == .ok)
      }
      let resume = SessionChange.resume(session: session(1), at: moment(0))
      func outcome(at: Int64, expiryAt: Int64) async throws -> SessionOutcome? {
        let batch = Batch(at: moment(at), expiryAt: moment(expiryAt), changes: [resume.change])
        return try await store.commit(batch).first.map(SessionChange.outcome(in:))
      }
      #expect(try await outcome(at: 5_000, expiryAt: 99) == .banned(until: moment(100)))
      let entry = AuditEntry(at: moment(0), address: "", action: "unban")
      #expect(try await store.change(SanctionChange.lift(PlayerID(1), .ban, at: moment(99), entry)) == .ok)
      #expect(try await outcome(at: 5_000, expiryAt: 99)?.playerRow.mute == Mute(until: moment(100)))
      #expect(try await outcome(at: 50, expiryAt: 100)?.playerRow.mute == nil)
      #expect(try store.lastAliveAt == moment(50))
    }
  }
}
