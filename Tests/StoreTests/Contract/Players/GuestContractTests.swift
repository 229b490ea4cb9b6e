// Guests: when they are deleted, when none may be made, and how a new password affects devices. Over every back end.
import Game
import Store
import Testing

@Suite("Every store forgets guests without data")
struct GuestContractTests {
  private static let day: Int64 = 86_400_000

  /// Whether the device of the player with this number is still that player's.
  private func isKnown(_ number: UInt8, in store: any Store, at: Int64) async throws -> Bool {
    let greeting = hello(100 + UInt128(number), device: number, session: 100 + number, at: at, mayMakePlayer: false)
    return try await store.change(at: at, greeting) != .noNewPlayers
  }

  @Test(
    "A guest who is absent for two days is forgotten with the session, unless other data of the guest is kept",
    arguments: BackEnd.allCases
  )
  func idle(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number in UInt8(1)...7 { try await store.change(hello(UInt128(number), device: number, session: number)) }
      try await store.change(register(2, "a@b.c", as: "나래"))
      let game = gameRow(1)
      try await store.commit(
        [],
        RoomChange.open(room(1)),
        RoomChange.beginGame(game.id),
        RoomChange.addPresence(PlayerID(3), room(1).id)
      )
      try await store.change(GameChange.end(game, [result(6, of: game)]))
      let mute = Sanction(player: PlayerID(7), kind: .mute, since: moment(0), until: nil, reason: "")
      try await store.change(SanctionChange.put(mute, AuditEntry(at: moment(0), address: "::1", action: "mute")))
      var tally = Tally()
      _ = tally.choose(try #require(SchoolID("A1")), by: PlayerID(5))
      let rows = tally.takeChangedRows(max: .max)
      try await store.commit(tally: TallyChange(segment: tally.takeRecords(), rows: rows, recordsNeededFrom: 2))
      // A day and a half later the session is renewed.
      let later = sessionMs + 3 * Self.day / 2
      try await store.change(SessionChange.resume(session: session(4, expiresAt: later), at: moment(3 * Self.day / 2)))

      try await store.maintain(at: 3 * Self.day - 1)
      #expect(try store.unknownPlayers(among: (1...7).map { PlayerID($0) }) == [])
      try await store.maintain(at: 3 * Self.day)
      #expect(try store.unknownPlayers(among: (1...7).map { PlayerID($0) }) == [PlayerID(1)])
      let resume = SessionChange.resume(session: session(1), at: moment(3 * Self.day))
      #expect(try await store.change(resume) == .badToken)
      #expect(try await !isKnown(1, in: store, at: 3 * Self.day))
      try await store.maintain(at: 9 * Self.day / 2 - 1)
      #expect(try store.unknownPlayers(among: [PlayerID(4)]) == [])
      try await store.maintain(at: 9 * Self.day / 2)
      #expect(try store.unknownPlayers(among: (2...7).map { PlayerID($0) }) == [PlayerID(4)])
      // A guest kept by a result or a school stays longer than any session.
      try await store.maintain(at: 70 * Self.day)
      #expect(try store.unknownPlayers(among: (1...7).map { PlayerID($0) }) == [PlayerID(1), PlayerID(4)])
      for number in [UInt8](arrayLiteral: 2, 3, 5, 6, 7) {
        #expect(try await isKnown(number, in: store, at: 70 * Self.day))
      }
    }
  }

