// Players as operators find them, over every back end.
import Game
import Store
import Testing

extension Store {
  fileprivate func players(_ text: String, limit: Int = 50) async throws -> [PlayerID] {
    try await withCheckedContinuation { waiting in
      players(matching: PlayerSearch(text), limit: limit) { waiting.resume(returning: $0) }
    }.get().map(\.id)
  }

  fileprivate func file(of player: UInt128, at milliseconds: Int64 = 0) async throws -> PlayerFile? {
    try await withCheckedContinuation { waiting in
      file(of: PlayerID(player), at: moment(milliseconds)) { waiting.resume(returning: $0) }
    }.get()
  }
}

@Suite("Every store finds players for operators")
struct PlayerFindingContractTests {
  @Test("A text finds identifiers, then e-mails, then nicknames, each player once", arguments: BackEnd.allCases)
  func search(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let wide: UInt128 = 0xABCD_EF00_0000_0000_0000_0000_0000_0001
      try await store.change(hello(wide, device: 1, session: 1, as: "지민 둘"))
      try await store.change(hello(2, device: 2, session: 2, as: "지민"))
      try await store.change(hello(3, device: 3, session: 3, as: "abcdef"))
      try await store.change(hello(4, device: 4, session: 4, as: "지"))
      try await store.change(register(4, "abcdef@example.org", as: "지"))
      #expect(try await store.players("지민") == [PlayerID(2), PlayerID(wide)])
      #expect(try await store.players("지") == [PlayerID(4), PlayerID(2), PlayerID(wide)])
      #expect(try await store.players("지", limit: 2) == [PlayerID(4), PlayerID(2)])
      #expect(try await store.players("abcdef") == [PlayerID(wide), PlayerID(4), PlayerID(3)])
      #expect(try await store.players("ABCDEF@EXAMPLE.ORG") == [PlayerID(4)])
      #expect(try await store.players("\(PlayerID(wide))") == [PlayerID(wide)])
      #expect(try await store.players("\(PlayerID(2))") == [PlayerID(2)])
      // Fewer digits, and what begins nothing.
      #expect(try await store.players("abcde") == [PlayerID(4), PlayerID(3)])
      for text in ["민", "b", "지민 셋", "%", "_", "지민\u{10FFFF}"] {
        #expect(try await store.players(text) == [], "\(text)")
      }
      try await store.change(DeletionChange.begin(PlayerID(2), at: moment(9)))
      #expect(try await store.players("지민") == [PlayerID(wide)])
      #expect(try await store.file(of: 2) == nil)
    }
  }

  @Test("A player's file has what is kept, and sanctions in force alone", arguments: BackEnd.allCases)
  func file(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(at: 3, hello(1, device: 1, session: 1, as: "지민", at: 3))
      try await store.change(at: 4, register(1, "jimin@example.org", as: "지민"))
      try await store.change(hello(2, device: 2, session: 2))
      try await store.commit([], RoomChange.open(room(7)), RoomChange.open(room(8)), RoomChange.open(room(9)))
      for number: UInt128 in 7...8 { try await store.change(RoomChange.addPresence(PlayerID(1), RoomID(number))) }
      let game = gameRow(7)
      try await store.commit([], RoomChange.beginGame(game.id), GameChange.end(game, [result(1, of: game)]))
      let entry = AuditEntry(at: moment(5), address: "::1", operator: "yuna", action: "ban", player: PlayerID(1))
      let ban = Sanction(
        player: PlayerID(1),
        kind: .ban,
        since: moment(5),
        until: moment(500),
        reason: "욕설",
        addressBan: AddressBan(network: digest(7), room: nil, until: moment(400))
      )
      try await store.change(SanctionChange.put(ban, entry))
      try await store.change(report(.profile(PlayerID(1)), by: 2))
      try await store.change(warn(warning(1, of: 1)))

      let file = try #require(try await store.file(of: 1, at: 10))
      let player = FoundPlayer(
        id: PlayerID(1),
        nickname: "지민",
        email: "jimin@example.org",
        madeAt: moment(3),
        registeredAt: moment(4),
        sessionExpiresAt: moment(sessionMs)
      )
      #expect(file.player == player && file.hasDevice && file.browsers.isEmpty)
      #expect(file.sanctions == [ban])
      #expect(file.rooms.map(\.row) == [room(7), room(8)] && file.rooms.allSatisfy(\.isOpen))
      #expect(file.results.map(\.game) == [game.id])
      #expect(file.audit.map(\.action) == ["warn", "ban"] && file.audit[1].entry.operator == "yuna")
      #expect(file.reportsMade == 0 && file.reportsReceived == 1 && file.warningsPending == 1)
      var later = ban
      later.addressBan = nil
      #expect(try await store.file(of: 1, at: 400)?.sanctions == [later])
      #expect(try await store.file(of: 1, at: 500)?.sanctions == [])
      #expect(try await store.file(of: 2)?.reportsMade == 1)
      #expect(try await store.file(of: 3) == nil)
    }
  }
}
