// Proposals of lands and operators' decisions about them, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps proposals of lands")
struct ProposalContractTests {
  /// A square of 80 m.
  private static func ring(east: Int32 = 0) -> [Coordinate] {
    [(0, 0), (0, 9_000), (7_200, 9_000), (7_200, 0), (0, 0)].map { (north: Int32, lng: Int32) in
      Coordinate(latE7: 375_000_000 + north, lngE7: 1_267_000_000 + east + lng)
    }
  }

  private static func land(_ number: UInt128, east: Int32 = 0) -> Land {
    Land(id: LandID(number), name: "land \(number)", vertices: ContiguousArray(ring(east: east).dropLast()))
  }

  private static func proposal(_ number: UInt128, of player: UInt128 = 1, game: UInt32? = nil, at: Int64 = 0)
    -> LandProposal
  {
    LandProposal(
      id: ProposalID(number),
      player: PlayerID(player),
      game: GameID(room: RoomID(7), number: game ?? UInt32(number)),
      name: "마당 \(number)",
      ring: ring(east: Int32(number)),
      lengthMm: 320_000,
      proposedAt: moment(at == 0 ? Int64(number) : at)
    )
  }

  private static func entry(_ action: String, at: Int64 = 50) -> AuditEntry {
    AuditEntry(at: moment(at), address: "::1", action: action)
  }