  @Test("A session in use is renewed by at least a day, and its guest is kept", arguments: BackEnd.allCases)
  func inUse(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      func use(at milliseconds: Int64) async throws {
        let change = AccountChange.useSession(digest(1), expiresAt: moment(milliseconds + sessionMs))
        #expect(try await store.change(at: milliseconds, change) == .ok)
      }
      try await store.change(hello(1, device: 1, session: 1))
      try await use(at: Self.day - 1)
      #expect(try store.lastAliveAt == moment(0), "nothing was written")
      try await use(at: Self.day)
      #expect(try store.lastAliveAt == moment(Self.day))
      try await store.maintain(at: 4 * Self.day - 1)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [])
      // An ended session stays ended.
      try await store.change(AccountChange.endSession(digest(1), at: moment(4 * Self.day), forgetDevice: false))
      try await use(at: 4 * Self.day)
      #expect(
        try await store.change(SessionChange.resume(session: session(1), at: moment(4 * Self.day))) == .sessionEnded
      )
      try await store.maintain(at: 4 * Self.day)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [PlayerID(1)])
    }
  }

  @Test("A logged-out guest is forgotten too, and so is one with very many sessions", arguments: BackEnd.allCases)
  func manySessions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      func digest(_ number: Int) -> [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) } }
      let hellos = (0..<1_200).map { number in
        let session = NewSession(digest: digest(number), connection: UInt64(number), expiresAt: moment(sessionMs))
        let hello = HelloChange(
          device: digest(1),
          newPlayer: PlayerID(1),
          nickname: "가람",
          session: session,
          at: moment(0)
        )
        return Change.session(.hello(hello))
      }
      try await store.commit(Batch(at: moment(0), changes: hellos))
      try await store.change(AccountChange.endSession(digest(1_199), at: moment(1), forgetDevice: false))
      try await store.maintain(at: 3 * Self.day - 1)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [])
      try await store.maintain(at: 3 * Self.day)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [PlayerID(1)])
      #expect(try store.lastConnection == 0, "all sessions are erased with the guest")
    }
  }

  @Test(
    "If no new player may be made, a known device is accepted and a new one writes nothing",
    arguments: BackEnd.allCases
  )
  func noNewPlayers(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      #expect(try await store.change(hello(2, device: 2, session: 2, mayMakePlayer: false)) == .noNewPlayers)
      #expect(try store.unknownPlayers(among: [PlayerID(2)]) == [PlayerID(2)])
      #expect(try await store.change(SessionChange.resume(session: session(2), at: moment(1))) == .badToken)
      let again = try await store.change(hello(3, device: 1, session: 3, mayMakePlayer: false)).playerRow
      #expect(again.id == PlayerID(1))
      #expect(try await store.change(hello(2, device: 2, session: 2)).playerRow.id == PlayerID(2))
    }
  }

  @Test(
    "A new password forgets every other device, and ends all other sessions",
    arguments: BackEnd.allCases
  )
  func newPassword(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      try await store.change(register(1, "a@b.c", as: "나래"))
      // The change comes by the device's own session.
      #expect(try await store.change(setPassword(of: 1, session: 1, device: 1)) == .ok)
      #expect(
        try await store.change(SessionChange.resume(session: session(1), at: moment(1))).playerRow.device == digest(1)
      )
      #expect(try await store.change(hello(2, device: 1, session: 2)).playerRow.id == PlayerID(1))
      // The change comes by a session that a login began.
      let login = SessionChange.login(PlayerID(1), passwordHash: "new", session: session(3), at: moment(2))
      // The late login was checked against the old password.
      let late = SessionChange.login(PlayerID(1), passwordHash: "hash of a@b.c", session: session(3), at: moment(2))
      #expect(try await store.change(late) == .notFound)
      #expect(try await store.change(login).playerRow.device == nil)
      #expect(try await store.change(setPassword(of: 1, to: "newer", session: 3)) == .ok)
      #expect(try await store.password(of: PlayerID(1))?.hash == "newer")
      #expect(
        try await store.change(SessionChange.resume(session: session(3), at: moment(3))).playerRow.id == PlayerID(1)
      )
      #expect(try await store.change(hello(4, device: 1, session: 4)).playerRow.id == PlayerID(4))
      // The change comes by a session that has been replaced.
      #expect(try await store.change(setPassword(of: 1, to: "newest", session: 2)) == .ok)
      #expect(try await store.change(SessionChange.resume(session: session(3), at: moment(4))) == .sessionEnded)
      // The change comes by another device than the stored one.
      try await store.change(hello(5, device: 5, session: 5))
      try await store.change(register(5, "c@d.e", as: "다솜"))
      #expect(try await store.change(setPassword(of: 5, session: 5, device: 6)) == .ok)
      #expect(try await store.change(hello(6, device: 5, session: 6)).playerRow.id == PlayerID(6))
    }
  }
}
