// Players and sessions, over every back end.
import Game
import Store
import Testing

@Suite("Every store keeps players and sessions")
struct PlayerContractTests {
  /// Player 1, by device 1.
  private static func guest(_ nickname: String, session: UInt8) -> PlayerRow {
    PlayerRow(
      id: PlayerID(1),
      nickname: nickname,
      email: nil,
      blocked: [],
      session: digest(session),
      device: digest(1)
    )
  }

  @Test(
    "A device is the same player on every hello, and a guest's nickname is that of the latest one",
    arguments: BackEnd.allCases
  )
  func devices(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let first = try await store.change(hello(1, device: 1, session: 1)).playerRow
      #expect(first == Self.guest("가람", session: 1))
      let again = try await store.change(hello(2, device: 1, session: 2, as: "나래")).playerRow
      #expect(again == Self.guest("나래", session: 2))
      #expect(try await store.change(hello(3, device: 3, session: 3, as: "나래")).playerRow.id == PlayerID(3))
    }
  }

  @Test("A player has one live session: a newer one ends it", arguments: BackEnd.allCases)
  func oneSession(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      func resume(_ number: UInt8) async throws -> SessionOutcome {
        try await store.change(SessionChange.resume(session: session(number, expiresAt: 1_000_000), at: moment(5)))
      }
      try await store.change(hello(1, device: 1, session: 1))
      #expect(try await resume(1).playerRow.id == PlayerID(1))
      try await store.change(hello(9, device: 1, session: 2))
      #expect(try await resume(1) == .sessionEnded)
      #expect(try await resume(2).playerRow.session == digest(2))
      #expect(
        try await store.change(SessionChange.login(PlayerID(1), session: session(3), at: moment(6))).playerRow.id
          == PlayerID(1)
      )
      #expect(try await resume(2) == .sessionEnded)
      #expect(try await resume(3).playerRow.id == PlayerID(1))
      #expect(try await resume(7) == .badToken)
      #expect(try await store.change(SessionChange.login(PlayerID(8), session: session(8), at: moment(6))) == .notFound)
      #expect(try await resume(8) == .badToken)
    }
  }

  @Test("The newest eight ended sessions are remembered", arguments: BackEnd.allCases)
  func endedSessions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number in UInt8(1)...12 {
        let new = session(number, connection: UInt64(number))
        try await store.change(
          SessionChange.hello(
            HelloChange(device: digest(1), newPlayer: PlayerID(1), nickname: "나래", session: new, at: moment(0))
          )
        )
      }
      try await store.change(hello(2, device: 2, session: 20))
      for number in UInt8(1)...12 {
        let resumed = try await store.change(
          SessionChange.resume(session: session(number, connection: 100), at: moment(5))
        )
        switch number {
        case 1...3: #expect(resumed == .badToken)
        case 4...11: #expect(resumed == .sessionEnded)
        default: #expect(try resumed.playerRow.id == PlayerID(1))
        }
      }
      #expect(
        try await store.change(SessionChange.resume(session: session(20, connection: 100), at: moment(5))).playerRow.id
          == PlayerID(2)
      )
    }
  }

  @Test(
    "A connection begins or resumes no session and changes nothing if the player has a newer one",
    arguments: BackEnd.allCases
  )
  func lateConnection(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      func greet(_ number: UInt8, connection: UInt64, as nickname: String = "나래") async throws -> SessionOutcome {
        let new = session(number, connection: connection)
        return try await store.change(
          SessionChange.hello(
            HelloChange(device: digest(1), newPlayer: PlayerID(1), nickname: nickname, session: new, at: moment(0))
          )
        )
      }
      func resume(_ connection: UInt64) async throws -> SessionOutcome {
        try await store.change(SessionChange.resume(session: session(2, connection: connection), at: moment(8)))
      }
      _ = try await greet(1, connection: 5).playerRow
      _ = try await greet(2, connection: 7).playerRow
      #expect(try await greet(3, connection: 6, as: "다온") == .replaced)
      #expect(
        try await store.change(SessionChange.login(PlayerID(1), session: session(4, connection: 6), at: moment(1)))
          == .replaced
      )
      #expect(try await resume(6) == .replaced)
      #expect(try await resume(7).playerRow.nickname == "나래")
      #expect(try store.lastConnection == 7)
      #expect(try await resume(9).playerRow.session == digest(2))
      #expect(try store.lastConnection == 9)
      #expect(try await greet(3, connection: 8, as: "다온") == .replaced)
      #expect(
        try await store.change(SessionChange.login(PlayerID(1), session: session(4, connection: 8), at: moment(1)))
          == .replaced
      )
      #expect(try await resume(9).playerRow.nickname == "나래")
      // An ended session does not block a hello.
      try await store.change(AccountChange.endSession(digest(2), at: moment(9), forgetDevice: false))
      #expect(try await greet(3, connection: 6).playerRow.session == digest(3))
    }
  }

  @Test(
    "A session ends at its expiry, which is extended by use, by at least a day",
    arguments: BackEnd.allCases
  )
  func expiry(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let day: Int64 = 86_400_000
      func resume(until: Int64, at: Int64) async throws -> SessionOutcome {
        try await store.change(SessionChange.resume(session: session(1, expiresAt: until), at: moment(at)))
      }
      let expiry = sessionMs
      try await store.change(hello(1, device: 1, session: 1))
      _ = try await resume(until: expiry + day - 1, at: 5).playerRow
      #expect(try await resume(until: expiry + day - 1, at: expiry) == .sessionExpired)
      _ = try await resume(until: expiry + day, at: expiry - 1).playerRow
      _ = try await resume(until: expiry + day, at: expiry + day - 1).playerRow
      #expect(try await resume(until: 9 * sessionMs, at: expiry + day) == .sessionExpired)
    }
  }

  @Test(
    "A logout ends the session, and the device can log in again unless it is forgotten",
    arguments: BackEnd.allCases
  )
  func logout(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      #expect(try await store.change(AccountChange.endSession(digest(1), at: moment(2), forgetDevice: false)) == .ok)
      let resume = SessionChange.resume(session: session(1, expiresAt: 9), at: moment(3))
      #expect(try await store.change(resume) == .sessionEnded)
      #expect(try await store.change(hello(2, device: 1, session: 2)).playerRow.id == PlayerID(1))
      // A logout of a replaced session changes neither the new session nor the device.
      try await store.change(AccountChange.endSession(digest(1), at: moment(4), forgetDevice: true))
      #expect(
        try await store.change(SessionChange.resume(session: session(2, expiresAt: 9), at: moment(5))).playerRow.id
          == PlayerID(1)
      )
      try await store.change(AccountChange.endSession(digest(2), at: moment(6), forgetDevice: true))
      #expect(try await store.change(hello(2, device: 1, session: 3)).playerRow.id == PlayerID(2))
    }
  }

  @Test("Sessions that ended long ago are forgotten", arguments: BackEnd.allCases)
  func oldSessions(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let month: Int64 = 30 * 86_400_000
      try await store.commit([], hello(1, device: 1, session: 1), hello(2, device: 2, session: 2))
      // Guests would be deleted as a whole.
      try await store.commit([], register(1, "one@example.org", as: "one"), register(2, "two@example.org", as: "two"))
      try await store.change(AccountChange.endSession(digest(1), at: moment(500), forgetDevice: false))
      func outcomes(_ at: Int64) async throws -> [SessionOutcome] {
        try await store.maintain(at: at)
        return try await store.commit(
          [],
          SessionChange.resume(session: session(1, expiresAt: 0), at: moment(at)),
          SessionChange.resume(session: session(2, expiresAt: 0), at: moment(at))
        ).map(SessionChange.outcome(in:))
      }
      #expect(try await outcomes(month + 500) == [.sessionEnded, .sessionExpired])
      #expect(try await outcomes(month + 501) == [.badToken, .sessionExpired])
      #expect(try await outcomes(2 * month + 1) == [.badToken, .badToken])
    }
  }

  @Test("A guest becomes an account, found by its e-mail address", arguments: BackEnd.allCases)
  func registering(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.change(hello(1, device: 1, session: 1))
      #expect(try await store.password(of: PlayerID(1)) == nil)
      #expect(try await store.change(register(1, "garam@example.org", as: "가람")) == .ok)
      let password = StoredPassword(player: PlayerID(1), hash: "hash of garam@example.org")
      #expect(try await store.password(ofEmail: "garam@example.org") == password)
      #expect(try await store.password(of: PlayerID(1)) == password)
      #expect(try await store.password(ofEmail: "nobody@example.org") == nil)
      let row = try await store.change(hello(9, device: 1, session: 2, as: "another name")).playerRow
      #expect(row.nickname == "가람")
      #expect(row.email == "garam@example.org")
      #expect(try await store.change(setPassword(of: 1)) == .ok)
      #expect(try await store.password(of: PlayerID(1))?.hash == "new")
      #expect(try await store.change(register(1, "other@example.org", as: "b")) == .alreadyRegistered)
    }
  }

  @Test("E-mail addresses are unique, and nicknames are among accounts only", arguments: BackEnd.allCases)
  func uniqueness(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number in UInt8(1)...4 {
        try await store.change(hello(UInt128(number), device: number, session: number, as: "지민"))
      }
      #expect(try await store.change(register(1, "a@example.org", as: "지민")) == .ok)
      #expect(try await store.change(register(2, "a@example.org", as: "b")) == .emailTaken)
      #expect(try await store.change(register(2, "b@example.org", as: "지민")) == .nicknameTaken)
      #expect(try await store.password(ofEmail: "b@example.org") == nil)
      #expect(try await store.change(register(2, "b@example.org", as: "b")) == .ok)
      #expect(try await store.change(AccountChange.setNickname(PlayerID(2), "지민")) == .nicknameTaken)
      #expect(try await store.change(AccountChange.setNickname(PlayerID(1), "지민")) == .ok)
      #expect(try await store.change(AccountChange.setNickname(PlayerID(3), "b")) == .ok)
      #expect(try await store.change(AccountChange.setNickname(PlayerID(1), "c")) == .ok)
      #expect(try await store.change(AccountChange.setNickname(PlayerID(2), "지민")) == .ok)
      #expect(try await store.change(AccountChange.setNickname(PlayerID(77), "지민")) == .notFound)
      #expect(try await store.change(register(77, "c@example.org", as: "d")) == .notFound)
      #expect(try await store.change(setPassword(of: 3)) == .notFound)
    }
  }

  @Test("E-mail addresses and nicknames are compared by bytes: the caller normalizes them", arguments: BackEnd.allCases)
  func comparedByBytes(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number in UInt8(1)...3 { try await store.change(hello(UInt128(number), device: number, session: number)) }
      let (composed, decomposed) = ("\u{C9C0}\u{BBFC}", "\u{110C}\u{1175}\u{1106}\u{1175}\u{11AB}")
      #expect(try await store.change(register(1, "a@example.org", as: composed)) == .ok)
      #expect(try await store.change(register(2, "A@example.org", as: decomposed)) == .ok)
      #expect(try await store.change(register(3, "a@example.org", as: "c")) == .emailTaken)
      #expect(try await store.change(register(3, "c@example.org", as: decomposed)) == .nicknameTaken)
      #expect(try await store.password(ofEmail: "A@example.org")?.player == PlayerID(2))
      #expect(try await store.password(ofEmail: "a@Example.org") == nil)
    }
  }

  @Test("In one batch a later change sees an earlier one", arguments: BackEnd.allCases)
  func changesInOrder(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      let outcomes = try await store.commit(
        [],
        hello(1, device: 1, session: 1),
        hello(2, device: 2, session: 2),
        register(1, "a@example.org", as: "a"),
        register(2, "a@example.org", as: "b"),
        register(2, "b@example.org", as: "a"),
        SessionChange.resume(session: session(1, expiresAt: 1), at: moment(0))
      )
      #expect(outcomes[2...4] == [.account(.ok), .account(.emailTaken), .account(.nicknameTaken)])
      #expect(try outcomes[5].playerRow.email == "a@example.org")
    }
  }

  @Test("Up to ten players can be blocked, and unblocked again", arguments: BackEnd.allCases)
  func blocks(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      for number in UInt8(1)...12 {
        try await store.change(hello(UInt128(number), device: number, session: number))
      }
      for number in UInt128(2)...11 {
        #expect(try await store.change(AccountChange.block(PlayerID(1), PlayerID(number))) == .ok)
      }
      #expect(try await store.change(AccountChange.block(PlayerID(1), PlayerID(12))) == .tooMany)
      let blocked = try await store.blockedPlayers(of: PlayerID(1))
      #expect(blocked.map(\.id) == (2...11).map { PlayerID($0) } && blocked.allSatisfy { !$0.nickname.isEmpty })
      #expect(try await store.blockedPlayers(of: PlayerID(2)).isEmpty)
      #expect(try await store.change(AccountChange.block(PlayerID(1), PlayerID(2))) == .ok)
      #expect(try await store.change(AccountChange.block(PlayerID(1), PlayerID(99))) == .notFound)
      #expect(try await store.change(AccountChange.block(PlayerID(99), PlayerID(1))) == .notFound)
      #expect(try await store.change(AccountChange.unblock(PlayerID(1), PlayerID(11))) == .ok)
      #expect(try await store.change(AccountChange.unblock(PlayerID(1), PlayerID(99))) == .ok)
      #expect(try await store.change(AccountChange.block(PlayerID(1), PlayerID(12))) == .ok)
      let row = try await store.change(hello(99, device: 1, session: 50)).playerRow
      #expect(row.blocked == (Array(2...10) + [12]).map { PlayerID(UInt128($0)) })
    }
  }
}