  private static func store(_ backEnd: BackEnd, _ body: (any Store) async throws -> Void) async throws {
    try await backEnd.withStore { store in
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2, as: "나래"))
      try await body(store)
    }
  }

  @Test(
    "A player's proposals are listed by pages, the newest first; those that wait, the oldest first",
    arguments: BackEnd.allCases
  )
  func lists(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      let all = [Self.proposal(1, at: 5), Self.proposal(2, at: 9), Self.proposal(3, at: 5)]
      for proposal in all {
        #expect(try await store.change(ProposalChange.propose(proposal)) == .proposed(proposal))
      }
      #expect(
        try await store.change(ProposalChange.propose(Self.proposal(4, of: 2))) == .proposed(Self.proposal(4, of: 2))
      )
      #expect(try await store.proposals(of: PlayerID(1), limit: 9) == [all[1], all[2], all[0]])
      let page = try await store.proposals(of: PlayerID(1), limit: 2)
      #expect(try await store.proposals(of: PlayerID(1), before: ProposalCursor(of: page[1]), limit: 2) == [all[0]])
      #expect(try await store.proposals(of: PlayerID(3), limit: 2).isEmpty)
      let waiting = try await store.waiting(limit: 9)
      #expect(waiting.map(\.proposal.id) == [4, 1, 3, 2].map { ProposalID($0) })
      #expect(waiting.map(\.nickname) == ["나래", "가람", "가람", "가람"])
      #expect(try await store.waiting(limit: 1).count == 1)
      #expect(try await store.proposal(ProposalID(2)) == all[1])
      #expect(try await store.proposal(ProposalID(9)) == nil)
      #expect(try await store.change(ProposalChange.propose(Self.proposal(5, of: 9))) == .notFound)
    }
  }

  @Test(
    "One game has one proposal, unless it was declined; five of a player wait at most",
    arguments: BackEnd.allCases
  )
  func bounds(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      let first = Self.proposal(1)
      let outcome = try await store.change(ProposalChange.propose(first))
      #expect(outcome == .proposed(first))
      #expect(try await store.change(ProposalChange.propose(Self.proposal(2, game: 1))) == .proposed(first))
      for number in UInt128(2)...5 {
        #expect(
          try await store.change(ProposalChange.propose(Self.proposal(number))) == .proposed(Self.proposal(number))
        )
      }
      #expect(try await store.change(ProposalChange.propose(Self.proposal(6))) == .tooMany)
      #expect(
        try await store.change(ProposalChange.propose(Self.proposal(7, of: 2))) == .proposed(Self.proposal(7, of: 2))
      )
      let decline = ProposalChange.decline(ProposalID(1), reason: "a garden", Self.entry("declineLand"))
      #expect(try await store.change(decline) == .declined)
      let again = Self.proposal(6, game: 1)
      #expect(try await store.change(ProposalChange.propose(again)) == .proposed(again))
    }
  }

  @Test("An accepted proposal is a land, once, with its row of the audit log", arguments: BackEnd.allCases)
  func accepted(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      for number in UInt128(1)...3 { try await store.change(ProposalChange.propose(Self.proposal(number))) }
      let accept = ProposalChange.accept(ProposalID(1), Self.land(11), Self.entry("acceptLand"))
      #expect(try await store.change(accept) == .accepted(isNew: true))
      #expect(try await store.change(accept) == .notFound)
      #expect(try await store.proposal(ProposalID(1))?.state == .accepted(LandID(11), at: moment(50)))
      // The same ring was there before.
      let known = ProposalChange.accept(ProposalID(2), Self.land(11), Self.entry("acceptLand", at: 60))
      #expect(try await store.change(known) == .accepted(isNew: false))
      #expect(try await store.lands([LandID(11)]) == [Self.land(11)])
      let decline = ProposalChange.decline(ProposalID(3), reason: "a garden", Self.entry("declineLand", at: 70))
      #expect(try await store.change(decline) == .declined)
      #expect(try await store.change(decline) == .notFound)
      #expect(try await store.proposal(ProposalID(3))?.state == .declined(reason: "a garden", at: moment(70)))
      #expect(try await store.waiting(limit: 9).isEmpty)
      // An accepted game has its proposal still.
      let same = try await store.change(ProposalChange.propose(Self.proposal(9, game: 1)))
      #expect(same == .proposed(try #require(try await store.proposal(ProposalID(1)))))
      let rows = try await store.auditRows()
      #expect(rows.map(\.action) == ["declineLand", "acceptLand", "acceptLand"])
      #expect(rows.allSatisfy { $0.player == PlayerID(1) })
      #expect(rows.map(\.detail).dropFirst() == ["land \(LandID(11)), there already", "land \(LandID(11)): land 11"])
    }
  }

  @Test("Decided proposals are deleted after 90 days, those that wait stay", arguments: BackEnd.allCases)
  func sweep(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      for number in UInt128(1)...3 { try await store.change(ProposalChange.propose(Self.proposal(number))) }
      try await store.change(ProposalChange.accept(ProposalID(1), Self.land(11), Self.entry("acceptLand", at: 100)))
      try await store.change(ProposalChange.decline(ProposalID(2), reason: "no", Self.entry("declineLand", at: 200)))
      let days90: Int64 = 90 * 86_400_000
      // The guest stays, for the test of the proposals.
      try await store.change(register(1, "one@example.org", as: "one"))
      try await store.maintain(at: days90 + 100)
      #expect(try await store.proposals(of: PlayerID(1), limit: 9).count == 3)
      try await store.maintain(at: days90 + 150)
      #expect(try await store.proposals(of: PlayerID(1), limit: 9).map(\.id) == [3, 2].map { ProposalID($0) })
      try await store.maintain(at: days90 + 201)
      #expect(try await store.proposals(of: PlayerID(1), limit: 9).map(\.id) == [ProposalID(3)])
      #expect(try await store.lands([LandID(11)]).count == 1)
    }
  }

  @Test("A deleted player's proposals go, waiting ones at once; a land of theirs stays", arguments: BackEnd.allCases)
  func deleted(backEnd: BackEnd) async throws {
    try await Self.store(backEnd) { store in
      try await store.change(ProposalChange.propose(Self.proposal(1)))
      try await store.change(ProposalChange.propose(Self.proposal(2)))
      try await store.change(ProposalChange.propose(Self.proposal(3, of: 2)))
      try await store.change(ProposalChange.accept(ProposalID(1), Self.land(11), Self.entry("acceptLand")))
      try await store.change(DeletionChange.begin(PlayerID(1), at: moment(60)))
      #expect(try await store.waiting(limit: 9).map(\.proposal.id) == [ProposalID(3)])
      let accept = ProposalChange.accept(ProposalID(2), Self.land(12), Self.entry("acceptLand"))
      #expect(try await store.change(accept) == .notFound)
      #expect(try await store.change(ProposalChange.propose(Self.proposal(4))) == .notFound)
      try await store.delete(PlayerID(1), at: 70)
      #expect(try await store.proposals(of: PlayerID(1), limit: 9).isEmpty)
      #expect(try await store.proposal(ProposalID(1)) == nil)
      #expect(try await store.lands([LandID(11)]).map(\.name) == ["land 11"])
      #expect(try await store.proposals(of: PlayerID(2), limit: 9).count == 1)
    }
  }
}

extension Store {
  fileprivate func proposals(of player: PlayerID, before cursor: ProposalCursor? = nil, limit: Int) async throws
    -> [LandProposal]
  {
    try await withCheckedContinuation { waiting in
      landProposals(of: player, before: cursor, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  fileprivate func waiting(limit: Int) async throws -> [ProposalRow] {
    try await withCheckedContinuation { waiting in
      waitingProposals(limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  fileprivate func proposal(_ id: ProposalID) async throws -> LandProposal? {
    try await withCheckedContinuation { waiting in landProposal(id) { waiting.resume(returning: $0) } }.get()
  }

  fileprivate func auditRows() async throws -> [AuditRow] {
    try await withCheckedContinuation { waiting in
      audit(before: nil, limit: 9) { waiting.resume(returning: $0) }
    }.get()
  }
}
